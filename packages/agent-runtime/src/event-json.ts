import { isDeeperThan, MOST_JSON_LEVELS, withoutOpenHalf } from '@svc/core';
import type { EventData } from './runtime.ts';

/** Maximum size of event data, in bytes, both as shown to an agent and as accepted for a run. */
export const MAX_EVENT_BYTES: number = 256 * 1024;

/** How an event is rendered. */
export interface EventJsonOptions {
  /** Maximum length of the text in bytes, at least 1 KiB. Default: 256 KiB. */
  readonly maxBytes?: number;
  /** Whether to render it on one line. Default: false. */
  readonly inOneLine?: boolean;
}

const MARK = '[Cut]';
const LONGEST_MARK = 100;

/**
 * Renders an event as a JSON object with `event`, `project` and the members of its data. Backticks, `@`, `<`, `>`, `&`,
 * control, bidi and all other Unicode format characters are escaped as `\uXXXX`, so that the data cannot end a block,
 * mention a file or open a tag.
 *
 * Data beyond `maxBytes` is truncated: the string at the limit ends with `[Cut]`, everything after it and everything
 * nested more than 64 levels deep is omitted, and a member `[Cut]` after `project` reports it. The result is always
 * valid JSON.
 */
export function eventJson(
  { event, project, data }: EventData,
  { maxBytes = MAX_EVENT_BYTES, inOneLine = false }: EventJsonOptions = {},
): string {
  const named = { event, project };
  const tell = (value: object): string =>
    escaped(JSON.stringify(value, null, inOneLine ? undefined : 2));
  if (!isDeeperThan(data, MOST_JSON_LEVELS)) {
    const whole = tell({ ...named, ...data, ...named });
    if (Buffer.byteLength(whole) <= maxBytes) return whole;
  }
  const frame = Buffer.byteLength(tell(named)) + LONGEST_MARK;
  const mark = {
    [MARK]: `The data is truncated to ${maxBytes} bytes.`,
  };
  const kept = beginningOf(data, maxBytes - frame);
  return tell({ ...named, ...mark, ...kept, ...named, ...mark });
}

const RISKY = /[`@<>&]|(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu;

/** JSON without characters that have a meaning in Markdown, HTML or the prompts of agent programs. */
export function escaped(json: string): string {
  return json.replace(RISKY, (character) => character.split('').map(unitOf).join(''));
}

function unitOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

// Keeps as much of the data as fits, in order. Each member is counted as one line.
function beginningOf(data: object, bytes: number): object {
  let left = bytes;
  const pay = (cost: number): boolean => {
    left -= cost;
    return left >= 0;
  };
  const keepText = (text: string): string | undefined => {
    const cost = text.length > left ? left + 1 : costOf(text);
    const start = cost > left ? startOf(text, left - MARK.length) : text;
    if (pay(cost)) return text;
    return start === '' ? undefined : `${start}${MARK}`;
  };
  const keepMembers = (value: object, level: number): [string, unknown][] => {
    const members: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) {
      const name = Array.isArray(value) ? 0 : costOf(key);
      if (!pay(name + 2 * level + 4)) break;
      const part = keep(inner, level);
      if (part !== undefined) members.push([key, part]);
    }
    return members;
  };
  const keep = (value: unknown, level: number): unknown => {
    if (typeof value === 'string') return keepText(value);
    if (typeof value !== 'object' || value === null) return pay(costOf(value)) ? value : undefined;
    if (level === MOST_JSON_LEVELS || !pay(2 * level + 3)) return undefined;
    const members = keepMembers(value, level + 1);
    return Array.isArray(value) ? members.map(([, part]) => part) : Object.fromEntries(members);
  };
  return keep(data, 0) as object;
}

function costOf(value: unknown): number {
  return Buffer.byteLength(escaped(JSON.stringify(value) ?? 'null'));
}

// Finds the longest prefix of whole characters within the cost limit, by binary search.
function startOf(text: string, cost: number): string {
  let fits = 0;
  let over = Math.min(text.length, Math.max(0, cost)) + 1;
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (costOf(text.slice(0, middle)) <= cost) fits = middle;
    else over = middle;
  }
  return withoutOpenHalf(text.slice(0, fits));
}

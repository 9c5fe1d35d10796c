import { createHash } from 'node:crypto';
import { isRecord, type Redactor } from '@svc/core';
import { type Definition, startDelayOf } from '@svc/engine';
import type { ChangedField, Standing } from '@svc/records';

/** Fields of a definition that may be shown, by path. */
export type ShownFields = Readonly<Record<string, string>>;

const LONGEST_SHOWN = 120;

/** Fields of a record, by path: prompts and other long texts as their length and a short hash. */
export function shownFields(
  record: Definition['record'],
  redactor: Pick<Redactor, 'text'>,
): ShownFields {
  const shown: Record<string, string> = {};
  const add = (path: string, value: unknown): void => {
    if (value === undefined || value === null) return;
    if (isRecord(value)) {
      for (const [key, part] of Object.entries(value))
        add(path === '' ? key : `${path}.${key}`, part);
    } else shown[path] = shownValue(path, redactor.text(textOf(value)));
  };
  add('', record);
  return shown;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ');
  return String(value);
}

function shownValue(path: string, text: string): string {
  const isPrompt = path === 'prompt' || path === 'run.prompt';
  if (!isPrompt && text.length <= LONGEST_SHOWN) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `${text.length} ${text.length === 1 ? 'character' : 'characters'}, ${digest}`;
}

/** Differences between two definitions; null means none. */
export function changedFields(
  before: ShownFields | null,
  after: ShownFields | null,
): ChangedField[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].sort().flatMap((field) => {
    const from = before?.[field] ?? null;
    const to = after?.[field] ?? null;
    return from === to ? [] : [{ field, from, to }];
  });
}

/** The part of a definition that determines when it fires. */
export function standingOf(definition: Definition): Standing {
  const { enabled, type, when, record, catchUp } = definition;
  const on = 'trigger' in record && record.trigger.type === 'event' ? record.trigger.on : null;
  return {
    enabled,
    type,
    cron: when?.kind === 'cron' ? when.cron : null,
    timezone: when?.kind === 'cron' ? when.timezone : null,
    interval: when?.kind === 'interval' ? when.interval : null,
    on,
    catchUp,
    delayMs: startDelayOf(definition),
  };
}

import { type Checked, type Issue, invalid, isRecord, success } from '@svc/core';
import { TRIGGER_TYPES } from '@svc/records';
import type { WrittenTrigger } from './edit/put-trigger.ts';
import type { FieldSchema } from './field-row.ts';
import { type Row, SECTIONS, type Section } from './fields.ts';
import { readNameList } from './name-list.ts';
import { own, type Plain, put } from './plain.ts';
import { PLACES } from './trigger-arguments.ts';

type Draft = Record<Section, Record<string, unknown>>;

const OTHERS: ReadonlySet<string> = new Set(['name', 'project']);
const PAIRS = [
  ['cron', 'interval'],
  ['prompt', 'prompt_file'],
] as const;

/**
 * Applies the arguments of `set_trigger` to an entry as it is written (null for a new one), sound or not.
 *
 * An argument that is absent or null leaves its field as it is; an empty text clears it. `prompt` and `prompt_file`
 * clear each other, so do `cron` and `interval`; both of a pair in one call are refused. A changed `type` drops the
 * fields of the old type; an entry without a type takes it from `cron`, `interval` or `event`. `tools` may be a list, a
 * JSON array in a text, or a text with commas or line breaks. Numbers and booleans may be given as text.
 *
 * The outcome holds known fields only and is not validated: pass it to `validateTrigger`, then put it.
 */
export function patchTrigger(
  stored: unknown,
  args: Readonly<Record<string, unknown>>,
): Checked<WrittenTrigger> {
  const issues: Issue[] = [...unknownArguments(args), ...doubledPairs(args)];
  const draft = draftOf(stored);
  const storedType = draft.trigger['type'];
  applyType(draft, args);
  for (const [argument, place] of PLACES) {
    const value = own(args, argument);
    if (argument === 'type' || place.section === null || value === undefined) continue;
    applyValue(draft[place.section], place, value, issues);
  }
  clearCounterparts(draft, args);
  if (storedType === undefined && own(args, 'type') === undefined) inferType(draft);
  return issues.length > 0 ? invalid(...issues) : success(writtenOf(stored, draft, args));
}

/**
 * Renames the paths of issues from fields of a record to arguments of `set_trigger`, e.g. `run.promptFile` to
 * `prompt_file`.
 */
export function asArguments(issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => {
    const missing = SECTION_MISSING.get(issue.path);
    if (missing !== undefined && issue.message.startsWith('is required')) {
      return { ...issue, ...missing };
    }
    for (const [argument, { section, name }] of PLACES) {
      const path = section === null ? name : `${section}.${name}`;
      if (issue.path !== path && !issue.path.startsWith(`${path}[`)) continue;
      const { message } = issue;
      return { ...issue, path: argument + issue.path.slice(path.length), message: spoken(message) };
    }
    return issue;
  });
}

// A record lacks a whole section if a call has none of its arguments.
const SECTION_MISSING: ReadonlyMap<string, Pick<Issue, 'path' | 'message'>> = new Map([
  ['trigger', { path: 'type', message: 'is missing. Set cron, interval or event.' }],
  ['run', { path: 'prompt', message: 'or prompt_file is required.' }],
]);

// Replaces field names in messages by argument names.
function spoken(message: string): string {
  return message.replace(/\bpromptFile\b/g, 'prompt_file');
}

function unknownArguments(args: Plain): Issue[] {
  return Object.keys(args)
    .filter((key) => !PLACES.has(key) && !OTHERS.has(key))
    .map((key) => ({
      path: key,
      message: 'is not an argument of set_trigger; leave it out.',
    }));
}

function doubledPairs(args: Plain): Issue[] {
  return PAIRS.filter(([a, b]) => isSet(args, a) && isSet(args, b)).map(([a, b]) => ({
    path: b,
    message: `and ${a} are both given; give exactly one of them.`,
  }));
}

/** Whether an argument gives a value, rather than leaving or clearing its field. */
function isSet(args: Plain, argument: string): boolean {
  const value = own(args, argument);
  return value !== undefined && !isEmptyText(value);
}

function isEmptyText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function draftOf(stored: unknown): Draft {
  const entry = isRecord(stored) ? stored : {};
  const known = (section: Section): Record<string, unknown> => {
    const value = own(entry, section);
    const fields: Record<string, unknown> = {};
    if (!isRecord(value)) return fields;
    for (const field of SECTIONS[section]) {
      const given = own(value, field);
      if (given !== undefined) put(fields, field, given);
    }
    return fields;
  };
  return { trigger: known('trigger'), run: known('run'), policy: known('policy') };
}

function applyType(draft: Draft, args: Plain): void {
  const type = own(args, 'type');
  if (type === undefined || type === draft.trigger['type']) return;
  draft.trigger = isEmptyText(type) ? {} : { type };
}

function applyValue(
  fields: Record<string, unknown>,
  { name, field }: Row,
  value: unknown,
  issues: Issue[],
): void {
  const isList = field.schema.type === 'array';
  // An empty list of tools means none, and is written.
  if (isEmptyText(value) && !(isList && field.default !== undefined)) {
    delete fields[name];
  } else if (isList) {
    const list = readNameList(value, name === 'network' ? name : 'tools');
    if (list.ok) put(fields, name, list.value);
    else issues.push(...list.issues);
  } else {
    put(fields, name, spelt(value, field.schema));
  }
}

/** Converts a value that was given as text to the type of its field. */
function spelt(value: unknown, { type }: FieldSchema): unknown {
  if (type === 'integer') return asNumber(value);
  return type === 'boolean' ? asBoolean(value) : value;
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
}

function asBoolean(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

function clearCounterparts(draft: Draft, args: Plain): void {
  for (const [a, b] of PAIRS) {
    if (isSet(args, a)) clear(draft, b);
    else if (isSet(args, b)) clear(draft, a);
  }
  // A time zone belongs to the cron expression, which the interval replaces.
  if (isSet(args, 'interval') && !isSet(args, 'timezone')) clear(draft, 'timezone');
}

function clear(draft: Draft, argument: string): void {
  const place = PLACES.get(argument);
  if (place?.section) delete draft[place.section][place.name];
}

function inferType(draft: Draft): void {
  const { cron, interval, on } = draft.trigger as {
    cron?: unknown;
    interval?: unknown;
    on?: unknown;
  };
  const clock = cron !== undefined || interval !== undefined;
  if (clock === (on !== undefined)) return;
  const type = TRIGGER_TYPES[clock ? 0 : 1];
  draft.trigger = { type, ...draft.trigger };
}

function writtenOf(stored: unknown, draft: Draft, args: Plain): WrittenTrigger {
  const enabled =
    asBoolean(own(args, 'enabled')) ?? (isRecord(stored) ? own(stored, 'enabled') : false);
  const hasRun = Object.keys(draft.run).length > 0;
  return {
    ...(Object.keys(draft.trigger).length > 0 ? { trigger: draft.trigger } : {}),
    ...(hasRun ? { run: draft.run } : {}),
    ...(enabled === undefined ? {} : { enabled }),
    ...(Object.keys(draft.policy).length > 0 ? { policy: draft.policy } : {}),
  };
}

import { EVENTS, TRIGGER_TYPES, type TriggerType } from '@svc/records';
import { parseCron, parseInterval } from '@svc/recurrence';
import { typesOf } from '../condition-form.ts';
import { SECTIONS } from '../fields.ts';
import { oneOf } from '../plain.ts';
import type { TriggerCondition } from '../trigger-record.schema.ts';
import { checkSectionKeys, type UnknownKeys } from './keys.ts';
import { readFields } from './read-fields.ts';
import { fault, given, readChoice, type Scope } from './scope.ts';

/** Reads the condition of a trigger; null if it is invalid. */
export function readCondition(
  scope: Scope,
  minIntervalMs: number,
  unknownKeys: UnknownKeys,
): TriggerCondition | null {
  checkSectionKeys(scope, 'trigger', unknownKeys);
  const type = readType(scope);
  if (type !== undefined) checkFieldsOf(scope, type);
  const condition = readFields(scope, 'trigger', {
    type: () => type,
    cron: () => readCron(scope),
    interval: () => readInterval(scope, minIntervalMs),
    timezone: () => readTimezone(scope),
  });
  if (type === 'schedule') requireOneClock(scope);
  if (type === 'event' && given(scope, 'on') === undefined) {
    fault(scope, 'on', `is required for an event trigger: ${oneOf(EVENTS)}`);
  }
  if (type === undefined) return null;
  return condition as TriggerCondition;
}

function readType(scope: Scope): TriggerType | undefined {
  if (given(scope, 'type') === undefined) {
    return fault(scope, 'type', `is required: ${oneOf(TRIGGER_TYPES)}`);
  }
  return readChoice(scope, 'type', TRIGGER_TYPES);
}

function checkFieldsOf(scope: Scope, type: TriggerType): void {
  for (const field of SECTIONS.trigger) {
    if (given(scope, field) === undefined) continue;
    const types = typesOf(field);
    if (types.length === 0 || types.includes(type)) continue;
    fault(scope, field, `is not valid for type ${type}, only for ${types[0]}; remove it`);
  }
}

/** Checks the fields that determine the times of a schedule. Also used for legacy schedules. */
export function readClock(
  scope: Scope,
  minIntervalMs: number,
): { cron: string | undefined; interval: string | undefined } {
  return { cron: readCron(scope), interval: readInterval(scope, minIntervalMs) };
}

function readCron(scope: Scope): string | undefined {
  const value = given(scope, 'cron');
  if (value === undefined) return undefined;
  const parsed = parseCron(value as string);
  if (parsed.ok) return value as string;
  for (const issue of parsed.issues) fault(scope, 'cron', issue.message);
  return undefined;
}

function readInterval(scope: Scope, minIntervalMs: number): string | undefined {
  const value = given(scope, 'interval');
  if (value === undefined) return undefined;
  const parsed = parseInterval(value as string, { anchor: 0 });
  if (!parsed.ok) {
    for (const issue of parsed.issues) fault(scope, 'interval', issue.message);
    return undefined;
  }
  const { periodMs } = parsed.value;
  if (periodMs < minIntervalMs) {
    return fault(scope, 'interval', `must be at least ${seconds(minIntervalMs)}`);
  }
  return value as string;
}

function seconds(ms: number): string {
  return `${ms / 1000}s`;
}

function readTimezone(scope: Scope): string | undefined {
  const value = given(scope, 'timezone');
  if (value === undefined) return undefined;
  if (given(scope, 'interval') !== undefined && given(scope, 'cron') === undefined) {
    fault(scope, 'timezone', 'applies only to cron, not to interval; remove it');
  }
  const parsed = parseCron('@daily', { timezone: value as string });
  if (parsed.ok) return value as string;
  for (const issue of parsed.issues) fault(scope, 'timezone', issue.message);
  return undefined;
}

function requireOneClock(scope: Scope): void {
  const cron = given(scope, 'cron') !== undefined;
  const interval = given(scope, 'interval') !== undefined;
  if (cron && interval) {
    fault(scope, 'interval', 'and cron are both set; a schedule needs exactly one of them');
  } else if (!cron && !interval) {
    fault(scope, 'cron', 'or interval is required: a schedule needs exactly one of them');
  }
}

import { isRecord } from '@svc/core';
import { SCHEDULE_FIELDS } from '../fields.ts';
import type { LegacySchedule } from '../legacy-schedule.schema.ts';
import { defined, oneOf, shown } from '../plain.ts';
import type { Report } from '../report.ts';
import { readClock } from './condition.ts';
import { checkCostLimit, warnOfCost } from './cost.ts';
import { checkKeys } from './keys.ts';
import { readPrompt } from './prompt.ts';
import { fault, given, readBoolean, readChoice, type Scope } from './scope.ts';
import { judge, type TriggerRules, type Validated } from './trigger.ts';

const TYPES = ['cron', 'interval'] as const;

/**
 * Checks an entry of the legacy `schedules` map and fills in its defaults: `resume_session: false`, `enabled: true`.
 *
 * Any value may be given and nothing is thrown. Of the options, `minIntervalMs`, `unknownKeys` and those on cost apply.
 */
export function validateSchedule(
  value: unknown,
  options: TriggerRules = {},
): Validated<LegacySchedule> {
  return judge((report) => checkSchedule(value, options, report));
}

/** Like `validateSchedule`, with a given report; null if the value cannot be read. */
export function checkSchedule(
  value: unknown,
  options: TriggerRules,
  report: Report,
): LegacySchedule | null {
  if (!isRecord(value)) {
    const is = value === null || value === undefined ? 'empty' : shown(value);
    report.fault(
      [],
      `is ${is}; it must be a map with the fields type, cron or interval, and prompt`,
    );
    return null;
  }
  const scope: Scope = { record: value, path: [], report };
  checkKeys(scope, SCHEDULE_FIELDS, options.unknownKeys ?? 'warn');
  const type = readType(scope);
  const clock = readClock(scope, options.minIntervalMs ?? 1000);
  warnOfCost(clock.interval, ['interval'], {}, options, report);
  checkCostLimit({}, options, report);
  const prompt = readPrompt(scope, true);
  const resume = readBoolean(scope, 'resume_session') ?? false;
  const enabled = readBoolean(scope, 'enabled') ?? true;
  if (type === undefined) return null;
  return defined({ type, ...clock, ...prompt, resume_session: resume, enabled }) as LegacySchedule;
}

function readType(scope: Scope): 'cron' | 'interval' | undefined {
  if (given(scope, 'type') === undefined)
    return fault(scope, 'type', `is required: ${oneOf(TYPES)}`);
  const type = readChoice(scope, 'type', TYPES);
  if (type === undefined) return undefined;
  const other = type === 'cron' ? 'interval' : 'cron';
  if (given(scope, type) === undefined) fault(scope, type, `is required for type '${type}'`);
  if (given(scope, other) !== undefined) {
    fault(scope, other, `is not valid for type ${type}; remove it`);
  }
  return type;
}

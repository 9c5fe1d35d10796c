import { MAX_DURATION_MS } from '@svc/core';
import { RecurrenceError } from './errors.ts';
import { instantOf } from './interval.ts';

/** Refuses a value that no parser of this package can have made; cheap enough for every call. */
export function assertRecurrence(value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    const fields = value as Readonly<Record<string, unknown>>;
    if (fields['kind'] === 'cron' && isCron(fields)) return;
    if (fields['kind'] === 'interval' && isInterval(fields)) return;
  }
  throw new RecurrenceError(
    'not_a_recurrence',
    'The recurrence must come from parseCron or parseInterval.',
    { facts: { value } },
  );
}

function isCron(fields: Readonly<Record<string, unknown>>): boolean {
  const low = fields['minutesLow'];
  const high = fields['minutesHigh'];
  return (
    isMask(low, 30) &&
    isMask(high, 30) &&
    (low !== 0 || high !== 0) &&
    isFilledMask(fields['hours'], 24) &&
    isFilledMask(fields['days'], 31) &&
    isFilledMask(fields['months'], 12) &&
    isFilledMask(fields['weekdays'], 7) &&
    typeof fields['eitherDay'] === 'boolean' &&
    typeof fields['wildcard'] === 'boolean' &&
    typeof fields['text'] === 'string' &&
    (fields['timezone'] === null || typeof fields['timezone'] === 'string')
  );
}

function isMask(value: unknown, bits: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** bits;
}

function isFilledMask(value: unknown, bits: number): boolean {
  return value !== 0 && isMask(value, bits);
}

function isInterval(fields: Readonly<Record<string, unknown>>): boolean {
  const period = fields['periodMs'];
  return (
    typeof period === 'number' &&
    period >= 1000 &&
    period % 1000 === 0 &&
    period <= MAX_DURATION_MS &&
    typeof fields['anchorMs'] === 'number' &&
    instantOf(fields['anchorMs']) === fields['anchorMs']
  );
}

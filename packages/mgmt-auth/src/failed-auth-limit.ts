import {
  type Checked,
  type FailedAuthLimit,
  type Issue,
  invalid,
  isRecord,
  ownValue,
  parseDuration,
  success,
} from '@svc/core';

/** Parses `{ attempts, window }`, with a window such as `15m`. */
export function parseFailedAuthLimit(raw: unknown): Checked<FailedAuthLimit> {
  if (!isRecord(raw)) return invalid({ path: '', message: 'must be { attempts, window }' });
  const attempts = ownValue(raw, 'attempts');
  const window = parseDuration(ownValue(raw, 'window'), 'window');
  const issues: Issue[] = window.ok ? [] : [...window.issues];
  if (!isCount(attempts)) issues.unshift(NO_COUNT);
  return window.ok && isCount(attempts)
    ? success({ attempts, windowMs: window.value })
    : invalid(...issues);
}

const NO_COUNT: Issue = { path: 'attempts', message: 'must be a whole number of 1 or more' };

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

import { isRecord } from '@svc/core';
import { oneOf, own, type Plain, shown } from '../plain.ts';
import type { Path, Report } from '../report.ts';

/** A map whose fields are being checked. */
export interface Scope {
  readonly record: Plain;
  readonly path: Path;
  readonly report: Report;
}

/** The field of a scope, or undefined where it is absent or null. */
export function given(scope: Scope, key: string): unknown {
  return own(scope.record, key);
}

/** Reports a fault of one field of the scope. */
export function fault(scope: Scope, key: string, message: string): undefined {
  scope.report.fault([...scope.path, key], message);
  return undefined;
}

/** A map inside the scope; undefined if it is absent, an empty one if it is not a map. */
export function readMap(scope: Scope, key: string): Scope | undefined {
  const value = given(scope, key);
  if (value === undefined) return undefined;
  const path = [...scope.path, key];
  if (isRecord(value)) return { record: value, path, report: scope.report };
  scope.report.fault(path, `must be a map of fields, not ${shown(value)}`);
  return undefined;
}

/** A field that must be one of a few words. */
export function readChoice<const T extends string>(
  scope: Scope,
  key: string,
  choices: readonly T[],
): T | undefined {
  const value = given(scope, key);
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value);
  return choice ?? fault(scope, key, `must be ${oneOf(choices)}, not ${shown(value)}`);
}

/** A field that must be a whole number within bounds. */
export function readWhole(
  scope: Scope,
  key: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const value = given(scope, key);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) {
    return value;
  }
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return fault(scope, key, `must be a whole number ${range}, not ${shown(value)}`);
}

/** A field that must be a number above one bound and up to another. */
export function readNumber(
  scope: Scope,
  key: string,
  above = Number.NEGATIVE_INFINITY,
  most = Number.POSITIVE_INFINITY,
): number | undefined {
  const value = given(scope, key);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > above && value <= most) return value;
  return fault(scope, key, `must be a number above ${above}, up to ${most}, not ${shown(value)}`);
}

/** A field that must be `true` or `false`. */
export function readBoolean(scope: Scope, key: string): boolean | undefined {
  const value = given(scope, key);
  if (value === undefined || typeof value === 'boolean') return value;
  return fault(scope, key, `must be true or false, not ${shown(value)}`);
}

/** A field that must be text that is not blank. */
export function readText(scope: Scope, key: string, longest: number): string | undefined {
  const value = given(scope, key);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return fault(scope, key, `must be text, not ${shown(value)}`);
  if (value.trim() === '') {
    return fault(scope, key, 'must not be empty; use a value or leave it out');
  }
  if (value.length > longest) {
    return fault(scope, key, `must have at most ${longest} characters, not ${value.length}`);
  }
  return value;
}

import { listed, parseDuration, sentencesOf } from '@svc/core';
import type { TriggerKey } from '@svc/records';
import { didYouMean } from '@svc/trigger-schema';
import type { CommandLine } from '../context.ts';
import { parseInstantText } from '../instant-text.ts';
import { UsageError } from '../terminal.ts';
import { wholeNumber } from '../whole-number.ts';

/** The conditions of `--fail-on`. */
export const FAILURES = ['overlap', 'skipped', 'limit', 'pile-up', 'never'] as const;
export type Failure = (typeof FAILURES)[number];

/** Options of `svc simulate`. Times are milliseconds since the epoch. */
export interface SimulateOptions {
  readonly from: number;
  readonly until: number;
  readonly days: number;
  readonly withDisabled: boolean;
  readonly failOn: readonly Failure[];
  /** Assumed durations of turns in milliseconds. */
  readonly durations: Assumed;
  /** Assumed costs of turns in millionths of a US dollar; null: not simulated. */
  readonly costs: Assumed | null;
}

/** A value for triggers by name or `PROJECT/NAME`, and a default for all others. */
export interface Assumed {
  readonly option: string;
  readonly other: number;
  readonly named: ReadonlyMap<string, number>;
}

const DEFAULT_DURATION_MS = 60_000;

/**
 * Parses the options of `svc simulate`.
 *
 * @throws UsageError
 */
export function simulateOptions(
  { options, repeated }: Pick<CommandLine, 'options' | 'repeated'>,
  now: number,
): SimulateOptions {
  const days = wholeNumber(options, 'days', { most: 366, absent: 30 });
  const from = fromOf(options['from'], now);
  const costs = assumed('--cost', repeated['cost'] ?? [], 0, readCost);
  return {
    days,
    from,
    until: new Date(from).setDate(new Date(from).getDate() + days),
    withDisabled: options['all'] === true,
    failOn: failuresOf(options['fail-on']),
    durations: assumed('--duration', repeated['duration'] ?? [], DEFAULT_DURATION_MS, readDuration),
    costs: repeated['cost'] === undefined ? null : costs,
  };
}

/** The assumed value for a trigger. */
export function assumedOf({ named, other }: Assumed, { project, name }: TriggerKey): number {
  return named.get(`${project}/${name}`) ?? named.get(name) ?? other;
}

/**
 * Checks that all names in an option exist.
 *
 * @throws UsageError
 */
export function checkNames({ option, named }: Assumed, keys: readonly TriggerKey[]): void {
  const known = new Set(keys.flatMap(({ project, name }) => [name, `${project}/${name}`]));
  for (const name of named.keys()) {
    if (known.has(name)) continue;
    throw new UsageError(
      `${option} names ${name}, which is not a simulated trigger.${didYouMean(name, [...known])}`,
    );
  }
}

function fromOf(given: string | boolean | undefined, now: number): number {
  if (typeof given !== 'string') return now;
  const isDay = /^(today|yesterday|\d{4}-\d{2}-\d{2})$/i.test(given.trim());
  const from = parseInstantText(isDay ? `${given} 00:00` : given, now);
  if (from !== null) return from;
  throw new UsageError('--from must be a day such as 2026-03-01, or an instant in ISO 8601.');
}

function failuresOf(given: string | boolean | undefined): Failure[] {
  if (typeof given !== 'string') return [];
  return given.split(',').map((part) => {
    const found = FAILURES.find((one) => one === part.trim());
    if (found !== undefined) return found;
    throw new UsageError(
      `--fail-on has the unknown value "${part.trim()}". Use a comma-separated list of ${listed(FAILURES)}.`,
    );
  });
}

function assumed(
  option: string,
  given: readonly string[],
  fallback: number,
  read: (text: string, option: string) => number,
): Assumed {
  const named = new Map<string, number>();
  let other = fallback;
  for (const text of given) {
    // Names can contain `=`, values cannot.
    const at = text.lastIndexOf('=');
    const value = read(text.slice(at + 1), option);
    if (at === -1) other = value;
    else named.set(text.slice(0, at), value);
  }
  return { option, other, named };
}

function readDuration(text: string, option: string): number {
  const parsed = parseDuration(text, option);
  if (parsed.ok) return parsed.value;
  throw new UsageError(sentencesOf(parsed.issues, option));
}

function readCost(text: string, option: string): number {
  const cost = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) : null;
  if (cost !== null) return Math.round(cost * 1e6);
  throw new UsageError(`${option} must be US dollars such as 0.12, or NAME=0.12.`);
}

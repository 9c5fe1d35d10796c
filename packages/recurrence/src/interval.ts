import { kindOf, parseDuration } from '@svc/core';
import { type Parsed, type RecurrenceIssue, readOption } from './result.ts';
import { MAX_DATE_MS } from './time.ts';

/** Slots at `anchorMs + k * periodMs` for every whole k, also before the anchor. Plain frozen data. */
export interface IntervalRecurrence {
  readonly kind: 'interval';
  /** The interval as written. */
  readonly text: string;
  /** Whole seconds, in milliseconds. */
  readonly periodMs: number;
  /** Milliseconds since the epoch. */
  readonly anchorMs: number;
}

export interface ParseIntervalOptions {
  /** The instant from which slots are counted: a valid `Date` or milliseconds since the epoch. Required. */
  readonly anchor: Date | number;
}

/**
 * Reads an interval in the dialect of `parseDuration` (`@svc/core`) and places its slots on a grid through `anchor`.
 *
 * Never throws; faults have the path `interval` or `anchor`.
 */
export function parseInterval(
  text: string,
  options: ParseIntervalOptions,
): Parsed<IntervalRecurrence>;
export function parseInterval(text: unknown, options: unknown): Parsed<IntervalRecurrence>;
export function parseInterval(text: unknown, options: unknown): Parsed<IntervalRecurrence> {
  const option = readOption(options, 'anchor');
  const anchor = 'value' in option ? option.value : null;
  const anchorMs = instantOf(anchor);
  const faults: RecurrenceIssue[] =
    anchorMs === null ? [{ path: 'anchor', message: anchorMessage(anchor) }] : [];
  const period = parseDuration(text, 'interval');
  if (!period.ok) return { ok: false, issues: [...period.issues, ...faults] };
  if (anchorMs === null) return { ok: false, issues: faults };
  return {
    ok: true,
    value: Object.freeze({
      kind: 'interval',
      text: String(text),
      periodMs: period.value,
      anchorMs,
    }),
  };
}

function anchorMessage(anchor: unknown): string {
  const is =
    anchor instanceof Date || typeof anchor === 'number' ? 'not an instant' : kindOf(anchor);
  return `is ${is}; use a valid Date or milliseconds since the epoch`;
}

/** Whole milliseconds since the epoch of a `Date` or number, or null when it is not an instant that `Date` can hold. */
export function instantOf(value: unknown): number | null {
  const instant = typeof value === 'number' ? value : timeOf(value);
  if (!(Math.abs(instant) <= MAX_DATE_MS)) return null;
  return Math.floor(instant);
}

/** The time of a `Date`, also one of another realm; NaN for anything else. */
function timeOf(value: unknown): number {
  try {
    return Date.prototype.getTime.call(value);
  } catch {
    // Only a Date has a time; for any other value this call throws.
    return Number.NaN;
  }
}

/** The next slot after `after`, or null beyond the range of `Date`. */
export function nextIntervalFire(recurrence: IntervalRecurrence, after: number): number | null {
  const { anchorMs, periodMs } = recurrence;
  const next = anchorMs + (Math.floor((after - anchorMs) / periodMs) + 1) * periodMs;
  return next > MAX_DATE_MS ? null : next;
}

/** The newest slot at or before `until`, which may lie before the range of `Date`. */
export function lastIntervalSlot(recurrence: IntervalRecurrence, until: number): number {
  const { anchorMs, periodMs } = recurrence;
  return anchorMs + Math.floor((until - anchorMs) / periodMs) * periodMs;
}

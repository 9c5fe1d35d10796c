import { isoTime } from '@svc/core';
import type { SlotsAhead, TakeBack, TriggerKey } from '@svc/records';
import { countFires, type Recurrence } from '@svc/recurrence';

/**
 * Slots that stay decided although they are later than the cursor of their trigger, because the clock was set back
 * since. They do not occur again.
 */
export interface Ahead {
  /** In order. */
  readonly decided: readonly Pick<SlotsAhead, 'from' | 'until'>[];
  /** The last slot that had been decided, run or not. */
  readonly until: number;
}

/** What is decided for a trigger later than its cursor or the clock, and the cursor. */
export interface Decided {
  readonly slots: readonly SlotsAhead[];
  readonly cursor: number;
}

/** What stays decided after the rest was withdrawn; null if nothing is left. */
export function aheadOf({ slots, cursor }: Decided, now: number): Ahead | null {
  const from = Math.min(cursor, now);
  const until = slots.reduce((last, each) => Math.max(last, each.until), from);
  return until > from
    ? { decided: slots.flatMap((each) => staying(each, now) ?? []), until }
    : null;
}

// Slots that did not run stay decided if their time has passed, such as those of a run that waited too long.
function staying(slots: SlotsAhead, now: number): Ahead['decided'][number] | null {
  if (slots.ran || slots.until <= now) return slots;
  return slots.from > now ? null : { from: slots.from, until: now };
}

/** The first slots that stay decided, later than `after` and not later than `until`; null without any. */
export function decidedWithin(
  ahead: Ahead | null,
  after: number,
  until: number,
): Ahead['decided'][number] | null {
  return ahead?.decided.find((slots) => slots.until > after && slots.from <= until) ?? null;
}

/** What to withdraw after the clock was set back to `now`; null for nothing. */
export function takeBackOf(
  key: TriggerKey,
  recurrence: Recurrence,
  decided: Decided,
  now: number,
): TakeBack | null {
  const cuts = decided.slots
    .filter(({ ran, until }) => !ran && until > now)
    .map((slots) => ({ slots, kept: keptOf(recurrence, slots, now) }));
  if (cuts.length === 0 && decided.cursor <= now) return null;
  const { until: decidedUntil } = aheadOf(decided, now) ?? { until: decided.cursor };
  const taken = cuts.reduce((sum, { slots, kept }) => sum + slots.count - (kept?.count ?? 0), 0);
  const ran = decided.slots.some((each) => each.ran);
  const says = [
    `The clock was set back to ${isoTime(now)}, and slots up to ${isoTime(decidedUntil)} had been decided.`,
    ...(taken > 0 ? [`Those that did not run are withdrawn and occur again: ${taken}.`] : []),
    ...(ran ? ['Those that ran do not run again.'] : []),
  ].join(' ');
  // A trigger that was armed later than the current time and has decided nothing since has nothing to report.
  return { key, now, cuts, decidedUntil, reason: decided.slots.length === 0 ? null : says };
}

/** Opens what retention removed later than `now`, for a grid that shares no instant with the one before. */
export function openingOf(key: TriggerKey, slots: readonly SlotsAhead[], now: number): TakeBack[] {
  const cuts = slots
    .filter(({ runId, until }) => runId === null && until > now)
    .map((pruned) => ({
      slots: pruned,
      kept: pruned.from > now ? null : { until: now, count: pruned.count },
    }));
  return cuts.length === 0 ? [] : [{ key, now, cuts, decidedUntil: now, reason: null }];
}

const MOST_COUNTED = 100_000;

/** What is left of a row: its slots up to `now`, of which there may be none. */
function keptOf(recurrence: Recurrence, slots: SlotsAhead, now: number) {
  if (slots.from > now) return null;
  const { from, until, count } = slots;
  const all = countFires(recurrence, from - 1, until, MOST_COUNTED);
  const past = countFires(recurrence, from - 1, now, MOST_COUNTED);
  if (all.done && all.count === count && past.last !== null) {
    return { until: past.last, count: past.count };
  }
  // The slots were recorded under another schedule and cannot be counted any more, so their number is estimated.
  const share = Math.round((count * (now - from)) / (until - from));
  return { until: now, count: Math.min(Math.max(share, 1), count) };
}

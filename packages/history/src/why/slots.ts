import { recurrenceOf, type When } from '@svc/engine';
import type { Change, Standing } from '@svc/records';
import { countFires, nextFireMs, type Recurrence } from '@svc/recurrence';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** When a definition fires; null if it does not fire by time, and for an interval that is not armed. */
export function gridOf(standing: Standing, armed: Change | null): Recurrence | null {
  const when = whenOf(standing);
  if (when === null) return null;
  if (when.kind === 'cron') return recurrenceOf(when, 0);
  return armed?.anchor == null ? null : recurrenceOf(when, Date.parse(armed.anchor));
}

function whenOf({ cron, timezone, interval }: Standing): When | null {
  if (cron !== null) return { kind: 'cron', cron, timezone };
  return interval === null ? null : { kind: 'interval', interval };
}

/** The first slot in a period, both ends included. */
export function slotIn(
  grid: Recurrence | null,
  { from, until }: { readonly from: number; readonly until: number },
): number | null {
  const slot = grid === null ? null : nextFireMs(grid, from - 1);
  return slot !== null && slot <= until ? slot : null;
}

/** The first slot after an instant. */
export function slotAfter(grid: Recurrence, at: number): number | null {
  return nextFireMs(grid, at);
}

// The search goes back in growing steps, so that the slots of frequent schedules need not be enumerated.
const LOOKING_BACK = [HOUR_MS, DAY_MS, 8 * DAY_MS, 63 * DAY_MS, 400 * DAY_MS, 9 * 366 * DAY_MS];

/** The last slot before an instant. */
export function slotBefore(grid: Recurrence, at: number): number | null {
  for (const back of LOOKING_BACK) {
    const { last } = countFires(grid, at - back, at - 1);
    if (last !== null) return last;
  }
  return null;
}

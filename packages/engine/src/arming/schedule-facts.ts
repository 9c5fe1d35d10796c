import type { Clock } from '@svc/core';
import { describe, firesPerDay, parseInterval, type Recurrence } from '@svc/recurrence';
import { cronOf, type When } from '../definition.ts';

/** A schedule in words and numbers. */
export interface ScheduleFacts {
  readonly description: string;
  /** Time zone of the cron expression; null for an interval. */
  readonly timezone: string | null;
  /** Average. */
  readonly firesPerDay: number;
}

/** Facts about a schedule; null without a schedule, or if it cannot be read. */
export type ScheduleFactsOf = (when: When | null) => ScheduleFacts | null;

const MOST_KNOWN = 5000;

/** Creates a function with a cache, because counting fires examines years. */
export function createScheduleFacts(
  clock: Pick<Clock, 'now'>,
  zoneNow: () => string,
): ScheduleFactsOf {
  const known = new Map<string, ScheduleFacts | null>();
  let period = '';
  return (when) => {
    if (when === null) return null;
    const zone = zoneNow();
    const now = new Date(clock.now());
    const current = `${now.getUTCFullYear()}/${now.getUTCMonth()}/${zone}`;
    if (current !== period || known.size >= MOST_KNOWN) known.clear();
    period = current;
    const key = when.kind === 'cron' ? `${when.cron}\n${when.timezone ?? ''}` : when.interval;
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const facts = factsOf(when, now, zone);
    known.set(key, facts);
    return facts;
  };
}

function factsOf(when: When, now: Date, zone: string): ScheduleFacts | null {
  const recurrence = recurrenceOf(when, now);
  if (recurrence === null) return null;
  return {
    description: describe(recurrence, { withAnchor: false }),
    timezone: when.kind === 'cron' ? (when.timezone ?? zone) : null,
    firesPerDay: firesPerDay(recurrence, now),
  };
}

/** The recurrence of a schedule; an interval starts at `anchor`. */
export function recurrenceOf(when: When, anchor: Date | number): Recurrence | null {
  const parsed = when.kind === 'cron' ? cronOf(when) : parseInterval(when.interval, { anchor });
  return parsed.ok ? parsed.value : null;
}

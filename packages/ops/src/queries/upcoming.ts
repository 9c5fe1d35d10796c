import { type Clock, createTimeSlice } from '@svc/core';
import { type ArmedStates, type Definition, recurrenceOf, type ScheduleFactsOf } from '@svc/engine';
import { nextFireMs } from '@svc/recurrence';
import type { FromSchema } from '@svc/schema';
import { exactly, firesPerDay, listOf, text, time } from '../common.schema.ts';

const MOST_FIRES = 1000;
const MOST_PER_DAY = 48;
const HOUR_MS = 3_600_000;

export const upcomingSchema = {
  $id: 'UpcomingFires',
  ...exactly({
    fires: { ...listOf(exactly({ trigger: text, at: time })), maxItems: MOST_FIRES },
    frequent: {
      ...listOf(exactly({ trigger: text, firesPerDay })),
      description: `Armed triggers that fire more than ${MOST_PER_DAY} times a day; their fires are not listed.`,
    },
  }),
} as const;

/** Upcoming fires, earliest first. */
type Plan = FromSchema<typeof upcomingSchema>;

/** A period from `now` to `until` (milliseconds; default: unlimited), and a maximum `count`. */
interface Span {
  readonly now: number;
  /** If a limit prevents earlier starts: the end of the limit. Default: `now`. */
  readonly from?: number;
  readonly until?: number;
  readonly count: number;
}

/** The next fires of an armed trigger, in milliseconds; empty if it is not armed. */
export function upcomingOf(
  armed: ArmedStates,
  { key, when }: Definition,
  { now, from = now, until = Number.POSITIVE_INFINITY, count }: Span,
): number[] {
  const next =
    from > now ? nextFrom(armed, { key, when }, from) : (armed.state(key)?.nextFire ?? null);
  // Any fire of an interval is a valid origin of its grid.
  const recurrence = next === null || when === null ? null : recurrenceOf(when, next);
  if (next === null || recurrence === null) return [];
  const fires: number[] = [];
  let at: number | null = Math.max(next, now);
  while (at !== null && at <= until && fires.length < count) {
    fires.push(at);
    at = nextFireMs(recurrence, at);
  }
  return fires;
}

/** The first fire of an armed trigger at or after an instant, both in milliseconds; null if there is none. */
export function nextFrom(
  armed: ArmedStates,
  { key, when }: Pick<Definition, 'key' | 'when'>,
  from: number,
): number | null {
  const next = armed.state(key)?.nextFire ?? null;
  if (next === null || next >= from) return next;
  const recurrence = when === null ? null : recurrenceOf(when, next);
  return recurrence === null ? null : nextFireMs(recurrence, from - 1);
}

interface Planned {
  readonly definition: Definition;
  /** The daily limit that prevents it from starting, and until when (milliseconds); null if none. */
  readonly limit: { readonly until: number } | null;
}

/**
 * All fires of the coming hours, except for triggers that fire more than 48 times a day, which would crowd out the
 * others.
 */
export async function plannedFires(
  deps: { readonly clock: Clock; readonly armed: ArmedStates; readonly factsOf: ScheduleFactsOf },
  triggers: readonly Planned[],
  hours: number,
): Promise<Plan> {
  const { clock, armed, factsOf } = deps;
  const now = clock.now();
  const until = now + hours * HOUR_MS;
  const fires: { trigger: string; at: number }[] = [];
  const frequent: Plan['frequent'][number][] = [];
  const timeSlice = createTimeSlice(clock);
  for (const { definition, limit } of triggers) {
    const from = limit?.until ?? now;
    const trigger = definition.key.name;
    const firesPerDay = factsOf(definition.when)?.firesPerDay ?? 0;
    if (firesPerDay > MOST_PER_DAY) {
      const isArmed = upcomingOf(armed, definition, { now, from, count: 1 }).length > 0;
      if (isArmed) frequent.push({ trigger, firesPerDay });
    } else {
      const coming = upcomingOf(armed, definition, { now, from, until, count: MOST_FIRES });
      fires.push(...coming.map((at) => ({ trigger, at })));
    }
    await timeSlice.yieldToEventLoop();
  }
  return { fires: earliest(fires), frequent };
}

function earliest(fires: { readonly trigger: string; readonly at: number }[]): Plan['fires'] {
  return fires
    .sort((a, b) => a.at - b.at)
    .slice(0, MOST_FIRES)
    .map(({ trigger, at }) => ({ trigger, at: new Date(at).toISOString() }));
}

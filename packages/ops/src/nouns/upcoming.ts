import type { Clock } from '@svc/core';
import { nextFireMs, parseInterval, type Recurrence } from '@svc/recurrence';
import type { OpsDeps } from '../deps.ts';
import type { PlannedFire } from '../results.ts';
import { cronOf, type Definition } from './definition.ts';

type Scheduler = ReturnType<OpsDeps['createScheduler']>;

const MOST_FIRES = 1000;
const HOUR_MS = 3_600_000;

/** The next `count` fires of an armed trigger, in milliseconds; empty for one that is not armed. */
export function upcomingOf(
  scheduler: Scheduler,
  definition: Definition,
  now: number,
  count: number,
): number[] {
  const next = scheduler.state(definition.key)?.nextFire ?? null;
  const recurrence = next === null ? null : recurrenceOf(definition, next);
  if (next === null || recurrence === null) return [];
  const fires: number[] = [];
  for (let at: number | null = Math.max(next, now); at !== null && fires.length < count; ) {
    fires.push(at);
    at = nextFireMs(recurrence, at);
  }
  return fires;
}

// Any fire of an interval is as good an origin of its grid as the first.
function recurrenceOf(definition: Definition, fire: number): Recurrence | null {
  const { when } = definition;
  if (when === null) return null;
  const parsed =
    when.kind === 'cron' ? cronOf(when) : parseInterval(when.interval, { anchor: fire });
  return parsed.ok ? parsed.value : null;
}

/** Every fire of the coming hours, earliest first, at most 1000. */
export async function plannedFires(
  deps: { readonly clock: Clock },
  scheduler: Scheduler,
  definitions: readonly Definition[],
  now: number,
  hours: number,
): Promise<PlannedFire[]> {
  const until = now + hours * HOUR_MS;
  const fires: { trigger: string; at: number }[] = [];
  for (const definition of definitions) {
    const trigger = definition.key.name;
    for (const at of upcomingOf(scheduler, definition, now, MOST_FIRES)) {
      if (at > until) break;
      fires.push({ trigger, at });
    }
    await deps.clock.yield();
  }
  return fires
    .sort((a, b) => a.at - b.at)
    .slice(0, MOST_FIRES)
    .map(({ trigger, at }) => ({ trigger, at: new Date(at).toISOString() }));
}

import { isoTime } from '@svc/core';
import type { SimulatedTrigger } from '@svc/simulation';
import type { FoundFailure } from './failures.ts';
import type { Simulated } from './simulated.ts';

/** The result of a simulation as JSON. */
export function simulationAsJson(simulated: Simulated, failures: readonly FoundFailure[]): object {
  const { options, simulation, clockDays, leftOut } = simulated;
  const { from, until, days, costs } = options;
  const { triggers, mostRunning, pileUps } = simulation;
  return {
    ...{ from: isoTime(from), until: isoTime(until), days },
    fires: triggers.reduce((sum, { fires }) => sum + fires, 0),
    costUsd: costs === null ? null : totalCost(triggers),
    mostRunning,
    triggers: triggers.map((trigger) => triggerAsJson(trigger, days, costs !== null)),
    clockChanges: clockDays.map(({ key, change: { at, atTime: _, ...rest } }) => ({
      ...{ project: key.project, name: key.name, source: key.source },
      ...rest,
      at: at === null ? null : isoTime(at),
    })),
    pileUps: {
      count: pileUps.count,
      lastedMs: pileUps.lastedMs,
      worst: pileUps.worst.map(({ from: begun, until: over, most, mostAt, triggers: waited }) => ({
        ...{ from: isoTime(begun), until: isoTime(over), most, mostAt: isoTime(mostAt) },
        triggers: [...waited].map((id) =>
          id
            .split('/')
            .filter((_, n) => n !== 1)
            .join('/'),
        ),
      })),
    },
    leftOut,
    failed: failures,
  };
}

/** Total cost of all runs in US dollars. */
export function totalCost(triggers: readonly SimulatedTrigger[]): number {
  return triggers.reduce((sum, { costMicrousd }) => sum + costMicrousd, 0) / 1e6;
}

/** The day with the most fires, and their number. */
export function mostOf({ days }: SimulatedTrigger): {
  readonly day: string;
  readonly count: number;
} {
  let most = { day: '', count: 0 };
  for (const [day, count] of days) if (count > most.count) most = { day, count };
  return most;
}

function triggerAsJson(trigger: SimulatedTrigger, days: number, hasCost: boolean): object {
  const { key, definition, fires, started, overlaps, held, crowded } = trigger;
  const { skippedOverlap, skippedLimit, longestWaitMs, durationMs, costMicrousd, fault } = trigger;
  const { when } = definition;
  const most = mostOf(trigger);
  return {
    ...{ project: key.project, name: key.name, source: key.source },
    schedule: when?.kind === 'cron' ? when.cron : (when?.interval ?? null),
    timezone: when?.kind === 'cron' ? when.timezone : null,
    ...{ durationMs, fires, started },
    firesPerDay: fires / days,
    mostPerDay: most.count,
    mostOn: most.count === 0 ? null : most.day,
    ...{ overlaps, waitedForRun: held, skippedOverlap, skippedLimit, waitedForPlace: crowded },
    longestWaitMs,
    costUsd: hasCost ? costMicrousd / 1e6 : null,
    fault,
    days: Object.fromEntries(trigger.days),
  };
}

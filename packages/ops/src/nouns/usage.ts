import { daysUpTo, localDay } from '@svc/core';
import { NOTHING_USED, type TriggerUsage, type Used, usedTogether } from '@svc/store';
import type { OpsDeps, WorkSettings } from '../deps.ts';
import type { RunUsage, TriggerUse, UsageSum } from '../overviews.ts';
import type { UsageWork } from '../work.ts';
import { createDailyCost } from './daily-cost.ts';
import { createZoneMemory } from './host-zone.ts';

export function createUsageWork(
  { clock, store }: Pick<OpsDeps, 'clock' | 'store'>,
  settings: Pick<WorkSettings, 'costPerDayUsd'>,
): UsageWork {
  const cost = createDailyCost({ clock, store }, settings);
  const zoneNow = createZoneMemory(clock);
  return {
    async of(project, count) {
      const wanted = daysUpTo(localDay(clock.now()), count);
      const since = wanted[0] ?? '';
      const [known, names] = await Promise.all([
        store.usage.byDay(project, since),
        store.usage.byName(project, since),
      ]);
      const triggers = names.flatMap(({ source, name, ...used }) =>
        source === 'chat' ? [] : [{ source, name, ...sumOf(used) }],
      );
      return {
        timezone: zoneNow(),
        days: wanted.map((day) => ({ day, ...sumOf(known.get(day) ?? NOTHING_USED) })),
        total: sumOf([...known.values()].reduce(usedTogether, NOTHING_USED)),
        triggers,
      };
    },
    costPerDay: () => cost.today(),
    async today(projects) {
      return sumOf(await store.usage.on(projects, localDay(clock.now())));
    },
  };
}

/** The days for which the usage of triggers is reported. */
export function daysNow(at: number): { readonly today: string; readonly since: string } {
  const today = localDay(at);
  return { today, since: `${today.slice(0, 7)}-01` };
}

/** The usage of a trigger in lists. */
export function triggerUse(usage: TriggerUsage | undefined): TriggerUse {
  return {
    today: runUsage(usage?.today ?? NOTHING_USED),
    month: runUsage(usage?.month ?? NOTHING_USED),
  };
}

function runUsage(used: Used): RunUsage {
  const { chatTurns: _none, ...rest } = sumOf(used);
  return rest;
}

function sumOf({ runs, chatTurns, tokensIn, tokensOut, costMicrousd }: Used): UsageSum {
  const cost = costMicrousd === null ? null : costMicrousd / 1_000_000;
  return { runs, chatTurns, tokensIn, tokensOut, cost };
}

import { localDay } from '@svc/core';
import type { FromSchema } from '@svc/schema';
import { NOTHING_USED, type TriggerUsage, type Used } from '@svc/store';
import { count, exactly } from '../common.schema.ts';

const knownCount = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'null if no turn reported any.',
} as const;

const cost = {
  type: ['number', 'null'],
  minimum: 0,
  description: 'Estimated US dollars; null if no turn reported any.',
} as const;

const amounts = { tokensIn: knownCount, tokensOut: knownCount, cost };

export const used = {
  runs: { ...count, description: 'Number of turns fired by triggers.' },
  chatTurns: { ...count, description: 'Number of turns started by people, clients and agents.' },
  ...amounts,
} as const;

/** Total usage of turns. */
export const usageSumSchema = { $id: 'UsageSum', ...exactly(used) };
export type UsageSum = FromSchema<typeof usageSumSchema>;

const runUsageSchema = {
  $id: 'RunUsage',
  description: 'Usage of a trigger.',
  ...exactly({ runs: { ...count, description: 'Number of turns started.' }, ...amounts }),
} as const;

export type RunUsage = FromSchema<typeof runUsageSchema>;

export const triggerUsageSchema = {
  $id: 'TriggerUsage',
  ...exactly({ today: runUsageSchema, month: runUsageSchema }),
} as const;

/** Usage of a trigger today and this month, in the time zone of the host. */
export type TriggerUse = FromSchema<typeof triggerUsageSchema>;

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

/** Total usage in wire form. */
export function sumOf({ runs, chatTurns, tokensIn, tokensOut, costMicrousd }: Used): UsageSum {
  const cost = costMicrousd === null ? null : costMicrousd / 1_000_000;
  return { runs, chatTurns, tokensIn, tokensOut, cost };
}

import { localDay } from '@svc/core';
import { NOTHING_USED, type TriggerUsage, type Used } from '@svc/store';

/** Usage of a trigger; null if no turn reported any. */
export interface RunUsage {
  readonly runs: number;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  /** Estimated US dollars. */
  readonly cost: number | null;
}

/** Usage of a trigger today and this month, in the time zone of the host. */
export interface TriggerUse {
  readonly today: RunUsage;
  readonly month: RunUsage;
}

/** Total usage of turns: those fired by triggers, and those of chats. */
export interface UsageSum extends RunUsage {
  readonly chatTurns: number;
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

/** Total usage in wire form. */
export function sumOf({ runs, chatTurns, tokensIn, tokensOut, costMicrousd }: Used): UsageSum {
  const cost = costMicrousd === null ? null : costMicrousd / 1_000_000;
  return { runs, chatTurns, tokensIn, tokensOut, cost };
}

import type { Runtime, TurnUse } from '@svc/agent-runtime';
import { localDay } from '@svc/core';
import type { TurnId } from '@svc/records';
import type { OpsDeps, WorkSettings } from '../deps.ts';
import type { DailyCostState } from '../overviews.ts';

/** What turns may cost on a day, all of them together. */
export interface DailyCost {
  /**
   * Why a turn that may cost something does not begin any more today; null where it may begin.
   *
   * @param model The model that the turn asks for, null for none.
   */
  refusal(runtime: Charging | undefined, model: string | null): Promise<string | null>;
  /** What this day has cost and may cost; null without a limit. */
  today(): Promise<DailyCostState | null>;
  /** What is left of the day, in millionths of a US dollar; null without a limit. */
  left(): Promise<number | null>;
  /** Keeps what a running turn has used so far; why it is to be ended, null where it may go on. */
  keep(turn: TurnId, used: TurnUse): Promise<string | null>;
}

/** What says whether turns of a runtime cost anything. */
interface Charging extends Pick<Runtime, 'runsSteps'> {
  readonly holds: Pick<Runtime['holds'], 'cost'>;
}

/** Where the cost of turns is kept. */
interface CostDeps {
  readonly clock: Pick<OpsDeps['clock'], 'now'>;
  readonly store: {
    readonly usage: Pick<OpsDeps['store']['usage'], 'costOn'>;
    readonly turns: Pick<OpsDeps['store']['turns'], 'used'>;
  };
}

export function createDailyCost(
  { clock, store }: CostDeps,
  { costPerDayUsd: limitUsd = null }: Pick<WorkSettings, 'costPerDayUsd'>,
): DailyCost {
  const spent = () => store.usage.costOn(localDay(clock.now()));
  const limit = limitUsd === null ? Number.POSITIVE_INFINITY : Math.round(limitUsd * 1e6);
  const sentence = (cost: number): string =>
    `Turns have cost ${dollars(cost)} today, and limits.costPerDayUsd of this instance is ${limitUsd}; what costs goes on tomorrow.`;
  return {
    async refusal(runtime, model) {
      if (limitUsd === null || runtime === undefined || isFree(runtime, model)) return null;
      const cost = await spent();
      return cost >= limit ? sentence(cost) : null;
    },
    async today() {
      return limitUsd === null ? null : { spent: (await spent()) / 1e6, limit: limitUsd };
    },
    async left() {
      return limitUsd === null ? null : Math.max(0, limit - (await spent()));
    },
    async keep(turn, used) {
      await store.turns.used(turn, used);
      if (limitUsd === null) return null;
      const cost = await spent();
      return cost > limit ? `It was ended at the limit of the day. ${sentence(cost)}` : null;
    },
  };
}

function isFree({ holds, runsSteps }: Charging, model: string | null): boolean {
  return holds.cost === 'none' || runsSteps?.(model) === true;
}

// Rounded up, so that what has reached a limit is never told as less than it.
function dollars(microusd: number): string {
  return `${(Math.ceil(microusd / 10_000) / 100).toFixed(2)} US dollars`;
}

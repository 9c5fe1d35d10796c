import type { DeniedCall } from '@svc/records';
import type { ModelUsage } from './model.ts';
import type { TurnEnd, TurnUse } from './runtime.ts';

/** What a turn has used so far, its child turns included. */
export interface Tally {
  turns: number;
  toolCalls: number;
  toolErrors: number;
  readonly denied: DeniedCall[];
  model: string | null;
  tokensIn: number | null;
  tokensOut: number | null;
  costMicrousd: number | null;
}

/** Makes an empty tally. */
export function createTally(): Tally {
  return {
    turns: 0,
    toolCalls: 0,
    toolErrors: 0,
    denied: [],
    model: null,
    tokensIn: null,
    tokensOut: null,
    costMicrousd: null,
  };
}

/** Counts one model call. */
export function countStep(tally: Tally, usage: ModelUsage | undefined): void {
  tally.turns += 1;
  if (usage === undefined) return;
  tally.tokensIn = sum(tally.tokensIn, usage.tokensIn);
  tally.tokensOut = sum(tally.tokensOut, usage.tokensOut);
  tally.costMicrousd = sum(tally.costMicrousd, usage.costMicrousd);
}

// What nobody told stays unknown.
function sum(before: number | null, more: number | null): number | null {
  return more === null ? before : (before ?? 0) + more;
}

/** What a turn has used so far. */
export function useOf({ tokensIn, tokensOut, costMicrousd }: Tally): TurnUse {
  return { tokensIn, tokensOut, costMicrousd };
}

/** The end of a turn with everything that was counted. */
export function endOf(
  tally: Omit<TurnEnd, 'outcome' | 'reason'>,
  close: Pick<TurnEnd, 'outcome' | 'reason'>,
): TurnEnd {
  return { outcome: close.outcome, reason: close.reason, ...tally };
}

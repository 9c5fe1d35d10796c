import type { DeniedCall, RunNetwork, SandboxState } from '@svc/records';
import type { ModelUsage } from './model.ts';
import type { TurnEnd, TurnUse } from './runtime.ts';

/** The usage of a turn so far, including its child turns. */
export interface Tally {
  turns: number;
  toolCalls: number;
  toolErrors: number;
  readonly denied: DeniedCall[];
  model: string | null;
  tokensIn: number | null;
  tokensOut: number | null;
  costMicrousd: number | null;
  /** Whether processes of the turn ran in a sandbox; null if it started none. */
  sandbox: SandboxState | null;
  /** Its connections; null if they are not recorded. */
  network: RunNetwork | null;
}

/** Creates an empty tally. */
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
    sandbox: null,
    network: null,
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

// A sum with an unknown part is unknown.
function sum(before: number | null, more: number | null): number | null {
  return more === null ? before : (before ?? 0) + more;
}

/** The usage of a turn so far. */
export function useOf({ tokensIn, tokensOut, costMicrousd }: Tally): TurnUse {
  return { tokensIn, tokensOut, costMicrousd };
}

/** The end of a turn with its usage. */
export function endOf(
  tally: Omit<TurnEnd, 'outcome' | 'reason'>,
  close: Pick<TurnEnd, 'outcome' | 'reason'>,
): TurnEnd {
  return { outcome: close.outcome, reason: close.reason, ...tally };
}

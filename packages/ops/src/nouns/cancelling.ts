import { TurnStop } from '@svc/agent-runtime';
import { actorText, type TurnId } from '@svc/records';
import type { Caller } from '../caller.ts';
import type { OpsDeps } from '../deps.ts';
import { endingWith, endTurn } from './turn-end.ts';

/** The reason of what somebody has cancelled. */
export function cancelReason({ actor }: Caller): string {
  return `It was cancelled by ${actorText(actor)}.`;
}

/** Stops a turn that runs, and ends one that waits; its run, where it has one, ends with it. */
export async function cancelTurn(
  deps: OpsDeps,
  caller: Caller,
  turnId: TurnId,
  reason: string = cancelReason(caller),
): Promise<void> {
  const { store, queue, clock } = deps;
  // Noted first: a turn that is just between queue and start reads it there.
  await store.turns.requestCancel(turnId, caller.actor, clock.now());
  if ((await queue.cancel(turnId, new TurnStop('cancelled', reason))) !== 'removed') return;
  const turn = await store.turns.get(turnId);
  if (turn !== null) await endTurn(deps, turn, endingWith('cancelled', reason));
}

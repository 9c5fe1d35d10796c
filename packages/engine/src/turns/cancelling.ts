import { TurnStop } from '@svc/agent-runtime';
import { actorText, authorText, type TurnId } from '@svc/records';
import type { Caller } from '../caller.ts';
import type { EngineDeps } from '../deps.ts';
import { endingWith, endTurn } from './turn-end.ts';

/** The reason of a cancelled run. */
export function cancelReason({ actor }: Caller): string {
  return `Cancelled by ${authorText(actorText(actor))}.`;
}

/** Stops a running turn, or ends a queued one; its run, if any, ends with it. */
export async function cancelTurn(
  deps: EngineDeps,
  caller: Caller,
  turnId: TurnId,
  reason: string = cancelReason(caller),
): Promise<void> {
  const { store, queue, clock } = deps;
  // Stored first, so that a turn between queue and start finds it.
  await store.turns.requestCancel(turnId, caller.actor, clock.now());
  if ((await queue.cancel(turnId, new TurnStop('cancelled', reason))) !== 'removed') return;
  const turn = await store.turns.get(turnId);
  if (turn !== null) await endTurn(deps, turn, endingWith('cancelled', reason));
}

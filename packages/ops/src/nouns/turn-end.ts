import { type NewMessage, outcomeText } from '@svc/records';
import type { OpenTurn, TurnEnding } from '@svc/store';
import type { OpsDeps } from '../deps.ts';
import { insist } from './insist.ts';
import { reportEnd } from './run-report.ts';

/** An ending without anything done. */
export function endingWith(outcome: TurnEnding['outcome'], reason: string): TurnEnding {
  return {
    outcome,
    reason,
    turns: 0,
    toolCalls: 0,
    denied: [],
    model: null,
    tokensIn: null,
    tokensOut: null,
    costMicrousd: null,
  };
}

/**
 * Records the end of a turn, with `words` for its chat and a notice unless all went well. With a `signal` it waits for a full disk to
 * have room again, until the signal is given.
 */
export async function endTurn(
  deps: OpsDeps,
  turn: EndedTurn,
  ending: TurnEnding,
  signal?: AbortSignal,
  words: readonly NewMessage[] = [],
): Promise<void> {
  const text = `This turn ${outcomeText(ending.outcome)}: ${ending.reason ?? 'no reason was given.'}`;
  const notice: NewMessage = { role: 'system', kind: 'notice', text, tool: null };
  const notices = ending.outcome === 'succeeded' ? words : [...words, notice];
  const end = () => deps.store.turns.end(turn.id, ending, deps.clock.now(), notices);
  const ended = await insist(deps, end, signal);
  if (ended !== null) {
    const { tokensIn, tokensOut, costMicrousd } = ending;
    deps.observer?.used?.({ project: turn.project, tokensIn, tokensOut, costMicrousd });
  }
  if (ended !== null && turn.runId !== null) {
    await reportEnd(deps, turn.project, turn.runId, ended.endsPause);
  }
  announce(deps, turn);
}

type EndedTurn = Pick<OpenTurn, 'id' | 'sessionId' | 'runId' | 'project'>;

/** Tells that a turn, and the run it is of, has changed. */
export function announce(deps: OpsDeps, turn: EndedTurn): void {
  deps.changes.publish({ kind: 'chat', project: turn.project, id: turn.sessionId });
  if (turn.runId === null) deps.changes.publish({ kind: 'event', project: turn.project, id: null });
  else {
    deps.changes.publish({ kind: 'run', project: turn.project, id: turn.runId });
  }
}

import { messageOf } from '@svc/core';
import { connectionCounts, type NewMessage, outcomeText } from '@svc/records';
import type { OpenTurn, TurnEnding } from '@svc/store';
import type { EngineDeps } from '../deps.ts';
import { reportEnded } from '../firing/run-report.ts';
import { isUnavailable, retryWrite, type Until } from './retry-write.ts';

/** An ending without any usage. */
export function endingWith(outcome: TurnEnding['outcome'], reason: string): TurnEnding {
  return {
    outcome,
    reason,
    turns: 0,
    toolCalls: 0,
    toolErrors: 0,
    denied: [],
    sandbox: null,
    network: null,
    model: null,
    tokensIn: null,
    tokensOut: null,
    costMicrousd: null,
  };
}

/**
 * Stores the end of a turn, with `words` for its chat and, unless it succeeded, a notice. With `until` it waits for an
 * unavailable store until that is aborted; the next process then ends the turn as interrupted. A turn whose messages
 * the store refuses fails.
 */
export async function endTurn(
  deps: EngineDeps,
  turn: TurnAtEnd,
  ending: TurnEnding,
  until?: Until,
  words: readonly NewMessage[] = [],
): Promise<void> {
  const end = (as: TurnEnding, said: readonly NewMessage[]) => {
    const notices = as.outcome === 'succeeded' ? said : [...said, noticeOf(as)];
    return retryWrite(
      deps,
      () => deps.store.turns.end(turn.id, as, deps.clock.now(), notices),
      until,
    );
  };
  const ended = await end(ending, words).catch((error: unknown) => {
    if (words.length === 0 || isUnavailable(error)) throw error;
    const reason = `Its last message could not be stored: ${messageOf(error)}`;
    return end({ ...ending, outcome: 'failed', reason }, []);
  });
  if (ended !== null) {
    const { tokensIn, tokensOut, costMicrousd, toolErrors } = ending;
    const connections = connectionCounts(ending.network);
    const used = { tokensIn, tokensOut, costMicrousd, toolErrors, connections };
    deps.observer?.used?.({ project: turn.project, ...used });
  }
  if (ended !== null && ended.run !== null) {
    await reportEnded(deps, { run: ended.run, endsPause: ended.endsPause });
  }
  announce(deps, turn);
}

function noticeOf({ outcome, reason }: TurnEnding): NewMessage {
  const text =
    outcome === 'cancelled' && reason !== null
      ? reason
      : `This turn ${outcomeText(outcome)}: ${reason ?? 'no reason was given.'}`;
  return { role: 'system', kind: 'notice', text, tool: null };
}

type TurnAtEnd = Pick<OpenTurn, 'id' | 'sessionId' | 'runId' | 'project'>;

/** Publishes that a turn and its run have changed. */
export function announce(deps: EngineDeps, turn: TurnAtEnd): void {
  deps.changes.publish({ kind: 'chat', project: turn.project, id: turn.sessionId });
  if (turn.runId === null) deps.changes.publish({ kind: 'event', project: turn.project, id: null });
  else {
    deps.changes.publish({ kind: 'run', project: turn.project, id: turn.runId });
  }
}

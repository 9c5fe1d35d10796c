import { oneLine, type TurnEvent } from '@svc/agent-runtime';
import type { TurnEnding } from '@svc/store';

type TurnMessage = Extract<TurnEvent, { type: 'message' }>;

/** What an agent ends its answer with to say that it has failed; the reason follows. */
export const FAILURE_MARK = 'SVC-FAILED:';

/** Follows what an agent says in a turn, for a failure that it reports itself. */
export interface ReportedFailure {
  /** Takes what was said; words of child turns do not count. */
  add(said: TurnMessage): void;
  /** The end of the turn: a success is a failure where the last line of the answer reports one. */
  ending(ending: TurnEnding): TurnEnding;
}

const MOST_KEPT = 8 * 1024;
// Models put marks of Markdown around a line, or a fence below it.
const MARKS = /^[\s*_`>]+|[\s*_`]+$/g;
const NO_REASON = 'The agent reported a failure without a reason.';

/** Makes a follower of one turn. Runtimes give a long answer in pieces that end with a line. */
export function createReportedFailure(): ReportedFailure {
  let tail = '';
  return {
    add({ message: { role, kind, text }, within }) {
      const isAnswer = role === 'assistant' && kind === 'text' && within === undefined;
      if (isAnswer) tail = `${tail}\n${text}`.slice(-MOST_KEPT);
    },
    ending(ending) {
      const reason = ending.outcome === 'succeeded' ? reasonIn(tail) : null;
      return reason === null ? ending : { ...ending, outcome: 'failed', reason };
    },
  };
}

function reasonIn(answer: string): string | null {
  const lines = answer.split('\n').map((line) => line.replace(MARKS, ''));
  const last = lines.findLast((line) => line !== '') ?? '';
  if (!last.startsWith(FAILURE_MARK)) return null;
  return oneLine(last.slice(FAILURE_MARK.length)) || NO_REASON;
}

import { oneLine, type TurnEvent } from '@svc/agent-runtime';
import type { TurnEnding } from '@svc/store';

type TurnMessage = Extract<TurnEvent, { type: 'message' }>;

/** Prefix of the last line of an answer by which an agent reports failure; the reason follows. */
export const FAILURE_MARK = 'SVC-FAILED:';

/** Detects a failure that the agent of a turn reports. */
export interface ReportedFailure {
  /** Adds a message; messages of child turns are ignored. */
  add(said: TurnMessage): void;
  /** The end of the turn: a success becomes a failure if the last line of the answer reports one. */
  ending(ending: TurnEnding): TurnEnding;
}

const MOST_KEPT = 8 * 1024;
// Models put Markdown markup around a line, or a fence below it.
const MARKS = /^[\s*_`>]+|[\s*_`]+$/g;
const NO_REASON = 'The agent reported a failure without a reason.';

/** Creates the detector for one turn. Runtimes deliver a long answer in pieces that end at a line break. */
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

import { oneLine } from '@svc/agent-runtime';
import type { NewMessage } from '@svc/records';

/** What an agent ends its answer with to say that it has failed; the reason follows. */
export const FAILURE_MARK = 'SVC-FAILED:';

/** Follows what an agent says in a turn, for a failure that it reports itself. */
export interface ReportedFailure {
  /** Takes a message of the turn; what child turns say is not for here. */
  add(message: NewMessage): void;
  /** The reason that the last line of the answer gives; null where it gives none. */
  reason(): string | null;
}

const MOST_KEPT = 8 * 1024;
// Models put marks of Markdown around a line, or a fence below it.
const MARKS = /^[\s*_`>]+|[\s*_`]+$/g;
const NO_REASON = 'The agent reported a failure without a reason.';

/** Makes a follower of one turn. Runtimes give a long answer in pieces that end with a line. */
export function createReportedFailure(): ReportedFailure {
  let tail = '';
  return {
    add({ role, kind, text }) {
      if (role === 'assistant' && kind === 'text') tail = `${tail}\n${text}`.slice(-MOST_KEPT);
    },
    reason() {
      const lines = tail.split('\n').map((line) => line.replace(MARKS, ''));
      const last = lines.findLast((line) => line !== '') ?? '';
      if (!last.startsWith(FAILURE_MARK)) return null;
      return oneLine(last.slice(FAILURE_MARK.length)) || NO_REASON;
    },
  };
}

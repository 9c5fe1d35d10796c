import type { TurnSpec } from '@svc/agent-runtime';
import type { Redactor, TimerHandle } from '@svc/core';
import type { NewMessage } from '@svc/records';
import type { EngineDeps } from '../deps.ts';
import { retryWrite, type Until } from './retry-write.ts';

/** The messages of a turn on their way into its chat. */
export interface Transcript {
  add(message: NewMessage): void;
  /** Resolves when everything is written; throws if writing failed. */
  settled(): Promise<void>;
  /** The same, but returns messages that are not being written yet, to be written with the end of the turn. */
  rest(): Promise<readonly NewMessage[]>;
}

// An unnoticeable delay, after which the messages of a short turn are written at once instead of one by one.
const GATHER_MS = 20;

/**
 * Writes messages soon after they arrive; messages that arrive close together, or during a write, share one write.
 * While the store is unavailable they wait, until `until` is aborted. A permanent failure is thrown at the end of the
 * turn, so that it affects only that turn.
 */
export function createTranscript(
  deps: EngineDeps,
  { turnId, sessionId, project }: Pick<TurnSpec, 'turnId' | 'sessionId' | 'project'>,
  redactor: Redactor,
  until: Until,
): Transcript {
  let waiting: NewMessage[] = [];
  let writing: Promise<void> | null = null;
  let fault: unknown = null;
  let timer: TimerHandle | null = null;
  const write = async (): Promise<void> => {
    while (waiting.length > 0 && fault === null) {
      const batch = waiting;
      waiting = [];
      try {
        const at = deps.clock.now();
        await retryWrite(deps, () => deps.store.turns.append(turnId, sessionId, batch, at), until);
        deps.changes.publish({ kind: 'chat', project, id: sessionId });
      } catch (error) {
        fault = error;
      }
    }
    writing = null;
  };
  const stopWaiting = (): void => {
    if (timer !== null) deps.clock.clearTimeout(timer);
    timer = null;
  };
  const flush = (): void => {
    stopWaiting();
    if (waiting.length > 0) writing ??= write();
  };
  const written = async (): Promise<void> => {
    await writing;
    if (fault !== null) throw fault;
  };
  const pieces = createPieces(redactor, (message) => {
    waiting.push(message);
    // Written before the tool runs, so that its effects on this chat come after the call.
    if (message.kind === 'tool_use') flush();
    else if (writing === null) timer ??= deps.clock.setTimeout(flush, GATHER_MS);
  });
  return {
    add: pieces.add,
    settled() {
      pieces.release();
      flush();
      return written();
    },
    async rest() {
      pieces.release();
      stopWaiting();
      await written();
      const left = waiting;
      waiting = [];
      return left;
    },
  };
}

// If the end of a text may be the beginning of a secret, it waits for the next piece.
function createPieces(redactor: Redactor, hand: (message: NewMessage) => void) {
  let held: NewMessage[] = [];
  const release = (): void => {
    const all = held;
    held = [];
    all.forEach(hand);
  };
  return {
    release,
    add(message: NewMessage): void {
      const [before] = held;
      if (before !== undefined && !goesOn(before, message)) release();
      held.push(message);
      if (held.length > 1) {
        const texts = redactor.pieces(held.map(({ text }) => text));
        held = held.map((piece, i) => ({ ...piece, text: texts[i] ?? '' }));
      }
      const open = redactor.openEnd(held.map(({ text }) => text).join(''));
      let end = 0;
      const closed = held.filter(({ text }) => {
        end += text.length;
        return end <= open;
      });
      held = held.slice(closed.length);
      closed.forEach(hand);
    },
  };
}

function goesOn(before: NewMessage, message: NewMessage): boolean {
  return (
    message.kind === before.kind &&
    message.role === before.role &&
    message.kind !== 'tool_use' &&
    message.tool?.callId === before.tool?.callId
  );
}

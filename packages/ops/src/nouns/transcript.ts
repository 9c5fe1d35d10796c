import type { TurnSpec } from '@svc/agent-runtime';
import type { Redactor } from '@svc/core';
import type { NewMessage } from '@svc/records';
import type { OpsDeps } from '../deps.ts';
import { insist } from './insist.ts';

/** What a turn says, on its way into its chat. */
export interface Transcript {
  add(message: NewMessage): void;
  /** Resolves when everything is written; throws what kept it from being written. */
  settled(): Promise<void>;
}

/**
 * Writes messages as they come; those that come while others are being written go together into the next write. A write
 * that fails for good is told at the end of the turn, so that it ends that turn and nothing else.
 */
export function createTranscript(
  deps: OpsDeps,
  { turnId, sessionId, project }: Pick<TurnSpec, 'turnId' | 'sessionId' | 'project'>,
  redactor: Redactor,
): Transcript {
  let waiting: NewMessage[] = [];
  let writing: Promise<void> | null = null;
  let fault: unknown = null;
  const write = async (): Promise<void> => {
    while (waiting.length > 0 && fault === null) {
      const batch = waiting;
      waiting = [];
      try {
        const at = deps.clock.now();
        await insist(deps, () => deps.store.turns.append(turnId, sessionId, batch, at));
        deps.changes.publish({ kind: 'chat', project, id: sessionId });
      } catch (error) {
        fault = error;
      }
    }
    writing = null;
  };
  const pieces = createPieces(redactor, (message) => {
    waiting.push(message);
    writing ??= write();
  });
  return {
    add: pieces.add,
    async settled() {
      pieces.release();
      await writing;
      if (fault !== null) throw fault;
    },
  };
}

// A text whose end may be the beginning of a secret waits for what follows it: the next piece may hold the rest.
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

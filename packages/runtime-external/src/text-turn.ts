import {
  MAX_RESULT_BYTES,
  noticeMessage,
  oneLine,
  promptText,
  textMessage,
} from '@svc/agent-runtime';
import type { Clock } from '@svc/core';
import type { Exit } from './adapters/command.ts';
import { firstOf } from './adapters/first-of.ts';
import { type AnswerPieces, createAnswerPieces } from './answer-pieces.ts';
import { createChannel } from './channel.ts';
import {
  type Close,
  exitText,
  failed,
  type ProtocolTurn,
  stopClose,
  withComplaint,
} from './turn.ts';

// How long whole lines wait for more to go into the transcript with.
const FLUSH_MS = 5000;
const FOREVER_MS = 2 ** 31 - 1;

/** One turn of a command that reads a prompt and writes an answer. */
export const runText: ProtocolTurn = async function* (parts) {
  const { command, deps, signal, spec, options, tally } = parts;
  tally.turns = 1;
  tally.model = options.model;
  if (spec.model !== null && spec.model !== options.model) {
    const text = `The runtime ${options.id} decides on its model by itself: ${spec.model} was not asked for.`;
    yield { type: 'message', message: noticeMessage(text) };
  }
  const pieces = createAnswerPieces(MAX_RESULT_BYTES);
  const answer = createChannel<string>();
  const push = (ready: readonly string[]): void => {
    for (const piece of ready) answer.push(piece);
  };
  const stopFlushing = flushing(deps.clock, () => push(pieces.flush()));
  command.stdout.on('data', (chunk: Buffer) => push(pieces.add(chunk)));
  command.stdin.end([spec.instructions, promptText(spec.prompt)].filter(Boolean).join('\n\n'));
  const work = async (): Promise<Close> => {
    try {
      const how = await firstOf(deps.clock, FOREVER_MS, signal, command.exit);
      await command.end();
      push(pieces.end());
      if (how !== 'ended') return stopClose(signal);
      return closeOf(await command.exit, pieces, command.complaint());
    } finally {
      stopFlushing();
      answer.end();
    }
  };
  const closing = work();
  try {
    for await (const text of answer.values()) yield { type: 'message', message: textMessage(text) };
    return await closing;
  } finally {
    await command.end();
  }
};

function closeOf(exit: Exit, pieces: AnswerPieces, complaint: string): Close {
  if (exit.code !== 0)
    return failed(oneLine(withComplaint(exitText('The command', exit), complaint)));
  return pieces.said()
    ? { outcome: 'succeeded', reason: null }
    : failed(oneLine(withComplaint('The command ended well, but without an answer', complaint)));
}

function flushing(clock: Clock, flush: () => void): () => void {
  const again = (): object =>
    clock.setTimeout(() => {
      flush();
      timer = again();
    }, FLUSH_MS);
  let timer = again();
  return () => clock.clearTimeout(timer);
}

import {
  firstOf,
  MAX_RESULT_BYTES,
  noticeMessage,
  oneLine,
  promptText,
  textMessage,
} from '@svc/agent-runtime';
import type { Clock } from '@svc/core';
import type { Exit } from './adapters/command.ts';
import { type AnswerSplitter, createAnswerSplitter } from './answer-splitter.ts';
import { createChannel } from './channel.ts';
import {
  type Close,
  exitText,
  failed,
  type ProtocolTurn,
  stopClose,
  withErrorLine,
} from './turn.ts';

// Complete lines are buffered for this long, so that the transcript gets fewer messages.
const FLUSH_MS = 5000;
const FOREVER_MS = 2 ** 31 - 1;

/** Runs one turn of a command that reads the prompt from stdin and writes the answer to stdout. */
export const runText: ProtocolTurn = async function* (parts) {
  const { command, deps, signal, spec, options, tally } = parts;
  tally.turns = 1;
  tally.model = options.model;
  if (spec.model !== null && spec.model !== options.model) {
    const text = `The ${options.id} runtime chooses its own model, so ${spec.model} was not requested.`;
    yield { type: 'message', message: noticeMessage(text) };
  }
  const splitter = createAnswerSplitter(MAX_RESULT_BYTES);
  const answer = createChannel<string>();
  const push = (messages: readonly string[]): void => {
    for (const message of messages) answer.push(message);
  };
  const stopFlushing = flushRegularly(deps.clock, () => push(splitter.flush()));
  command.stdout.on('data', (chunk: Buffer) => push(splitter.add(chunk)));
  command.stdin.end([spec.instructions, promptText(spec.prompt)].filter(Boolean).join('\n\n'));
  const waitForEnd = async (): Promise<Close> => {
    try {
      const outcome = await firstOf(deps.clock, FOREVER_MS, signal, command.exit);
      await command.end();
      push(splitter.end());
      if (outcome !== 'settled') return stopClose(signal);
      return closeOf(await command.exit, splitter, command.lastErrorLine());
    } finally {
      stopFlushing();
      answer.end();
    }
  };
  const closing = waitForEnd();
  try {
    for await (const text of answer.values()) yield { type: 'message', message: textMessage(text) };
    return await closing;
  } finally {
    await command.end();
  }
};

function closeOf(exit: Exit, splitter: AnswerSplitter, errorLine: string): Close {
  if (exit.code !== 0)
    return failed(oneLine(withErrorLine(exitText('The command', exit), errorLine)));
  return splitter.hasText()
    ? { outcome: 'succeeded', reason: null }
    : failed(
        oneLine(withErrorLine('The command exited with code 0 but printed no answer', errorLine)),
      );
}

function flushRegularly(clock: Clock, flush: () => void): () => void {
  const schedule = (): object =>
    clock.setTimeout(() => {
      flush();
      timer = schedule();
    }, FLUSH_MS);
  let timer = schedule();
  return () => clock.clearTimeout(timer);
}

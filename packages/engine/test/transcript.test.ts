import { describe, expect, it } from '@jest/globals';
import { createRedactor, silentLogger } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import type { NewMessage } from '@svc/records';
import type { EngineDeps } from '../src/deps.ts';
import { createReportedFailure } from '../src/turns/reported-failure.ts';
import { createTranscript } from '../src/turns/transcript.ts';
import { endingWith } from '../src/turns/turn-end.ts';

const text = (words: string): NewMessage => ({
  role: 'assistant',
  kind: 'text',
  text: words,
  tool: null,
});
const call: NewMessage = {
  role: 'assistant',
  kind: 'tool_use',
  text: '',
  tool: { name: 'Write', callId: '1', input: {} },
};

function open() {
  const clock = createFakeClock(0);
  const writes: string[][] = [];
  const append = async (_turn: string, _chat: string, messages: readonly NewMessage[]) => {
    writes.push(messages.map((message) => message.text || message.kind));
  };
  const deps = {
    clock,
    logger: silentLogger,
    store: { turns: { append } },
    changes: { publish() {} },
  } as unknown as EngineDeps;
  const of = { turnId: 't', sessionId: 's', project: 'p' };
  return {
    clock,
    writes,
    transcript: createTranscript(
      deps,
      of,
      createRedactor(() => []),
      { aborted: false },
    ),
  };
}

describe('what a turn says', () => {
  it('is written together where it comes together, soon after', async () => {
    const { clock, writes, transcript } = open();
    transcript.add(text('a'));
    transcript.add(text('b'));
    await clock.advance(10);
    expect(writes).toEqual([]);
    await clock.advance(10);
    expect(writes).toEqual([['a', 'b']]);
    transcript.add(text('c'));
    await clock.advance(20);
    expect(writes).toEqual([['a', 'b'], ['c']]);
  });

  it('is on its way before a tool that it calls does anything', () => {
    const { writes, transcript } = open();
    transcript.add(text('a'));
    transcript.add(call);
    expect(writes).toEqual([['a', 'tool_use']]);
  });

  it('is handed over at the end as far as it is not written, once', async () => {
    const { clock, writes, transcript } = open();
    transcript.add(call);
    transcript.add(text('a'));
    expect(await transcript.rest()).toEqual([]);
    expect(writes.flat()).toEqual(['tool_use', 'a']);
    transcript.add(text('b'));
    expect(await transcript.rest()).toEqual([text('b')]);
    expect(await transcript.rest()).toEqual([]);
    await clock.advance(1000);
    expect(writes.flat()).toEqual(['tool_use', 'a']);
  });

  it('is written before the end where that is asked for', async () => {
    const { writes, transcript } = open();
    transcript.add(text('a'));
    await transcript.settled();
    expect(writes).toEqual([['a']]);
    expect(await transcript.rest()).toEqual([]);
  });
});

// proves: runtimes.reported-failure
describe('an answer reports a failure', () => {
  it.each<[readonly string[], string | null]>([
    [['I tried.\nSVC-FAILED: no access.'], 'no access.'],
    [['I tried.', '  **SVC-FAILED: no access**\n\n'], 'no access'],
    [['```\nSVC-FAILED:\n```'], 'The agent reported a failure without a reason.'],
    [[`SVC-FAILED: ${'x'.repeat(400)}`], `${'x'.repeat(299)}…`],
    [['SVC-FAILED: at first.', 'Now it works.'], null],
    [['I never say SVC-FAILED: so.'], null],
    [['Done.'], null],
    [[], null],
  ])('%j: %s', (said, reason) => {
    const reported = createReportedFailure();
    for (const words of said) reported.add({ type: 'message', message: text(words) });
    const words = 'SVC-FAILED: of another';
    reported.add({ type: 'message', message: text(words), within: 'c' });
    const result = { role: 'tool', kind: 'tool_result', text: words, tool: null } as const;
    reported.add({ type: 'message', message: result });
    const ended = endingWith('succeeded', 'Well.');
    const failed = { ...ended, outcome: 'failed', reason };
    expect(reported.ending(ended)).toEqual(reason === null ? ended : failed);
    const denied = endingWith('denied', 'Not allowed.');
    expect(reported.ending(denied)).toBe(denied);
  });
});

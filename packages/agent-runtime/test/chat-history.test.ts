import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Message } from '@svc/records';
import { type Asked, calls, chunk, piece, says, stream, withEndpoint } from './endpoint-fixture.ts';
import { chatModel, inFolder, makeRuntime, makeSpec, runTurn, type SpecParts } from './support.ts';

type Given = Pick<Message, 'role' | 'kind' | 'text'> & { readonly tool?: Message['tool'] };

function history(...given: readonly Given[]): () => Promise<readonly Message[]> {
  const messages = given.map((one, i) => ({
    tool: null,
    ...one,
    seq: i + 1,
    turnId: 't',
    by: null,
    timestamp: '2026-01-01T00:00:00.000Z',
  }));
  return async () => messages;
}

const user = (text: string): Given => ({ role: 'user', kind: 'text', text });
const said = (text: string): Given => ({ role: 'assistant', kind: 'text', text });
const notice = (text: string): Given => ({ role: 'system', kind: 'notice', text });
const use = (callId: string, name: string, input: unknown = {}): Given => ({
  role: 'assistant',
  kind: 'tool_use',
  text: '',
  tool: { callId, name, input },
});
const result = (callId: string, name: string, text: string, isError = false): Given => ({
  role: 'tool',
  kind: 'tool_result',
  text,
  tool: { callId, name, isError },
});

/** The messages to a model for a turn with this history. */
async function sent(
  parts: SpecParts & { readonly contextTokens?: number },
  answers = [says('Done.')],
): Promise<{ asked: readonly Asked[]; ran: Awaited<ReturnType<typeof runTurn>> }> {
  const { contextTokens = 128_000, ...rest } = parts;
  const out: { asked: readonly Asked[]; ran: Awaited<ReturnType<typeof runTurn>> }[] = [];
  await withEndpoint(answers, (baseUrl, asked) =>
    inFolder(async (folder) => {
      const runtime = makeRuntime({ model: chatModel(baseUrl, { contextTokens }) });
      const capability = { tools: ['Bash', 'Read'] };
      const ran = await runTurn(runtime, makeSpec(folder, { prompt: 'Now.', capability, ...rest }));
      out.push({ asked, ran });
    }),
  );
  const [first] = out;
  if (first === undefined) throw new Error('nothing was sent');
  return first;
}

const wordsOf = (asked: Asked | undefined) =>
  asked?.body.messages
    .slice(1)
    .map(({ role, content, tool_calls: made }) =>
      made === undefined
        ? `${role}: ${content}`
        : `${role}: ${content} ${made.map((call) => `${call.id} ${call.function.name}${call.function.arguments}`)}`,
    );

/** Servers reject messages that violate one of these rules. */
function expectValid(asked: readonly Asked[]): void {
  for (const { body } of asked) {
    const open: string[] = [];
    for (const [i, message] of body.messages.entries()) {
      if (message.role === 'tool') {
        expect(open.shift()).toBe(message.tool_call_id);
        continue;
      }
      expect(open).toEqual([]);
      if (i > 1 && message.role === 'user') expect(body.messages[i - 1]?.role).not.toBe('user');
      open.push(...(message.tool_calls ?? []).map(({ id }) => id));
    }
    expect(open).toEqual([]);
  }
}

// proves: native.model.history
describe('a continued chat', () => {
  it('is sent with its texts, calls and results', async () => {
    const { asked } = await sent({
      history: history(
        notice('It may read.'),
        user('First.'),
        said('Looking.'),
        said('Still.'),
        use('u1', 'Read', { file_path: 'a' }),
        result('u1', 'Read', 'inside'),
        use('u2', 'Bash', { command: 'exit 1' }),
        result('u2', 'Bash', 'exit code 1', true),
        said('So it is.'),
        notice('Something of the service.'),
      ),
    });
    expect(wordsOf(asked[0])).toEqual([
      'user: First.',
      'assistant: Looking.\n\nStill. call00001 Read{"file_path":"a"}',
      'tool: inside',
      'assistant: null call00002 Bash{"command":"exit 1"}',
      'tool: Error: exit code 1',
      'assistant: So it is.',
      'user: Now.',
    ]);
    expectValid(asked);
  });

  it('gets an error as the result of a call that was cut off', async () => {
    const { asked } = await sent({
      history: history(user('First.'), use('u1', 'Bash', { command: 'sleep 9' })),
    });
    expect(wordsOf(asked[0])).toEqual([
      'user: First.',
      'assistant: null call00001 Bash{"command":"sleep 9"}',
      'tool: Error: The call ended before it returned a result.',
      'user: Now.',
    ]);
    expectValid(asked);
  });

  it('leaves out messages of child turns, ended or not', async () => {
    const child = [notice('Child turn.'), said('I am the child.'), use('c1', 'Read')];
    const { asked } = await sent({
      history: history(
        user('First.'),
        use('u1', 'Task', { prompt: 'Look.' }),
        ...child,
        result('c1', 'Read', 'inside'),
        result('u1', 'Task', 'It says inside.'),
        said('Thanks.'),
        user('Second.'),
        use('u2', 'Task', { prompt: 'Look.' }),
        ...child,
        user('Third.'),
      ),
    });
    expect(wordsOf(asked[0])).toEqual([
      'user: First.',
      'assistant: null call00001 Task{"prompt":"Look."}',
      'tool: It says inside.',
      'assistant: Thanks.',
      'user: Second.',
      'assistant: null call00002 Task{"prompt":"Look."}',
      'tool: Error: The call ended before it returned a result.',
      'user: Third.\n\nNow.',
    ]);
    expectValid(asked);
  });

  it('starts with a user message, and drops inputs that are not objects', async () => {
    const { asked } = await sent({
      history: history(
        said('Of an older life.'),
        result('u0', 'Read', 'left over'),
        user('First.'),
        use('u1', 'Read', '{"file_path'),
        result('u1', 'Read', 'Not JSON.', true),
      ),
    });
    expect(wordsOf(asked[0])?.slice(0, 3)).toEqual([
      'user: First.',
      'assistant: null call00001 Read{}',
      'tool: Error: Not JSON.',
    ]);
  });
});

// proves: native.model.context
describe('a chat that exceeds the context window', () => {
  const turn = (n: number, size: number): Given[] => [
    user(`Prompt ${n}.`),
    use(`u${n}`, 'Read', { file_path: 'a' }),
    result(`u${n}`, 'Read', `${n}`.repeat(size)),
    said(`Answer ${n}.`),
  ];
  const past = (count: number, size: number) =>
    history(...Array.from({ length: count }, (_, i) => turn(i + 1, size)).flat());

  it('loses its oldest results first, with a notice', async () => {
    // 8 results of about 500 tokens; 3,000 tokens are left beside the answer.
    const { asked, ran } = await sent({ history: past(8, 2000), contextTokens: 4000 });
    const words = wordsOf(asked[0]) ?? [];
    const marks = words.filter((one) =>
      one.includes('[Left out to make room: a tool result of 2000 characters.]'),
    );
    expect(marks.length).toBeGreaterThan(2);
    expect(marks.length).toBeLessThan(8);
    expect(words[2]).toMatch(/^tool: \[Left out/);
    expect(words.at(-3)).toBe(`tool: ${'8'.repeat(2000)}`);
    expect(words).toContain('user: Prompt 1.');
    expect(ran.messages[0]).toMatchObject({
      role: 'system',
      kind: 'notice',
      text: `To fit the model's context window of 4000 tokens, this was left out: ${marks.length} older tool results.`,
    });
    expectValid(asked);
  });

  it('loses its oldest turns next', async () => {
    const { asked, ran } = await sent({ history: past(60, 300), contextTokens: 1600 });
    const words = wordsOf(asked[0]) ?? [];
    expect(words).not.toContain('user: Prompt 1.');
    expect(words).toContain('user: Prompt 60.');
    expect(words[0]).toMatch(/^user: Prompt /);
    expect(ran.messages[0]?.text).toMatch(/: 60 older tool results, \d+ older turns\.$/);
    expectValid(asked);
  });

  it('is unchanged while there is room', async () => {
    const { asked, ran } = await sent({ history: past(8, 2000) });
    expect(wordsOf(asked[0])).toHaveLength(33);
    expect(ran.messages.map(({ kind }) => kind)).toEqual(['text']);
  });

  it('fails without a model call if the prompt alone is too long', async () => {
    const { asked, ran } = await sent({ prompt: 'x'.repeat(20_000), contextTokens: 4000 });
    expect(asked).toEqual([]);
    expect(ran.end).toMatchObject({
      outcome: 'failed',
      reason: "The prompt does not fit the model's context window of 4000 tokens.",
    });
  });
});

describe('a long turn', () => {
  const print = (letter: string, bytes: number) =>
    calls(['Bash', { command: `head -c ${bytes} /dev/zero | tr '\\0' ${letter}` }]);

  it('loses its oldest results as it continues, and keeps the newest', async () => {
    const letters = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { asked, ran } = await sent({ contextTokens: 4000 }, [
      ...letters.map((letter) => print(letter, 3000)),
      says('Done.'),
    ]);
    expect(ran.end).toMatchObject({ outcome: 'succeeded', turns: 7 });
    expect(ran.messages.some(({ kind }) => kind === 'notice')).toBe(true);
    const last = wordsOf(asked[6]) ?? [];
    expect(last[0]).toBe('user: Now.');
    expect(last.at(-1)).toBe(`tool: ${'f'.repeat(3000)}`);
    expect(last.some((one) => one.startsWith('tool: [Left out'))).toBe(true);
    expectValid(asked);
    // The stored transcript is complete.
    expect(ran.results.map((text) => text.length)).toEqual(letters.map(() => 3000));
  });

  it('truncates a single result that is too large', async () => {
    const { asked, ran } = await sent({ contextTokens: 4000 }, [
      print('é', 1),
      print('x', 40_000),
      says('Done.'),
    ]);
    expect(ran.end.outcome).toBe('succeeded');
    const cut = wordsOf(asked[2])?.at(-1) ?? '';
    expect(cut).toMatch(/^tool: x+\n\[Cut: the first \d+ of 40000 characters are shown\.\]$/);
    expect(cut.length).toBeGreaterThan(2000);
    expect(cut.length).toBeLessThan(12_000);
    expect(ran.messages.filter(({ kind }) => kind === 'notice').map(({ text }) => text)).toEqual([
      expect.stringContaining('the end of 1 new tool result.'),
    ]);
    expectValid(asked);
  });

  it('assumes fewer bytes per token if the server counted more tokens', async () => {
    const counting = (promptTokens: number) =>
      stream([
        chunk({ tool_calls: [piece(0, 'Bash', '{"command":"printf %4000d 1"}')] }, 'tool_calls'),
        { choices: [], usage: { prompt_tokens: promptTokens, completion_tokens: 1 } },
      ]);
    const room = await sent({ contextTokens: 4000 }, [counting(300), says('Done.')]);
    expect(room.ran.messages.some(({ kind }) => kind === 'notice')).toBe(false);
    const none = await sent({ contextTokens: 4000 }, [counting(1200), says('Done.')]);
    expect(none.ran.messages.some(({ kind }) => kind === 'notice')).toBe(true);
  });

  it('leaves out the input of a call that is too large, once the call is made', async () => {
    const input = { file_path: 'b.txt', content: 'y'.repeat(30_000) };
    await withEndpoint([calls(['Write', input]), says('Done.')], (baseUrl, asked) =>
      inFolder(async (folder) => {
        const runtime = makeRuntime({ model: chatModel(baseUrl, { contextTokens: 4000 }) });
        const { end, messages } = await runTurn(runtime, makeSpec(folder, { prompt: 'Go.' }));
        expect(end.outcome).toBe('succeeded');
        expect(await readFile(join(folder, 'b.txt'), 'utf8')).toHaveLength(30_000);
        expect(messages[0]?.tool?.input).toEqual(input);
        expect(wordsOf(asked[1])?.[1]).toMatch(
          /Write\{"left_out":"30\d+ characters, to make room"\}$/,
        );
        expectValid(asked);
      }),
    );
  });
});

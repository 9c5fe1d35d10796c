import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  createModelChoice,
  createPlaybook,
  type EventData,
  proxyOf,
  TurnStop,
} from '@svc/agent-runtime';
import { createFakeClock } from '@svc/core/testing';
import {
  type Answering,
  calls,
  chunk,
  DONE,
  piece,
  plain,
  says,
  stream,
  withEndpoint,
  withProxy,
} from './endpoint-fixture.ts';
import {
  bash,
  chatModel,
  clock,
  inFolder,
  makeRuntime,
  makeSpec,
  runTurn,
  type SpecParts,
  until,
} from './support.ts';

type Answers = Parameters<typeof withEndpoint>[0];
type Options = Parameters<typeof chatModel>[1];

/** Runs one turn in a new folder, against a server that gives these answers. */
async function ask(
  answers: Answers,
  look: (
    ran: Awaited<ReturnType<typeof runTurn>> & {
      asked: Parameters<Parameters<typeof withEndpoint>[1]>[1];
      folder: string;
    },
  ) => void | Promise<void>,
  { options = {}, ...parts }: SpecParts & { options?: Options } = {},
): Promise<void> {
  await withEndpoint(answers, (baseUrl, asked) =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'a.txt'), 'inside\n');
      const runtime = makeRuntime({ model: chatModel(baseUrl, options) });
      const ran = await runTurn(runtime, makeSpec(folder, { prompt: 'Do it.', ...parts }));
      await look({ ...ran, asked, folder });
    }),
  );
}

// Delays before retries end immediately.
const steppedClock = () => ({
  ...clock,
  setTimeout: (work: () => void, ms: number) => clock.setTimeout(work, ms < 30_000 ? 0 : ms),
});

const READ = ['Read', { file_path: 'a.txt' }] as const;

describe('a turn of a model behind an endpoint', () => {
  // proves: native.model.loop
  it('sends instructions, prompt and tools, runs the calls and returns the results', async () => {
    const answers = [
      calls(READ, ['Write', { file_path: 'b.txt', content: 'new\n' }]),
      says('Done.'),
    ];
    await ask(answers, async ({ messages, end, asked, folder }) => {
      expect(messages.map(({ kind, text }) => [kind, text])).toEqual([
        ['tool_use', ''],
        ['tool_result', 'inside\n'],
        ['tool_use', ''],
        ['tool_result', 'Created b.txt (4 bytes).'],
        ['text', 'Done.'],
      ]);
      expect(end).toMatchObject({
        outcome: 'succeeded',
        turns: 2,
        toolCalls: 2,
        model: 'fake',
        tokensIn: null,
        tokensOut: null,
        costMicrousd: null,
      });
      expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('new\n');
      const [first, second] = asked;
      expect(first).toMatchObject({
        url: '/v1/chat/completions',
        body: {
          model: 'fake',
          stream: true,
          stream_options: { include_usage: true },
          messages: [
            { role: 'system', content: 'You are an agent under test.' },
            { role: 'user', content: 'Do it.' },
          ],
        },
      });
      expect(first?.body.tools?.map((tool) => tool.function.name)).toContain('Read');
      expect(second?.body.messages.slice(2)).toEqual([
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call00001',
              type: 'function',
              function: { name: 'Read', arguments: '{"file_path":"a.txt"}' },
            },
            {
              id: 'call00002',
              type: 'function',
              function: { name: 'Write', arguments: '{"file_path":"b.txt","content":"new\\n"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call00001', content: 'inside\n' },
        { role: 'tool', tool_call_id: 'call00002', content: 'Created b.txt (4 bytes).' },
      ]);
    });
  });

  it('offers exactly the tools that exist', async () => {
    const tools = ['Read', 'Task'];
    await ask(
      [says('Done.')],
      ({ asked }) =>
        expect(asked[0]?.body.tools?.map((tool) => tool.function.name)).toEqual(['Read']),
      { capability: { tools, maxSpawnDepth: 0 } },
    );
    await ask([says('Done.')], ({ asked }) => expect(asked[0]?.body).not.toHaveProperty('tools'), {
      capability: { tools: [] },
    });
  });

  it('refuses a missing tool, returns the error to the model, and ends denied', async () => {
    await ask(
      [calls(['Bash', { command: 'touch never' }]), says('I could not.')],
      async ({ end, asked, folder }) => {
        expect(end).toMatchObject({
          outcome: 'denied',
          denied: [{ tool: 'Bash', reason: 'The Bash tool is not available in this turn.' }],
          toolErrors: 0,
        });
        expect(asked[1]?.body.messages.at(-1)?.content).toBe(
          'Error: The Bash tool is not available in this turn.',
        );
        await expect(readFile(join(folder, 'never'))).rejects.toThrow();
      },
      { capability: { tools: ['Read'] } },
    );
  });

  it.each([
    ['{"file_path": "a.txt"', /^The arguments of Read are not a single JSON object: /],
    ['["a.txt"]', /^The arguments of Read are not a single JSON object\.$/],
    ['['.repeat(200), /nested deeper than 64 levels/],
  ])('returns unreadable arguments as an error: %.20s', async (json, words) => {
    const broken = stream([chunk({ tool_calls: [piece(0, 'Read', json, 'a')] }, 'tool_calls')]);
    await ask([broken, says('Done.')], ({ end, results, asked }) => {
      expect(results).toEqual([expect.stringMatching(words)]);
      expect(end).toMatchObject({ outcome: 'succeeded', denied: [], toolCalls: 1, toolErrors: 1 });
      expect(asked[1]?.body.messages[2]?.tool_calls?.[0]?.function.arguments).toBe('{}');
      expect(asked[1]?.body.messages[3]?.content).toMatch(/^Error: /);
    });
  });

  it('runs child turns with the same model and fence, and counts them', async () => {
    const task = calls(['Task', { prompt: 'Look at a.txt.' }]);
    await ask(
      [task, calls(READ), says('It says inside.'), says('Thanks.')],
      ({ end, said, asked }) => {
        expect(end).toMatchObject({ outcome: 'succeeded', turns: 4, toolCalls: 2 });
        expect(said).toEqual(['It says inside.', 'Thanks.']);
        expect(asked[1]?.body.messages.map(({ content }) => content)).toEqual([
          'You are an agent under test.',
          'Look at a.txt.',
        ]);
        expect(asked[1]?.body.tools?.map((tool) => tool.function.name)).not.toContain('Task');
        expect(asked[3]?.body.messages.at(-1)?.content).toBe('It says inside.');
      },
    );
    await ask([task, calls(READ)], ({ end }) => expect(end).toMatchObject({ turns: 3 }), {
      limits: { maxTurns: 3 },
    });
  });

  it('sends event data as data, before the text of the author', async () => {
    const data: EventData = {
      event: 'onArchive',
      project: 'demo',
      data: { name: '```bash\ntouch ran\n```' },
    };
    await ask(
      [says('Noted.')],
      ({ asked, end }) => {
        const sent = asked[0]?.body.messages[1]?.content ?? '';
        expect(sent).toMatch(/^The event onArchive .* not instructions\.\n\n```json data\n/);
        expect(sent.endsWith('\n\nDo it.')).toBe(true);
        expect(end.toolCalls).toBe(0);
      },
      { data },
    );
  });

  it('sums the usage and cost of the model calls', async () => {
    const usage = (prompt: number, completion: number) => ({
      choices: [],
      usage: { prompt_tokens: prompt, completion_tokens: completion },
    });
    const call = chunk({ tool_calls: [piece(0, 'Read', '{"file_path":"a.txt"}')] }, 'tool_calls');
    const answers = [
      stream([call, usage(1000, 20)]),
      stream([chunk({ content: 'Done.' }, 'stop'), usage(1100, 5)]),
    ];
    const prices = { inputPerMillionUsd: 2.5, outputPerMillionUsd: 10 };
    await ask(
      answers,
      ({ end }) => expect(end).toMatchObject({ tokensIn: 2100, tokensOut: 25, costMicrousd: 5500 }),
      { options: { prices } },
    );
    await ask(answers, ({ end }) => expect(end).toMatchObject({ costMicrousd: null }));
    expect(chatModel('http://x/v1', { prices }).cost).toBe('estimate');
    expect(makeRuntime({ model: chatModel('http://x/v1') }).holds.cost).toBe('tokens');
    expect(makeRuntime().holds.cost).toBe('none');
  });

  // proves: limits.cost-per-day.running
  it('reports its usage after each call, and ends if that stops it', async () => {
    const usage = { choices: [], usage: { prompt_tokens: 1000, completion_tokens: 0 } };
    const call = chunk({ tool_calls: [piece(0, 'Write', '{"file_path":"b.txt","content":"b"}')] });
    const answers = [stream([call, chunk({}, 'tool_calls'), usage]), says('Done.')];
    const prices = { inputPerMillionUsd: 1, outputPerMillionUsd: 1 };
    const costs: (number | null)[] = [];
    const controller = new AbortController();
    await withEndpoint(answers, (baseUrl, asked) =>
      inFolder(async (folder) => {
        const runtime = makeRuntime({ model: chatModel(baseUrl, { prices }) });
        const spec = {
          ...makeSpec(folder, { prompt: 'Do it.' }),
          onUsage: async ({ costMicrousd }: { costMicrousd: number | null }) => {
            costs.push(costMicrousd);
            controller.abort(new TurnStop('failed', 'It is too much.'));
          },
        };
        const { end } = await runTurn(runtime, spec, controller.signal);
        expect(end).toMatchObject({ outcome: 'failed', reason: 'It is too much.', turns: 1 });
        expect([costs, asked.length]).toEqual([[1000], 1]);
        await expect(readFile(join(folder, 'b.txt'))).rejects.toThrow();
      }),
    );
  });

  // proves: limits.cost-per-day.unknown-cost
  it('fails under a limit of cost where the model does not tell its tokens', async () => {
    const limits = { maxTurns: 3, costMicrousd: 1000 };
    const endsAs = (price: number, expected: object): Promise<void> =>
      withEndpoint([says('Done.')], (baseUrl) =>
        inFolder(async (folder) => {
          const prices = { inputPerMillionUsd: price, outputPerMillionUsd: price };
          const runtime = makeRuntime({ model: chatModel(baseUrl, { prices }) });
          const { end } = await runTurn(runtime, {
            ...makeSpec(folder, { prompt: 'Do.' }),
            limits,
          });
          expect(end).toMatchObject(expected);
        }),
      );
    const reason = expect.stringContaining('did not report token counts');
    await endsAs(1, { outcome: 'failed', reason });
    await endsAs(0, { outcome: 'succeeded', costMicrousd: 0 });
  });

  // proves: texts.well-formed
  it('keeps characters that arrive in two chunks, and replaces lone surrogates', async () => {
    const args = '{"content":"\\ud83d\\ude00 \\ud800","file_path":"b.txt"}';
    const answers = [
      stream([
        chunk({ content: '\ud83d', reasoning_content: 'Hm \udc00' }),
        chunk({ content: '\ude00 and \ud800\0 half' }),
        chunk({ tool_calls: [piece(0, 'Write', args.slice(0, 20), 'a')] }),
        chunk({ tool_calls: [piece(0, null, args.slice(20))] }),
        chunk(
          { tool_calls: [piece(1, 'mcp__svc_manage__list_triggers', '{}', 'b')] },
          'tool_calls',
        ),
      ]),
      plain(400, '{"detail":"Half \\udc00."}'),
    ];
    const toolset = {
      tools: [{ name: 'mcp__svc_manage__list_triggers', description: '', inputSchema: {} }],
      call: async () => ({ text: 'Result \ud800', isError: false }),
    };
    const tools = ['Write', 'mcp__svc_manage__list_triggers'];
    await ask(
      answers,
      async ({ messages, end, said, results, asked, folder }) => {
        expect(said).toEqual(['\u{1f600} and \ufffd half']);
        expect(results[1]).toBe('Result \ufffd');
        expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('\u{1f600} \ufffd');
        const all = [messages, end, asked];
        expect(JSON.stringify(all)).not.toMatch(/\\u(?:d[89a-f]|0000)/i);
        expect(asked[1]?.body.messages[2]).toMatchObject({ reasoning_content: 'Hm \ufffd' });
      },
      { toolset, capability: { tools } },
    );
  });

  it('isolates ten concurrent turns', async () => {
    await withEndpoint(
      [
        (response, asked, turn) => {
          const path = asked.body.messages[1]?.content ?? '';
          const last = asked.body.messages.at(-1);
          const next = last?.role === 'tool' ? says(`${path}: ${last.content}`) : null;
          (next ?? calls(['Read', { file_path: path }]))(response, asked, turn);
        },
      ],
      (baseUrl) =>
        inFolder(async (folder) => {
          const runtime = makeRuntime({ model: chatModel(baseUrl) });
          const names = Array.from({ length: 10 }, (_, i) => `${i}.txt`);
          for (const name of names) await writeFile(join(folder, name), `It is ${name}.`);
          const ran = await Promise.all(
            names.map((name) => runTurn(runtime, makeSpec(folder, { prompt: name }))),
          );
          expect(ran.map(({ said }) => said)).toEqual(
            names.map((name) => [`${name}: It is ${name}.`]),
          );
        }),
    );
  });
});

// proves: native.model.odd-servers
describe('an odd server', () => {
  const whole = '{"file_path":"a.txt"}';
  const usage = { usage: { prompt_tokens: 7, completion_tokens: 3 } };
  const call = (deltas: readonly object[], finish: string | null = 'tool_calls') => [
    ...deltas.map((delta) => chunk({ tool_calls: [delta] })),
    chunk({}, finish),
  ];
  const cut = call([
    piece(0, 'Read', '', 'a'),
    piece(0, null, '{"file_'),
    piece(0, null, 'path":"a.txt"}'),
  ]);

  it.each<readonly [string, readonly object[], string, number]>([
    ['arguments in pieces', cut, DONE, 1],
    [
      'no index',
      call([piece(undefined, 'Read', '{"file_path":', 'a'), piece(undefined, null, '"a.txt"}')]),
      DONE,
      1,
    ],
    [
      'no index and no id',
      call([piece(undefined, 'Read', whole), piece(undefined, 'Read', whole)]),
      DONE,
      2,
    ],
    [
      'the same index for all',
      call([piece(0, 'Read', whole, 'a'), piece(0, 'Read', whole, 'b')]),
      DONE,
      2,
    ],
    [
      'the same index for all, and no ids',
      call([piece(0, 'Read', whole), piece(0, 'Read', '{"file_path":"./a.txt"}')]),
      DONE,
      2,
    ],
    [
      'a whole call twice, without an id',
      call([piece(0, 'Read', whole), piece(0, 'Read', whole)]),
      DONE,
      1,
    ],
    [
      'the name with each piece, and no id',
      call([piece(0, 'Read', '{"file_path"'), piece(0, 'Read', ':"a.txt"}'), piece(0, 'Read', '')]),
      DONE,
      1,
    ],
    [
      'a new index with each piece',
      call([
        piece(0, 'Read', '{"file_path"', 'a'),
        piece(1, null, ':"a.'),
        piece(2, null, 'txt"}'),
      ]),
      DONE,
      1,
    ],
    [
      'a new id with each piece',
      call([piece(0, 'Read', '{"file_path"', 'a'), piece(0, null, ':"a.txt"}', 'b')]),
      DONE,
      1,
    ],
    [
      'the id and name with each piece',
      call([piece(0, 'Read', '{"file_path"', 'a'), piece(0, 'Read', ':"a.txt"}', 'a')]),
      DONE,
      1,
    ],
    [
      'pieces of two calls in turns',
      call([
        piece(0, 'Read', '', 'a'),
        piece(1, 'Read', '', 'b'),
        piece(0, null, whole),
        piece(1, null, whole),
      ]),
      DONE,
      2,
    ],
    ['arguments as an object', call([piece(0, 'Read', { file_path: 'a.txt' }, 'a')]), DONE, 1],
    ['arguments wrapped twice', call([piece(0, 'Read', JSON.stringify(whole), 'a')]), DONE, 1],
    ['no reason for the end', call([piece(0, 'Read', whole, 'a')], null), DONE, 1],
    ['the reason stop with calls', call([piece(0, 'Read', whole, 'a')], 'stop'), DONE, 1],
    ['the reason length with whole calls', call([piece(0, 'Read', whole, 'a')], 'length'), DONE, 1],
    ['no mark at the end', call([piece(0, 'Read', whole, 'a')]), '', 1],
    [
      'only the count at the end',
      [...call([piece(0, 'Read', whole, 'a')], null), { choices: [], ...usage }],
      '',
      1,
    ],
    [
      'comments and empty pieces',
      [chunk({}), chunk({ content: '' }), chunk({ content: null, tool_calls: null }), ...cut, {}],
      `: ping\n\n${DONE}`,
      1,
    ],
    ['events without data', cut, `data:\n\nevent: ping\r\ndata: \r\n\r\n${DONE}`, 1],
  ])('is understood: %s', async (_, chunks, end, count) => {
    await ask([stream(chunks, end), says('Done.')], ({ results, end: { outcome } }) => {
      expect(results).toEqual(Array.from({ length: count }, () => 'inside\n'));
      expect(outcome).toBe('succeeded');
    });
  });

  it('may begin its stream with a byte order mark', async () => {
    const marked: Answering = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`\uFEFFdata: ${JSON.stringify(chunk({ content: 'Done.' }, 'stop'))}\n\n${DONE}`);
    };
    await ask([marked], ({ said }) => expect(said).toEqual(['Done.']));
  });

  it('may count in each chunk, and think aloud, which goes back with its calls', async () => {
    const extra = { google: { thought_signature: 'abc' } };
    const answer = stream([
      chunk({ reasoning_content: 'I ' }, null, {
        usage: { prompt_tokens: 7, completion_tokens: 1 },
      }),
      chunk({ reasoning_content: 'think.' }, null, {
        usage: { prompt_tokens: 7, completion_tokens: 2 },
      }),
      chunk(
        { tool_calls: [{ ...piece(0, 'Read', whole, 'a'), extra_content: extra }] },
        'tool_calls',
        usage,
      ),
    ]);
    await ask([answer, says('Done.')], ({ end, said, asked }) => {
      expect(end).toMatchObject({ tokensIn: 7, tokensOut: 3 });
      expect(said).toEqual(['Done.']);
      const back = asked[1]?.body.messages[2];
      expect(back).toMatchObject({ reasoning_content: 'I think.' });
      expect(back?.tool_calls?.[0]).toMatchObject({ extra_content: extra });
    });
  });

  it('may send reasoning details, which are sent back unchanged', async () => {
    const text = (words: string, more: object = {}) => ({
      reasoning: words,
      reasoning_details: [{ type: 'reasoning.text', text: words, format: 'f', index: 0, ...more }],
    });
    const encrypted = { type: 'reasoning.encrypted', data: 'abc', id: 'r', index: 1 };
    const answer = stream([
      chunk(text('I ')),
      chunk(text('think.')),
      chunk(text('', { signature: 's' })),
      chunk({ reasoning_details: [encrypted] }),
      chunk({ reasoning_details: [{ ...encrypted, data: 'def' }] }),
      chunk({ tool_calls: [piece(0, 'Read', whole, 'a')] }, 'tool_calls'),
    ]);
    await ask([answer, says('Done.')], ({ said, asked }) => {
      expect(said).toEqual(['Done.']);
      expect(asked[1]?.body.messages[2]).toMatchObject({
        reasoning: 'I think.',
        reasoning_details: [
          { type: 'reasoning.text', text: 'I think.', format: 'f', index: 0, signature: 's' },
          encrypted,
          { ...encrypted, data: 'def' },
        ],
      });
    });
    const details = [
      { type: 'reasoning.text', text: 'A' },
      { type: 'reasoning.text', text: 'B' },
    ];
    const message = { reasoning_details: details, tool_calls: [piece(0, 'Read', whole, 'a')] };
    const body = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] });
    await ask([plain(200, body), says('Done.')], ({ asked }) =>
      expect(asked[1]?.body.messages[2]?.['reasoning_details']).toEqual(details),
    );
  });

  it.each([
    [['<think>\nHm.', '\n</th', 'ink>\n\nHello.'], 'Hello.'],
    [['\n<THINK>a</THINK><thinking>b</thinking> Hello.'], 'Hello.'],
    [['The template ', 'began this.\n</think>\nHello.'], 'Hello.'],
    [['I answer:\n```\nHi\n```\n</think>\n\nHello.\n</think>\n'], 'Hello.\n</think>\n'],
    [['</think>\nHello.'], 'Hello.'],
    [['<think>İstanbul ve İzmir</think>Cevap hazır'], 'Cevap hazır'],
    ...[
      'Remove this line:\n</think>\nthen restart.',
      'The file is whole.\n\n```\nHm.\n</think>\n\nHi.\n```',
      'It is `</think>` that ends it.\n</think>\nSo it is.',
    ].map((whole): [string[], string] => [[whole], whole]),
    [
      ['Write `<think>` before\n</think>\nand so on.'],
      'Write `<think>` before\n</think>\nand so on.',
    ],
    [['Close it with </think> then.'], 'Close it with </think> then.'],
  ])('may start its answer with reasoning, which is removed: %j', async (pieces, text) => {
    const thinking = [
      ...pieces.map((content) => chunk({ content })),
      chunk({ tool_calls: [piece(0, 'Read', whole, 'a')] }, 'tool_calls'),
    ];
    await ask([stream(thinking), says('Done.')], ({ said, asked }) => {
      expect(said).toEqual([text, 'Done.']);
      expect(asked[1]?.body.messages[2]?.content).toBe(text);
    });
  });

  it('may count far fewer tokens than were sent, which the turn reports once', async () => {
    const counted = (prompt_tokens: number) => ({ choices: [], usage: { prompt_tokens } });
    const warningOf = async (first: number, second: number) => {
      const answers = [
        stream([...call([piece(0, 'Read', whole, 'a')]), counted(first)]),
        stream([chunk({ content: 'Done.' }, 'stop'), counted(second)]),
      ];
      const ends: unknown[] = [];
      const prompt = 'Some words of a prompt. '.repeat(1000);
      await ask(
        answers,
        ({ end, messages }) => {
          expect(end.outcome).toBe('succeeded');
          ends.push(end.reason, messages.filter(({ kind }) => kind === 'notice').length);
        },
        { prompt },
      );
      return ends;
    };
    const words = expect.stringMatching(
      /^The endpoint counted 2050 tokens, but about 7\d\d\d were sent, .* lower contextTokens\.$/,
    );
    expect(await warningOf(2050, 2050)).toEqual([words, 1]);
    expect(await warningOf(6000, 6100)).toEqual([null, 0]);
    // Some servers do not count cached tokens.
    expect(await warningOf(6000, 30)).toEqual([null, 0]);
  });

  it('may give its content as parts, or the whole answer as one JSON', async () => {
    const parts = [{ type: 'thinking', thinking: [] }, { type: 'text', text: 'Hel' }, 'lo.'];
    await ask([stream([chunk({ content: parts }, 'stop')])], ({ said }) =>
      expect(said).toEqual(['Hello.']),
    );
    const message = { role: 'assistant', content: 'Hello.' };
    const body = JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], ...usage });
    await ask([plain(200, body)], ({ said, end }) => {
      expect(said).toEqual(['Hello.']);
      expect(end).toMatchObject({ outcome: 'succeeded', tokensIn: 7 });
    });
  });
});

// proves: native.model.request
describe('a request', () => {
  it('has the configured headers and fields in addition to its own', async () => {
    const options = {
      headers: { 'X-Title': 'svc', 'API-Key': 'gate-key-0123', 'User-Agent': 'mine', Accept: 'no' },
      secrets: ['gate-key-0123'],
      temperature: 0,
      extraBody: { top_p: 0.9, stream: false },
      streamUsage: false,
    };
    const refusing = plain(400, '{"error":"Not gate-key-0123."}');
    await ask(
      [refusing],
      ({ asked, end }) => {
        expect(asked[0]).toMatchObject({
          headers: {
            'x-title': 'svc',
            'api-key': 'gate-key-0123',
            'user-agent': 'mine',
            accept: 'text/event-stream, application/json',
          },
          body: { temperature: 0, top_p: 0.9, stream: true },
        });
        expect(asked[0]?.body).not.toHaveProperty('stream_options');
        expect(asked[0]?.headers).not.toHaveProperty('authorization');
        expect(end.reason).toMatch(/Not \[redacted\]\.$/);
      },
      { options },
    );
    await ask([says('Done.')], ({ asked }) => {
      expect(asked[0]?.body).not.toHaveProperty('temperature');
      expect(asked[0]?.headers['user-agent']).toBe('svc');
    });
  });

  it('uses a proxy, except for this machine and excluded hosts', async () => {
    await withEndpoint([says('Done.')], (baseUrl) =>
      withProxy(baseUrl, async (proxy, connected) => {
        const end = async (url: string, more: object = {}) => {
          const options = { proxy: { http: proxy, https: null, noProxy: null, ...more } };
          const model = chatModel(url, options, steppedClock());
          const ends: (string | null)[] = [];
          await inFolder(async (folder) => {
            const ran = await runTurn(makeRuntime({ model }), makeSpec(folder, { prompt: 'Go.' }));
            ends.push(ran.end.reason);
          });
          return ends[0];
        };
        expect(await end('http://model.test/v1')).toBeNull();
        expect(connected).toEqual(['model.test:80']);
        expect(await end(baseUrl)).toBeNull();
        expect(await end(baseUrl.replace('127.0.0.1', '0.0.0.0'))).toBeNull();
        for (const host of ['localhost.', '[::]', '[::ffff:0.0.0.0]']) {
          expect(await end(`http://${host}:1/v1`)).not.toMatch('proxy');
        }
        expect(connected).toHaveLength(1);
        expect(await end('http://model.test/v1', { noProxy: 'other,.test' })).toMatch(
          /cannot be reached through the proxy: E\w+\. Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY\.$/,
        );
        expect(await end('http://model.test/v1', { http: 'proxy.lan:3128' })).toMatch(
          /through the proxy: its address is not http:\/\/ or https:\/\/\./,
        );
        expect(await end('http://refused.test/v1')).toMatch(
          /through the proxy: it answered with status 407\./,
        );
        expect(connected.slice(1).every((host) => host === 'refused.test:80')).toBe(true);
      }),
    );
  });
});

it('reads the proxies from the environment, lower case first', () => {
  const of = (found: Readonly<Record<string, string>>) => proxyOf((name) => found[name] ?? null);
  expect(of({ NO_PROXY: 'a' })).toBeNull();
  expect(of({ HTTPS_PROXY: 'http://a', https_proxy: 'http://b', no_proxy: 'c' })).toEqual({
    http: null,
    https: 'http://b',
    noProxy: 'c',
  });
});

// proves: native.model.playbook
describe('the choice of a model', () => {
  const turnOf =
    (model: string | null, fallback: 'chat' | 'playbook') => async (baseUrl: string) => {
      const ends: string[] = [];
      await inFolder(async (folder) => {
        const chat = chatModel(baseUrl);
        const runtime = makeRuntime({
          model: createModelChoice({ playbook: createPlaybook(), chat, fallback }),
        });
        const spec = makeSpec(folder, { prompt: bash('true'), model });
        const { end } = await runTurn(runtime, spec);
        ends.push(`${end.model} ${end.outcome}`);
      });
      return ends[0];
    };

  it.each<readonly [string | null, 'chat' | 'playbook', string, readonly string[]]>([
    [null, 'chat', 'fake succeeded', ['fake']],
    ['other', 'chat', 'other succeeded', ['other']],
    ['playbook', 'chat', 'playbook succeeded', []],
    [null, 'playbook', 'playbook succeeded', []],
    ['other', 'playbook', 'other succeeded', ['other']],
  ])(
    'selects the right model for a turn that asks for %s, with the %s as default',
    async (model, fallback, ended, names) => {
      await withEndpoint([says('Done.')], async (baseUrl, asked) => {
        expect(await turnOf(model, fallback)(baseUrl)).toBe(ended);
        expect(asked.map(({ body }) => body.model)).toEqual(names);
      });
    },
  );

  it('stops a playbook at its first failure, and lets a model continue', async () => {
    const turn = bash('exit 3') + bash('true');
    await withEndpoint([calls(['Bash', { command: 'exit 3' }]), says('Never mind.')], (baseUrl) =>
      inFolder(async (folder) => {
        const chat = chatModel(baseUrl);
        const model = createModelChoice({ playbook: createPlaybook(), chat, fallback: 'chat' });
        const runtime = makeRuntime({ model });
        const own = await runTurn(runtime, makeSpec(folder, { prompt: turn, model: 'playbook' }));
        expect(own.end).toMatchObject({ outcome: 'failed', turns: 1 });
        const other = await runTurn(runtime, makeSpec(folder, { prompt: turn }));
        expect(other.end).toMatchObject({ outcome: 'succeeded', turns: 2 });
      }),
    );
  });

  // proves: runtimes.model-ready
  it('is ready for the playbook if its endpoint is not', async () => {
    const chat = chatModel('nonsense');
    for (const fallback of ['chat', 'playbook'] as const) {
      const model = createModelChoice({ playbook: createPlaybook(), chat, fallback });
      const { probe } = makeRuntime({ model });
      const ready = await Promise.all(
        [undefined, null, 'playbook', 'm'].map(async (asked) => (await probe(asked)).ready),
      );
      const byDefault = fallback === 'playbook';
      expect(ready).toEqual([byDefault, byDefault, true, false]);
    }
  });

  it('is ready if its base URL is valid, without a request', async () => {
    await withEndpoint([says('Done.')], async (baseUrl, asked) => {
      expect(await chatModel(baseUrl).probe()).toEqual({ ready: true });
      expect(asked).toEqual([]);
    });
    for (const wrong of ['', 'localhost:11434', 'ftp://x/v1', 'nonsense']) {
      expect(await chatModel(wrong).probe()).toMatchObject({ ready: false });
    }
    expect(await chatModel('http://x/v1', { model: ' ' }).probe()).toMatchObject({ ready: false });
  });
});

// proves: native.model.stop
describe('a stopped turn', () => {
  const begun: Answering = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(chunk({ content: 'Hel' }))}\n\n`);
  };

  it.each<readonly [string, Answering]>([
    ['before an answer', () => {}],
    ['in the middle of one', begun],
    ['in the middle of a refusal', (response) => void response.writeHead(500).write('{')],
  ])('leaves no connection behind, %s', async (_, answer) => {
    await withEndpoint([answer], (baseUrl, asked) =>
      inFolder(async (folder) => {
        const stop = new AbortController();
        const clock = createFakeClock();
        const runtime = makeRuntime({ model: chatModel(baseUrl, {}, clock) });
        const turn = runTurn(runtime, makeSpec(folder, { prompt: 'Go.' }), stop.signal);
        await until(() => asked.length > 0);
        stop.abort(new TurnStop('timed_out', 'Its time is up.'));
        expect((await turn).end).toMatchObject({ outcome: 'timed_out', reason: 'Its time is up.' });
        await asked[0]?.closed;
        await until(() => clock.pending === 0);
        expect(asked).toHaveLength(1);
      }),
    );
  });

  it('counts what its endpoint has counted until then', async () => {
    const usage = { prompt_tokens: 70, completion_tokens: 2 };
    const counting: Answering = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk({ content: 'Hel' }, null, { usage }))}\n\n`);
    };
    await withEndpoint([counting], (baseUrl, asked) =>
      inFolder(async (folder) => {
        const stop = new AbortController();
        const prices = { inputPerMillionUsd: 10, outputPerMillionUsd: 50 };
        const runtime = makeRuntime({ model: chatModel(baseUrl, { prices }) });
        const turn = runTurn(runtime, makeSpec(folder, { prompt: 'Go.' }), stop.signal);
        await until(() => asked.length > 0);
        await new Promise((resolve) => setTimeout(resolve, 200));
        stop.abort(new TurnStop('cancelled', 'Cancelled.'));
        expect((await turn).end).toMatchObject({
          ...{ outcome: 'cancelled', turns: 1 },
          ...{ tokensIn: 70, tokensOut: 2, costMicrousd: 800 },
        });
      }),
    );
  });
});

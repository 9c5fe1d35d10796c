import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@svc/core';
import {
  type Answering,
  chunk,
  piece,
  plain,
  says,
  stream,
  withEndpoint,
} from './endpoint-fixture.ts';
import { chatModel, clock, inFolder, makeRuntime, makeSpec, runTurn, until } from './support.ts';

const KEY = 'sk-very-secret-0123456789';

/** A clock whose short timers fire immediately and are recorded, and whose long ones fire on demand. */
function steppedClock() {
  const waits: number[] = [];
  const long = new Map<object, { readonly ms: number; readonly callback: () => void }>();
  const stepped: Clock = {
    ...clock,
    setTimeout(callback, ms) {
      if (ms < 30_000) {
        waits.push(ms);
        return clock.setTimeout(callback, 0);
      }
      const handle = {};
      long.set(handle, { ms, callback });
      return handle;
    },
    clearTimeout(timer) {
      if (!long.delete(timer)) clock.clearTimeout(timer);
    },
  };
  const elapse = (): void => {
    for (const { callback } of [...long.values()]) callback();
  };
  const longest = (): number => Math.max(...[...long.values()].map(({ ms }) => ms));
  return { clock: stepped, waits, elapse, longest, pending: () => long.size };
}

/** Returns how one turn fails against such a server. */
async function fail(answers: readonly Answering[], apiKey: string | null = KEY) {
  const stepped = steppedClock();
  const ends: Awaited<ReturnType<typeof runTurn>>['end'][] = [];
  let count = 0;
  await withEndpoint(answers, async (baseUrl, asked) => {
    await inFolder(async (folder) => {
      const runtime = makeRuntime({ model: chatModel(baseUrl, { apiKey }, stepped.clock) });
      const { end } = await runTurn(runtime, makeSpec(folder, { prompt: 'Go.' }));
      ends.push({ ...end, reason: end.reason?.replace(/127\.0\.0\.1:\d+/, 'HOST') ?? null });
    });
    count = asked.length;
  });
  expect(stepped.pending()).toBe(0);
  const [end] = ends;
  if (end === undefined) throw new Error('the turn has no end');
  expect(end.reason ?? '').not.toContain(KEY);
  expect(end.reason?.length ?? 0).toBeLessThanOrEqual(300);
  return { end, count, waits: stepped.waits };
}

const message = (text: string) => JSON.stringify({ error: { message: text, code: 1 } });
const html = `<!doctype html><html><body>${'Sign in. '.repeat(100)}</body></html>`;
const htmlType = { 'content-type': 'text/html; charset=utf-8' };

describe('a model call that fails', () => {
  // proves: native.model.honest-failures
  it.each<readonly [string, Answering, string]>([
    [
      '401',
      plain(401, message(`Wrong key ${KEY}.`)),
      'The model endpoint at HOST rejected the API key (401): Wrong key [redacted].',
    ],
    [
      '403',
      plain(403, '{"detail":"Not in your country."}'),
      'The model endpoint at HOST refused the call (403): Not in your country.',
    ],
    [
      '404',
      plain(404, message('No such model.')),
      'The model endpoint at HOST does not know model "fake", or baseUrl is wrong (404): No such model.',
    ],
    [
      '400',
      plain(400, '{"error":"Too long."}'),
      'The model endpoint at HOST refused the request (400): Too long.',
    ],
    [
      '400 with a list of faults',
      plain(
        400,
        '{"detail":[{"loc":["body","messages",0],"msg":"Field required"},{"msg":"Bad."}]}',
      ),
      'The model endpoint at HOST refused the request (400): body.messages.0: Field required; Bad.',
    ],
    [
      '422 with its faults within a message',
      plain(
        422,
        '{"object":"error","message":{"detail":[{"loc":["body","top_k"],"msg":"Extra"}]}}',
      ),
      'The model endpoint at HOST refused the request (422): body.top_k: Extra',
    ],
    [
      '400 of a server behind the server',
      plain(
        400,
        JSON.stringify({
          error: {
            message: 'Provider returned error',
            metadata: { raw: `{"error":{"message":"No ${KEY} of ${'x'.repeat(400)}"}}` },
          },
        }),
      ),
      expect.stringMatching(
        /^The .* \(400\): Provider returned error: No \[redacted\] of x{100,180}…$/,
      ) as unknown as string,
    ],
    [
      '400 in plain words',
      plain(400, 'Unsupported model', { 'content-type': 'text/plain' }),
      'The model endpoint at HOST refused the request (400): Unsupported model',
    ],
    [
      '404 as a page',
      plain(404, html, htmlType),
      'The model endpoint at HOST does not know model "fake", or baseUrl is wrong (404).',
    ],
    [
      'a page',
      plain(200, html, htmlType),
      'The model endpoint at HOST returned a page (text/html) instead of a completion. Check baseUrl.',
    ],
    [
      'other JSON',
      plain(200, '{"version":"0.5.1"}'),
      'The model endpoint at HOST returned JSON that is not a completion. Check baseUrl.',
    ],
    [
      'half a JSON',
      plain(200, '{"choices":['),
      'The model endpoint at HOST sent an answer that could not be parsed.',
    ],
    [
      'a redirect',
      plain(302, '', { location: 'http://169.254.169.254/' }),
      'The model endpoint at HOST sent a redirect, which is not followed (302).',
    ],
    [
      'no content',
      plain(204, ''),
      'The model endpoint at HOST returned a response without content (204).',
    ],
    [
      'an error as JSON',
      plain(200, message('Overloaded.')),
      'The model endpoint at HOST ended its answer with an error: Overloaded.',
    ],
    [
      'an error in the stream',
      stream([chunk({ content: 'Hel' }), { error: { message: `Lost ${KEY}.` } }]),
      'The model endpoint at HOST ended its answer with an error: Lost [redacted].',
    ],
    [
      'an error beside the pieces',
      stream([chunk({ content: 'Hel' }), { object: 'error', message: `Lost ${KEY}.`, code: 500 }]),
      'The model endpoint at HOST ended its answer with an error: Lost [redacted].',
    ],
    [
      'a refusal',
      stream([chunk({ refusal: 'I will ' }), chunk({ refusal: 'not.' }, 'stop')]),
      'The model refused: I will not.',
    ],
    ...['insufficient_system_resource', 'network_error', 'abort', 'error'].map(
      (why) =>
        [
          `an answer that ended for ${why}`,
          stream([chunk({ content: 'Hel' }, why)]),
          `The model stopped its answer early (${why}).`,
        ] as const,
    ),
    [
      'an answer that was filtered with another finish reason',
      stream([chunk({ content: 'Hel' }, 'content_filter: SAFETY')]),
      "The endpoint filtered the model's answer.",
    ],
    [
      'an answer that was truncated with another finish reason',
      stream([chunk({ content: 'Hel' }, 'MAX_TOKENS')]),
      "The model's answer was cut off at its token limit.",
    ],
    [
      'more calls than the limit',
      stream([
        chunk({ tool_calls: Array.from({ length: 1001 }, (_, i) => piece(i, 'Nope', '{}')) }),
      ]),
      'The model endpoint at HOST asked for more than 1000 calls at once.',
    ],
    [
      'an unreadable piece',
      stream([], 'data: {"choices":\n\n'),
      'The model endpoint at HOST sent an answer that could not be parsed.',
    ],
    ['an empty stream', stream([], ''), "The model's answer ended early."],
    ['nothing but the mark', stream([]), 'The model returned an empty answer.'],
    ['blanks', stream([chunk({ content: ' \n' }, 'stop')]), 'The model returned an empty answer.'],
    [
      'thoughts alone',
      stream([chunk({ reasoning_content: 'Hm.' }, 'stop')]),
      'The model returned reasoning but no answer.',
    ],
    [
      'thoughts within the answer',
      stream([chunk({ content: ' <think>Hm' }), chunk({ content: 'm.</thi' }, 'stop')]),
      'The model returned reasoning but no answer.',
    ],
    [
      'calls that never came',
      stream([chunk({ content: 'Let me look.' }, 'tool_calls')]),
      'The endpoint announced tool calls (tool_calls) but sent none.',
    ],
    [
      'a stream without its end',
      stream([chunk({ content: 'Hel' })], ''),
      "The model's answer ended early.",
    ],
    [
      'the limit of tokens',
      stream([chunk({ content: 'Hel' }, 'length')]),
      "The model's answer was cut off at its token limit.",
    ],
    [
      'half a call at the limit',
      stream([
        chunk(
          { tool_calls: [{ index: 0, function: { name: 'Read', arguments: '{"f' } }] },
          'length',
        ),
      ]),
      "The model's answer was cut off at its token limit.",
    ],
    [
      'a filter',
      stream([chunk({ content: 'Hel' }, 'content_filter')]),
      "The endpoint filtered the model's answer.",
    ],
  ])('reports the reason and is not retried: %s', async (_, answer, reason) => {
    const { end, count, waits } = await fail([answer]);
    expect(end).toMatchObject({ outcome: 'failed', reason });
    expect([count, waits]).toEqual([1, []]);
  });

  it('reports that a key is required', async () => {
    const { end } = await fail([plain(401, message('Log in.'))], null);
    expect(end.reason).toBe('The model endpoint at HOST requires an API key (401): Log in.');
  });

  // proves: native.model.bounded-retries
  it.each([429, 500, 502, 503, 529])('is retried at most twice after %d', async (status) => {
    const { end, count, waits } = await fail([plain(status, message('Busy.'))]);
    expect(end.outcome).toBe('failed');
    expect(end.reason).toMatch(new RegExp(`\\(${status}\\): Busy\\.$`));
    expect([count, waits]).toEqual([3, [500, 2000]]);
    const second = await fail([plain(status, ''), says('Done.')]);
    expect(second).toMatchObject({ end: { outcome: 'succeeded', turns: 1 }, count: 2 });
  });

  it('waits as long as the server asks, within limits', async () => {
    const busy = (after: string) => plain(429, message('Slow down.'), { 'retry-after': after });
    expect(await fail([busy('7')])).toMatchObject({ count: 3, waits: [7000, 7000] });
    const date = new Date(clock.now() + 600_000).toUTCString();
    for (const after of ['600', date]) {
      const { end, count } = await fail([busy(after)]);
      expect(count).toBe(1);
      expect(end.reason).toMatch(
        /\(429\): Slow down; it asks to retry after (600|599|601) seconds\.$/,
      );
    }
  });

  it('fails if the connection closes in the middle of an answer', async () => {
    const { end, count } = await fail([
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(chunk({ content: 'Hel' }))}\n\n`, () =>
          response.destroy(),
        );
      },
    ]);
    expect(end.reason).toBe(
      'The model endpoint at HOST closed the connection in the middle of its answer.',
    );
    expect(count).toBe(1);
  });

  it('fails after retries if the connection closes before an answer', async () => {
    const { end, count } = await fail([(response) => response.destroy()]);
    expect(end.reason).toMatch(/^The model endpoint at HOST cannot be reached: \w+\.$/);
    expect(count).toBe(3);
  });

  it('fails if nothing is listening, and if the host does not exist', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    for (const [host, reason] of [
      [`127.0.0.1:${port}`, `Nothing is listening on 127.0.0.1:${port} (the model endpoint).`],
      [
        'nowhere..invalid',
        /^The host nowhere\.\.invalid of the model endpoint cannot be resolved \(\w+\)\.$/,
      ],
    ] as const) {
      await inFolder(async (folder) => {
        const stepped = steppedClock();
        const model = chatModel(`http://${host}/v1`, { apiKey: KEY }, stepped.clock);
        const { end } = await runTurn(makeRuntime({ model }), makeSpec(folder, { prompt: 'Go.' }));
        expect(end).toMatchObject({ outcome: 'failed', turns: 0 });
        expect(end.reason).toEqual(
          typeof reason === 'string' ? reason : expect.stringMatching(reason),
        );
        expect(stepped.waits).toEqual([500, 2000]);
      });
    }
  });

  // proves: native.model.bounded-retries
  it.each<readonly [string, Answering]>([
    ['at all', () => {}],
    [
      'any more',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': here\n\n');
      },
    ],
  ])('fails when the server sends nothing %s, and closes the connection', async (_, answer) => {
    await withEndpoint([answer], (baseUrl, asked) =>
      inFolder(async (folder) => {
        const stepped = steppedClock();
        const runtime = makeRuntime({ model: chatModel(baseUrl, {}, stepped.clock) });
        const turn = runTurn(runtime, makeSpec(folder, { prompt: 'Go.' }));
        await until(() => asked.length > 0);
        stepped.elapse();
        const { end } = await turn;
        expect(end.reason).toMatch(/sent nothing for 240 seconds\.$/);
        await asked[0]?.closed;
        expect([asked.length, stepped.pending()]).toEqual([1, 0]);
      }),
    );
  });

  // proves: native.model.bounded-retries
  it('gives up on a server that failed and then sends nothing, and reports the failure', async () => {
    const answer: Answering = (response, _, turn) => {
      if (turn === 1) response.writeHead(503).end('{"error":{"message":"loading"}}');
    };
    await withEndpoint([answer], (baseUrl, asked) =>
      inFolder(async (folder) => {
        const stepped = steppedClock();
        const runtime = makeRuntime({ model: chatModel(baseUrl, {}, stepped.clock) });
        const turn = runTurn(runtime, makeSpec(folder, { prompt: 'Go.' }));
        await until(() => asked.length > 1);
        expect(stepped.longest()).toBeLessThanOrEqual(50_000);
        stepped.elapse();
        const { end } = await turn;
        expect(end.reason).toMatch(/503.*loading/);
        expect([asked.length, stepped.pending()]).toEqual([2, 0]);
      }),
    );
  });

  // proves: native.model.bounded-retries
  it('does not retry after a failure that took most of a minute', async () => {
    const stepped = steppedClock();
    let ms = 0;
    const late = { ...stepped.clock, mono: () => ms };
    const answer: Answering = (response) => {
      ms += 55_000;
      response.writeHead(500).end();
    };
    await withEndpoint([answer], (baseUrl, asked) =>
      inFolder(async (folder) => {
        const runtime = makeRuntime({ model: chatModel(baseUrl, {}, late) });
        const { end } = await runTurn(runtime, makeSpec(folder, { prompt: 'Go.' }));
        expect([end.outcome, asked.length, stepped.pending()]).toEqual(['failed', 1, 0]);
        expect(end.reason).toContain('500');
      }),
    );
  });

  it('counts the usage of an invalid answer', async () => {
    const filtered = stream([
      chunk({}, 'content_filter'),
      { choices: [], usage: { prompt_tokens: 70, completion_tokens: 0 } },
    ]);
    expect((await fail([filtered])).end).toMatchObject({ turns: 1, tokensIn: 70, tokensOut: 0 });
  });

  it('counts what an answer used that breaks off', async () => {
    const usage = { prompt_tokens: 70, completion_tokens: 2 };
    const { end } = await fail([
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const piece = chunk({ content: 'Hel' }, null, { usage });
        response.write(`data: ${JSON.stringify(piece)}\n\n`, () => response.destroy());
      },
    ]);
    expect(end).toMatchObject({ outcome: 'failed', turns: 1, tokensIn: 70, tokensOut: 2 });
  });

  it('sends the key and nothing of the environment', async () => {
    process.env['OPENAI_CUSTOM_HEADERS'] = 'x-leak: yes';
    process.env['OPENAI_ORG_ID'] = 'org-leak';
    try {
      for (const apiKey of [KEY, null]) {
        await withEndpoint([says('Done.')], async (baseUrl, asked) => {
          await inFolder(async (folder) => {
            const runtime = makeRuntime({ model: chatModel(baseUrl, { apiKey }) });
            await runTurn(runtime, makeSpec(folder, { prompt: 'Go.' }));
          });
          const headers = asked[0]?.headers;
          expect(headers?.authorization).toBe(apiKey === null ? undefined : `Bearer ${KEY}`);
          expect(JSON.stringify(headers)).not.toMatch(/leak|stainless/);
        });
      }
    } finally {
      delete process.env['OPENAI_CUSTOM_HEADERS'];
      delete process.env['OPENAI_ORG_ID'];
    }
  });
});

describe('an answer that is one long line', () => {
  it('is aborted at 16 MiB, without blocking the event loop until then', async () => {
    const pieces: Answering = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.on('error', () => {});
      let left = 40_000;
      const write = (): void => {
        if (response.destroyed || left === 0) return;
        left -= 1;
        if (response.write('x'.repeat(800))) setImmediate(write);
        else response.once('drain', write);
      };
      response.write('data: ');
      write();
    };
    const { end } = await fail([pieces]);
    expect(end.reason).toBe('The model endpoint at HOST sent more than 16 MiB.');
  });
});

import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type AskedModel, TurnStop } from '@svc/agent-runtime';
import { newId } from '@svc/core';
import type { Message } from '@svc/records';
import { startScriptedModel } from '@svc/runtime-claude/testing';
import { ASK, ECHO, INIT, installFake, resultOf, textMessage } from './fake-sdk.ts';
import { inFolder, makeRuntime, makeSpec, runTurn, until } from './support.ts';

const READY = { apiKey: () => 'key' };
const ADA: Message = {
  ...{ seq: 1, turnId: newId(), role: 'user', kind: 'text', text: 'My name is Ada.' },
  ...{ tool: null, by: null, timestamp: '2026-01-01T00:00:00.000Z' },
};

// proves: claude.unstartable
describe('a runtime that cannot start', () => {
  it('reports which variable to set if it has neither key nor server', async () => {
    await inFolder(async (state) => {
      const runtime = makeRuntime(state, { keyVariable: 'MY_KEY' });
      const reason = expect.stringContaining('Set MY_KEY, which runtime.claude.apiKey.ref');
      expect(await runtime.probe()).toEqual({ ready: false, reason });
      const { end } = await runTurn(runtime, makeSpec(state));
      expect(end).toMatchObject({ outcome: 'failed', reason });
    });
  });

  it('reports the command that installs the SDK', async () => {
    await inFolder(async (state) => {
      const install = `Run npm install --prefix ${state}/sdk --include=optional @anthropic-ai/claude-agent-sdk@0.3.329`;
      const reason = expect.stringContaining(install);
      expect(await makeRuntime(state, READY).probe()).toEqual({ ready: false, reason });
      expect(await makeRuntime(state, READY).selfTest?.()).toEqual({ passed: false, reason });
      const { end } = await runTurn(makeRuntime(state, READY), makeSpec(state));
      expect(end).toMatchObject({ outcome: 'failed', reason });
    });
  });

  it('reports that the program of the SDK is missing', async () => {
    await inFolder(async (state) => {
      await installFake(state, '', { program: false });
      const reason = expect.stringContaining(
        `The Claude Agent SDK is installed without its program for ${process.platform}-${process.arch}. Run npm install`,
      );
      expect(await makeRuntime(state, READY).probe()).toEqual({ ready: false, reason });
    });
  });

  it('reports that the SDK cannot be loaded', async () => {
    await inFolder(async (state) => {
      await installFake(state, 'this is not JavaScript');
      const { end } = await runTurn(makeRuntime(state, READY), makeSpec(state));
      const reason = expect.stringContaining('The Claude Agent SDK 0.3.329 cannot be loaded: ');
      expect(end).toMatchObject({ outcome: 'failed', reason });
    });
  });

  it('creates and imports nothing before its first turn', async () => {
    await inFolder(async (folder) => {
      const state = join(folder, 'state');
      await makeRuntime(state, READY).probe();
      expect(await readdir(folder)).toEqual([]);
    });
  });

  it('reports that the project folder is missing', async () => {
    await inFolder(async (state) => {
      await installFake(state, INIT);
      const { end } = await runTurn(makeRuntime(state, READY), makeSpec(join(state, 'none')));
      expect(end).toMatchObject({
        outcome: 'failed',
        reason: 'The project folder does not exist.',
      });
    });
  });
});

// proves: claude.outcomes
describe('the end of a turn', () => {
  const endOf = async (body: string, signal?: AbortSignal) => {
    let end: unknown;
    await inFolder(async (state) => {
      await installFake(state, body);
      const ran = await runTurn(makeRuntime(state, READY), makeSpec(state), signal);
      end = ran.end;
    });
    return end;
  };

  it('is a failure if the agent has an unlisted tool, before any call', async () => {
    await inFolder(async (state) => {
      const tools = "['Read', 'Workflow']";
      await installFake(
        state,
        `${INIT.replace('options.tools', tools)}\n${textMessage('Too late.')}\n${resultOf()}`,
      );
      const spec = makeSpec(state, { capability: { tools: ['Read'] } });
      const { end, messages } = await runTurn(makeRuntime(state, READY), spec);
      const reason = 'The agent program has tools that this turn does not list: Workflow.';
      expect(end).toMatchObject({ outcome: 'failed', reason });
      expect(messages).toEqual([]);
    });
  });

  it('is a failure without text and calls', async () => {
    const end = await endOf(INIT + resultOf());
    expect(end).toMatchObject({ outcome: 'failed', reason: 'The turn produced no output.' });
  });

  it('is decided by the error, not by the subtype of the result', async () => {
    const result = resultOf("is_error: true, result: 'API Error: 401'");
    const end = await endOf(`${INIT}${result}\nthrow new Error('an error result');`);
    expect(end).toMatchObject({ outcome: 'failed', reason: 'The model failed: API Error: 401' });
  });

  it('is a failure if the program exits without a result', async () => {
    const end = await endOf(`${INIT}\nthrow new Error('exited with code 1');`);
    const reason = 'The agent program failed: exited with code 1';
    expect(end).toMatchObject({ outcome: 'failed', reason });
  });

  it('is that of the stop, even if the SDK hangs', async () => {
    const stop = new AbortController();
    stop.abort(new TurnStop('timed_out', 'The time limit was reached.'));
    const before = await endOf(INIT, stop.signal);
    expect(before).toMatchObject({ outcome: 'timed_out', reason: 'The time limit was reached.' });
    await inFolder(async (state) => {
      await installFake(state, `${INIT}${textMessage('I wait.')}\nawait new Promise(() => {});`);
      const later = new AbortController();
      const { end } = await runTurn(makeRuntime(state, READY), makeSpec(state), later.signal, () =>
        later.abort(new TurnStop('cancelled', 'Enough.')),
      );
      expect(end).toMatchObject({ outcome: 'cancelled', reason: 'Enough.' });
    });
  });
});

// proves: claude.cost
describe('the cost of a turn', () => {
  const prices = { inputPerMillionUsd: 10, outputPerMillionUsd: 100 };
  const usage = (basis: string): string =>
    `total_cost_usd: 0.5, modelUsage: { m: { costBasis: '${basis}' } }`;
  const costWith = async (basis: string, options = {}) => {
    const model = await startScriptedModel();
    let cost: number | null = null;
    await inFolder(async (state) => {
      await installFake(
        state,
        `${INIT}\n${ASK}\nawait answer.text();\n${textMessage('Said.')}${resultOf(usage(basis))}`,
      );
      const runtime = makeRuntime(state, { baseUrl: model.url, ...options });
      const { end } = await runTurn(runtime, makeSpec(state));
      expect(end).toMatchObject({ turns: 1, tokensIn: 1300, tokensOut: 50 });
      cost = end.costMicrousd;
    });
    await model.close();
    return cost;
  };

  it('is the cost that the SDK reports for a list price', async () => {
    expect(await costWith('list', { prices })).toBe(500_000);
  });

  it('is computed from the configured prices without a list price', async () => {
    expect(await costWith('unknown', { prices })).toBe(1300 * 10 + 50 * 100);
  });

  it('is unknown without any price', async () => {
    expect(await costWith('unknown')).toBeNull();
  });
});

// proves: claude.relay
describe('the relay of a turn', () => {
  // The fake agent reports its results as text messages.
  const runAgent = async (
    body: string,
    steps: Parameters<Awaited<ReturnType<typeof startScriptedModel>>['script']>[0],
    maxTurns = 30,
  ) => {
    const model = await startScriptedModel();
    model.script(steps);
    let ran: Awaited<ReturnType<typeof runTurn>> | undefined;
    const modelCalls: AskedModel[] = [];
    let env: Record<string, string> = {};
    await inFolder(async (state) => {
      const saveEnv = 'globalThis.svcEnv = options.env;';
      await installFake(state, `${INIT}\n${saveEnv}\n${body}\n${resultOf()}`);
      const runtime = makeRuntime(state, { baseUrl: model.url, apiKey: () => 'real-key-4711' });
      ran = await runTurn(
        runtime,
        makeSpec(state, { limits: { maxTurns }, onModelCall: (call) => modelCalls.push(call) }),
      );
      env = (globalThis as unknown as { svcEnv: Record<string, string> }).svcEnv;
    });
    await model.close();
    if (ran === undefined) throw new Error('the turn did not run');
    return { ...ran, env, modelCalls, requests: model.requests };
  };
  const emit = (expression: string): string =>
    `yield { type: 'assistant', parent_tool_use_id: null, message: { content: [{ type: 'text', text: String(${expression}) }] } };`;

  it('adds the key, which the agent never gets', async () => {
    const ran = await runAgent(`${ASK}\nawait answer.text();${emit('answer.status')}`, []);
    expect(ran.texts).toEqual(['200']);
    expect(JSON.stringify(ran.env)).not.toContain('real-key-4711');
    const [request] = ran.requests;
    expect(request).toMatchObject({
      path: '/v1/messages?beta=true',
      headers: { 'x-api-key': 'real-key-4711' },
    });
    expect(JSON.stringify(request)).not.toContain(ran.env['ANTHROPIC_API_KEY']);
  });

  it('closes after the turn', async () => {
    const { env } = await runAgent(emit("'x'"), []);
    await expect(fetch(`${env['ANTHROPIC_BASE_URL']}/v1/messages`)).rejects.toThrow();
  });

  it('accepts only its own key and the paths of the Messages API', async () => {
    const call = (path: string, key: string, method = 'POST') =>
      `(await fetch(options.env.ANTHROPIC_BASE_URL + '${path}', { method: '${method}', headers: { ${key} } })).status`;
    const auth = "'x-api-key': options.env.ANTHROPIC_API_KEY";
    const calls = [
      call('/v1/messages', "'x-api-key': 'other'"),
      call('/v1/messages', ''),
      call('/v1/files', auth),
      call('/v1/messages/batches', auth),
      call('/v1/messages', auth, 'GET'),
      call('/v1/messages/count_tokens', "authorization: 'Bearer ' + options.env.ANTHROPIC_API_KEY"),
    ];
    const ran = await runAgent(calls.map(emit).join('\n'), []);
    expect(ran.texts).toEqual(['401', '401', '404', '404', '404', '200']);
    expect(ran.requests).toHaveLength(1);
    expect(ran.end.turns).toBe(0);
  });

  it('limits the number of calls, without failed ones', async () => {
    const ask = `{ ${ASK}\nawait answer.text();\n${emit('answer.status')} }`;
    const ran = await runAgent(ask.repeat(4), [{ status: 500 }, {}, {}], 2);
    expect(ran.texts).toEqual(['500', '200', '200', '400']);
    // The last call was not forwarded.
    expect(ran.modelCalls.map(({ error }) => error)).toEqual([
      expect.stringContaining('500'),
      null,
      null,
    ]);
    expect(ran.modelCalls[1]).toMatchObject({ tokensIn: expect.any(Number), within: null });
    expect(ran.end).toMatchObject({
      outcome: 'max_turns',
      reason: 'Stopped after 2 model calls (maxTurns).',
      turns: 2,
    });
  });

  it('forwards errors and limits retry-after', async () => {
    const ran = await runAgent(
      `${ASK}${emit("answer.status + ' ' + answer.headers.get('retry-after')")}`,
      [{ status: 429, headers: { 'retry-after': '3600' } }],
    );
    expect(ran.texts).toEqual(['429 5']);
  });

  // HTTP clients cannot send some of these headers.
  const askWith = (headers = ''): string =>
    `const { connect } = await import('node:net');
    const { port } = new URL(options.env.ANTHROPIC_BASE_URL);
    const head = 'POST /v1/messages HTTP/1.1\\r\\nhost: x\\r\\nx-api-key: ' + options.env.ANTHROPIC_API_KEY;
    const status = await new Promise((resolve) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.once('data', (data) => { resolve(String(data).slice(9, 12)); socket.destroy(); });
      socket.once('close', () => resolve('closed'));
      socket.write(head + '\\r\\ncontent-length: 2\\r\\n${headers}\\r\\n{}');
    });
    ${emit('status')}`;

  it('does not forward hop-by-hop headers', async () => {
    const ran = await runAgent(askWith('trailer: x\\r\\nte: trailers\\r\\n'), [{}]);
    expect(ran.texts).toEqual(['200']);
    expect(ran.requests).toHaveLength(1);
  });

  it.each([
    ['an invalid status', 'HTTP/1.1 042 Odd\r\ncontent-length: 2\r\n\r\n{}', '502'],
    ['a trailer', 'HTTP/1.1 200 OK\r\ntrailer: x\r\ncontent-length: 2\r\n\r\n{}', '200'],
  ])('survives a server that responds with %s', async (_case, bytes, status) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await inFolder(async (state) => {
      await installFake(state, `${INIT}\n${askWith()}\n${resultOf()}`);
      const runtime = makeRuntime(state, { baseUrl: `http://127.0.0.1:${port}` });
      expect((await runTurn(runtime, makeSpec(state))).texts).toEqual([status]);
    });
    await new Promise((resolve) => server.close(resolve));
  });

  it('counts a call that the agent aborted, because the server may have processed it', async () => {
    let requests = 0;
    const server = createHttpServer(() => {
      requests += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await inFolder(async (state) => {
      const abortedCall = `const abort = new AbortController();
        const request = fetch(options.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', signal: abort.signal,
          headers: { 'x-api-key': options.env.ANTHROPIC_API_KEY }, body: '{}' }).catch(() => {});
        await globalThis.svcRequested();
        abort.abort();
        await request;
        await globalThis.svcDisconnected();`;
      const hooks = globalThis as unknown as Record<string, () => Promise<void>>;
      hooks['svcRequested'] = () => until(() => requests === 1);
      hooks['svcDisconnected'] = () =>
        until(
          () => new Promise((resolve) => server.getConnections((_, count) => resolve(count === 0))),
        );
      await installFake(state, `${INIT}\n${abortedCall}\n{ ${askWith()} }\n${resultOf()}`);
      const runtime = makeRuntime(state, { baseUrl: `http://127.0.0.1:${port}` });
      const { end } = await runTurn(runtime, makeSpec(state, { limits: { maxTurns: 1 } }));
      expect(end.outcome).toBe('max_turns');
      expect(requests).toBe(1);
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('forwards an incomplete answer as incomplete', async () => {
    const body = `${ASK}\nlet state = 'complete';\ntry { await answer.text(); } catch { state = 'incomplete'; }${emit('state')}`;
    const ran = await runAgent(body, [{ text: 'half', cut: true }]);
    expect(ran.texts).toEqual(['incomplete']);
  });

  it('reports that the server is unavailable', async () => {
    await inFolder(async (state) => {
      await installFake(
        state,
        `${INIT}\n${ASK}${emit("answer.status + ' ' + (await answer.text())")}${resultOf()}`,
      );
      const runtime = makeRuntime(state, { baseUrl: 'http://127.0.0.1:1' });
      const { texts } = await runTurn(runtime, makeSpec(state));
      expect(texts[0]).toMatch(/^502 .*The model server is unavailable/);
    });
  });
});

// proves: claude.environment
describe('the environment of the agent', () => {
  it('is that of the turn and the variables of the SDK, without other logins and keys', async () => {
    await inFolder(async (state) => {
      await installFake(state, `globalThis.svcEnv = options.env;${INIT}${resultOf()}`);
      const env = {
        PATH: '/bin',
        HOME: '/home/x',
        SVC_TURN_ID: newId(),
        CLAUDE_CODE_OAUTH_TOKEN: 'a login',
        ANTHROPIC_AUTH_TOKEN: 'another key',
        https_proxy: 'http://proxy:1',
      };
      await runTurn(makeRuntime(state, READY), makeSpec(state, { env }));
      const agentEnv = (globalThis as unknown as { svcEnv: Record<string, string> }).svcEnv;
      expect(agentEnv).toEqual({
        PATH: '/bin',
        HOME: '/home/x',
        SVC_TURN_ID: env.SVC_TURN_ID,
        https_proxy: 'http://proxy:1',
        NO_PROXY: '127.0.0.1',
        CLAUDE_CONFIG_DIR: join(state, 'config'),
        ANTHROPIC_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        ANTHROPIC_API_KEY: expect.stringMatching(/^[\w-]{43}$/),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_MAX_RETRIES: '2',
        CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      });
    });
  });
});

// proves: claude.sessions
describe('sessions', () => {
  it('are used by one turn at a time', async () => {
    await inFolder(async (state) => {
      const init =
        'globalThis.svcCounts ??= { now: 0, max: 0, started: 0 }; const counts = globalThis.svcCounts;';
      await installFake(
        state,
        `${init} counts.now += 1; counts.started += 1; counts.max = Math.max(counts.max, counts.now);
         await new Promise((resolve) => setTimeout(resolve, 30)); counts.now -= 1;${INIT}${textMessage('x')}${resultOf()}`,
      );
      const runtime = makeRuntime(state, READY);
      const sessionId = newId();
      const ends = await Promise.all(
        [1, 2, 3].map(() => runTurn(runtime, makeSpec(state, { sessionId }))),
      );
      expect(ends.map(({ end }) => end.outcome)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      const { max, started } = (globalThis as unknown as { svcCounts: Record<string, number> })
        .svcCounts;
      expect([max, started]).toEqual([1, 3]);
    });
  });

  it('do not delay a turn that is stopped while it waits', async () => {
    await inFolder(async (state) => {
      await installFake(state, `${INIT}${textMessage('I wait.')}await new Promise(() => {});`);
      const runtime = makeRuntime(state, READY);
      const sessionId = newId();
      const first = new AbortController();
      let hasStarted = false;
      const running = runTurn(runtime, makeSpec(state, { sessionId }), first.signal, () => {
        hasStarted = true;
      });
      await until(() => hasStarted);
      const second = new AbortController();
      const waiting = runTurn(runtime, makeSpec(state, { sessionId }), second.signal);
      second.abort(new TurnStop('cancelled', 'Not any more.'));
      expect((await waiting).end).toMatchObject({ outcome: 'cancelled', turns: 0 });
      first.abort();
      await running;
    });
  });

  it('that no longer exist are reported in a notice', async () => {
    await inFolder(async (state) => {
      await installFake(state, `${INIT}${textMessage(' ')}${textMessage('Hello.')}${resultOf()}`);
      const spec = makeSpec(state, { resume: { ref: newId(), fork: false } });
      const { messages, sessions } = await runTurn(makeRuntime(state, READY), spec);
      expect(messages[0]).toMatchObject({
        kind: 'notice',
        text: 'The session of this chat no longer exists. The agent knows the earlier messages, but not its earlier tool calls.',
      });
      expect(sessions).toEqual([spec.sessionId]);
    });
  });

  // proves: runtimes.history.sent
  it.each([
    ['the chat has no session yet', null],
    ['its session no longer exists', { ref: newId(), fork: false }],
  ])('start with the chat history if %s', async (_, resume) => {
    await inFolder(async (state) => {
      await installFake(state, `${INIT}${ECHO}${resultOf()}`);
      const { texts } = await runTurn(
        makeRuntime(state, READY),
        makeSpec(state, { resume, history: async () => [ADA] }),
      );
      expect(texts).toEqual([
        expect.stringMatching(/Earlier messages.*user:\nMy name is Ada\..*Do it\.$/s),
      ]);
    });
  });

  it('that are resumed do not get the chat history again', async () => {
    await inFolder(async (state) => {
      const ref = newId();
      const folder = join(state, 'config', 'projects', 'demo');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${ref}.jsonl`), '');
      await installFake(state, `${INIT}${ECHO}${resultOf()}`);
      const resume = { ref, fork: false };
      const spec = makeSpec(state, { resume, history: async () => [ADA] });
      expect((await runTurn(makeRuntime(state, READY), spec)).texts).toEqual(['Do it.']);
    });
  });
});

describe('the self-test', () => {
  // An SDK that runs every call without calling the hook.
  const UNSAFE = `const { writeFileSync, readFileSync } = await import('node:fs');
const { dirname, join } = await import('node:path');
${INIT}
for (const result of [readFileSync(join(options.cwd, 'inside.txt'), 'utf8'), globalThis.svcResult ?? '']) {
  await fetch(options.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST',
    headers: { 'x-api-key': options.env.ANTHROPIC_API_KEY },
    body: JSON.stringify({ result }),
  });
}
writeFileSync(join(options.cwd, 'allowed.txt'), 'x');
globalThis.svcEscape?.(options.cwd);
${resultOf()}`;
  const hooks = globalThis as unknown as { svcEscape?: (cwd: string) => void };

  // proves: claude.fence
  it('runs once per version and caches a pass', async () => {
    await inFolder(async (state) => {
      delete hooks.svcEscape;
      await installFake(state, UNSAFE);
      expect(await makeRuntime(state, READY).selfTest?.()).toEqual({ passed: true });
      const cached = JSON.parse(await readFile(join(state, 'fence.json'), 'utf8'));
      expect(cached).toEqual({ key: '0.3.329 0.1.0 ', holds: true });
      const other = join(state, 'other');
      await installFake(other, 'throw new Error("called again");');
      await copyFile(join(state, 'fence.json'), join(other, 'fence.json'));
      expect(await makeRuntime(other, READY).selfTest?.()).toEqual({ passed: true });
      await installFake(other, 'throw new Error("called again");', { version: '0.4.0' });
      const reason = expect.stringContaining('The self-test could not run');
      expect(await makeRuntime(other, READY).selfTest?.()).toEqual({ passed: false, reason });
    });
  });

  // proves: claude.fence
  it('runs once the SDK is installed, and again for another version', async () => {
    await inFolder(async (state) => {
      const runtime = makeRuntime(state, READY);
      expect(await runtime.selfTest?.()).toMatchObject({ passed: false });
      await installFake(state, UNSAFE);
      expect(await runtime.selfTest?.()).toEqual({ passed: true });
      await installFake(state, UNSAFE, { version: '0.4.0' });
      expect(await runtime.selfTest?.()).toEqual({ passed: true });
      const cached = JSON.parse(await readFile(join(state, 'fence.json'), 'utf8'));
      expect(cached).toEqual({ key: '0.4.0 0.1.0 ', holds: true });
    });
  });

  // proves: claude.fence
  it('fails if the agent escapes', async () => {
    const { mkdirSync, writeFileSync } = await import('node:fs');
    await inFolder(async (state) => {
      await installFake(state, UNSAFE);
      hooks.svcEscape = (cwd) => {
        writeFileSync(join(cwd, '../outside/bash'), '');
        writeFileSync(join(cwd, 'project.yaml'), 'x');
        mkdirSync(join(cwd, '.claude'));
        writeFileSync(join(cwd, '.claude/settings.json'), '{}');
      };
      expect(await makeRuntime(state, READY).selfTest?.()).toEqual({
        passed: false,
        reason:
          'The agent of the self-test ran Bash, which is not listed, and wrote project.yaml, and wrote in .claude.',
      });
      delete hooks.svcEscape;
    });
  });
});

describe('the version of this package', () => {
  it('matches the version in package.json', async () => {
    const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
    const { version, devDependencies } = JSON.parse(text);
    await inFolder(async (state) => {
      await mkdir(join(state, 'x'));
      const probe = await makeRuntime(state, READY).probe();
      const pin = devDependencies['@anthropic-ai/claude-agent-sdk'];
      expect(probe).toMatchObject({ reason: expect.stringContaining(`claude-agent-sdk@${pin}`) });
      expect(version).toBe('0.1.0');
    });
  });
});

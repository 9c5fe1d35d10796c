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
  it('says what to export where it has neither key nor server', async () => {
    await inFolder(async (state) => {
      const runtime = makeRuntime(state, { keyVariable: 'MY_KEY' });
      const reason = expect.stringContaining('export MY_KEY, which runtime.claude.apiKey.ref');
      expect(await runtime.probe()).toEqual({ ready: false, reason });
      const { end } = await runTurn(runtime, makeSpec(state));
      expect(end).toMatchObject({ outcome: 'failed', reason });
    });
  });

  it('says what to install', async () => {
    await inFolder(async (state) => {
      const install = `run npm install --prefix ${state}/sdk --include=optional @anthropic-ai/claude-agent-sdk@0.3.329`;
      const reason = expect.stringContaining(install);
      expect(await makeRuntime(state, READY).probe()).toEqual({ ready: false, reason });
      expect(await makeRuntime(state, READY).selfTest?.()).toEqual({ passed: false, reason });
      const { end } = await runTurn(makeRuntime(state, READY), makeSpec(state));
      expect(end).toMatchObject({ outcome: 'failed', reason });
    });
  });

  it('says so where the program of the SDK is missing', async () => {
    await inFolder(async (state) => {
      await installFake(state, '', { program: false });
      const reason = expect.stringContaining(
        `The Claude Agent SDK is there, but not its program for ${process.platform}-${process.arch}: run npm install`,
      );
      expect(await makeRuntime(state, READY).probe()).toEqual({ ready: false, reason });
    });
  });

  it('says so where the SDK cannot be loaded', async () => {
    await inFolder(async (state) => {
      await installFake(state, 'this is no JavaScript');
      const { end } = await runTurn(makeRuntime(state, READY), makeSpec(state));
      const reason = expect.stringContaining('The Claude Agent SDK 0.3.329 cannot be loaded: ');
      expect(end).toMatchObject({ outcome: 'failed', reason });
    });
  });

  it('makes and imports nothing before its first turn', async () => {
    await inFolder(async (folder) => {
      const state = join(folder, 'state');
      await makeRuntime(state, READY).probe();
      expect(await readdir(folder)).toEqual([]);
    });
  });

  it('says so where the project folder is missing', async () => {
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

  it('is a failure where the agent has a tool that is not listed, before anything is called', async () => {
    await inFolder(async (state) => {
      const tools = "['Read', 'Workflow']";
      await installFake(
        state,
        `${INIT.replace('options.tools', tools)}\n${textMessage('Too late.')}\n${resultOf()}`,
      );
      const spec = makeSpec(state, { capability: { tools: ['Read'] } });
      const { end, messages } = await runTurn(makeRuntime(state, READY), spec);
      const reason = "The agent's program offers tools that this turn must not have: Workflow.";
      expect(end).toMatchObject({ outcome: 'failed', reason });
      expect(messages).toEqual([]);
    });
  });

  it('is a failure where nothing was said or called', async () => {
    const end = await endOf(INIT + resultOf());
    expect(end).toMatchObject({ outcome: 'failed', reason: 'The turn produced no output.' });
  });

  it('is decided by the error, not by the name of the result', async () => {
    const result = resultOf("is_error: true, result: 'API Error: 401'");
    const end = await endOf(`${INIT}${result}\nthrow new Error('an error result');`);
    expect(end).toMatchObject({ outcome: 'failed', reason: 'The model failed: API Error: 401' });
  });

  it('is a failure where the program ends without a result', async () => {
    const end = await endOf(`${INIT}\nthrow new Error('exited with code 1');`);
    const reason = "The agent's program failed: exited with code 1";
    expect(end).toMatchObject({ outcome: 'failed', reason });
  });

  it('is that of the stop, also where the SDK never ends', async () => {
    const stop = new AbortController();
    stop.abort(new TurnStop('timed_out', 'Its time was up.'));
    const before = await endOf(INIT, stop.signal);
    expect(before).toMatchObject({ outcome: 'timed_out', reason: 'Its time was up.' });
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
describe('what a turn has cost', () => {
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

  it('is what the SDK says where it has a list price', async () => {
    expect(await costWith('list', { prices })).toBe(500_000);
  });

  it('is counted by the prices that are given where it has none', async () => {
    expect(await costWith('unknown', { prices })).toBe(1300 * 10 + 50 * 100);
  });

  it('is unknown where nobody can tell', async () => {
    expect(await costWith('unknown')).toBeNull();
  });
});

// proves: claude.relay
describe('the relay of a turn', () => {
  // What the fake agent finds out, it says; the test reads that.
  const said = async (
    body: string,
    steps: Parameters<Awaited<ReturnType<typeof startScriptedModel>>['script']>[0],
    maxTurns = 30,
  ) => {
    const model = await startScriptedModel();
    model.script(steps);
    let ran: Awaited<ReturnType<typeof runTurn>> | undefined;
    const asked: AskedModel[] = [];
    let env: Record<string, string> = {};
    await inFolder(async (state) => {
      const tell = 'globalThis.svcEnv = options.env;';
      await installFake(state, `${INIT}\n${tell}\n${body}\n${resultOf()}`);
      const runtime = makeRuntime(state, { baseUrl: model.url, apiKey: () => 'real-key-4711' });
      ran = await runTurn(
        runtime,
        makeSpec(state, { limits: { maxTurns }, onModelCall: (call) => asked.push(call) }),
      );
      env = (globalThis as unknown as { svcEnv: Record<string, string> }).svcEnv;
    });
    await model.close();
    if (ran === undefined) throw new Error('the turn did not run');
    return { ...ran, env, asked, requests: model.requests };
  };
  const tell = (expression: string): string =>
    `yield { type: 'assistant', parent_tool_use_id: null, message: { content: [{ type: 'text', text: String(${expression}) }] } };`;

  it('adds the key, which is nowhere in what the agent is given', async () => {
    const ran = await said(`${ASK}\nawait answer.text();${tell('answer.status')}`, []);
    expect(ran.said).toEqual(['200']);
    expect(JSON.stringify(ran.env)).not.toContain('real-key-4711');
    const [request] = ran.requests;
    expect(request).toMatchObject({
      path: '/v1/messages?beta=true',
      headers: { 'x-api-key': 'real-key-4711' },
    });
    expect(JSON.stringify(request)).not.toContain(ran.env['ANTHROPIC_API_KEY']);
  });

  it('is gone after the turn', async () => {
    const { env } = await said(tell("'x'"), []);
    await expect(fetch(`${env['ANTHROPIC_BASE_URL']}/v1/messages`)).rejects.toThrow();
  });

  it('takes its own key and the paths of the Messages API alone', async () => {
    const call = (path: string, key: string, method = 'POST') =>
      `(await fetch(options.env.ANTHROPIC_BASE_URL + '${path}', { method: '${method}', headers: { ${key} } })).status`;
    const own = "'x-api-key': options.env.ANTHROPIC_API_KEY";
    const asked = [
      call('/v1/messages', "'x-api-key': 'other'"),
      call('/v1/messages', ''),
      call('/v1/files', own),
      call('/v1/messages/batches', own),
      call('/v1/messages', own, 'GET'),
      call('/v1/messages/count_tokens', "authorization: 'Bearer ' + options.env.ANTHROPIC_API_KEY"),
    ];
    const ran = await said(asked.map(tell).join('\n'), []);
    expect(ran.said).toEqual(['401', '401', '404', '404', '404', '200']);
    expect(ran.requests).toHaveLength(1);
    expect(ran.end.turns).toBe(0);
  });

  it('lets no more calls through than the turn may make, those that failed aside', async () => {
    const ask = `{ ${ASK}\nawait answer.text();\n${tell('answer.status')} }`;
    const ran = await said(ask.repeat(4), [{ status: 500 }, {}, {}], 2);
    expect(ran.said).toEqual(['500', '200', '200', '400']);
    // The last one was never asked.
    expect(ran.asked.map(({ error }) => error)).toEqual([
      expect.stringContaining('500'),
      null,
      null,
    ]);
    expect(ran.asked[1]).toMatchObject({ tokensIn: expect.any(Number), within: null });
    expect(ran.end).toMatchObject({
      outcome: 'max_turns',
      reason: 'The limit of 2 model calls was reached.',
      turns: 2,
    });
  });

  it('passes faults on, and shortens how long to wait', async () => {
    const ran = await said(
      `${ASK}${tell("answer.status + ' ' + answer.headers.get('retry-after')")}`,
      [{ status: 429, headers: { 'retry-after': '3600' } }],
    );
    expect(ran.said).toEqual(['429 5']);
  });

  // No client would send some of these headers.
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
    ${tell('status')}`;

  it('passes on none of the headers that are between two neighbours', async () => {
    const ran = await said(askWith('trailer: x\\r\\nte: trailers\\r\\n'), [{}]);
    expect(ran.said).toEqual(['200']);
    expect(ran.requests).toHaveLength(1);
  });

  it.each([
    ['a status that there is not', 'HTTP/1.1 042 Odd\r\ncontent-length: 2\r\n\r\n{}', '502'],
    ['a trailer', 'HTTP/1.1 200 OK\r\ntrailer: x\r\ncontent-length: 2\r\n\r\n{}', '200'],
  ])('outlives a server that answers with %s', async (_what, bytes, status) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await inFolder(async (state) => {
      await installFake(state, `${INIT}\n${askWith()}\n${resultOf()}`);
      const runtime = makeRuntime(state, { baseUrl: `http://127.0.0.1:${port}` });
      expect((await runTurn(runtime, makeSpec(state))).said).toEqual([status]);
    });
    await new Promise((resolve) => server.close(resolve));
  });

  it('counts a call that the agent gave up, as the server may have worked on it', async () => {
    let asked = 0;
    const server = createHttpServer(() => {
      asked += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await inFolder(async (state) => {
      const giveUp = `const abort = new AbortController();
        const given = fetch(options.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', signal: abort.signal,
          headers: { 'x-api-key': options.env.ANTHROPIC_API_KEY }, body: '{}' }).catch(() => {});
        await globalThis.svcAsked();
        abort.abort();
        await given;
        await globalThis.svcGone();`;
      const hooks = globalThis as unknown as Record<string, () => Promise<void>>;
      hooks['svcAsked'] = () => until(() => asked === 1);
      hooks['svcGone'] = () =>
        until(
          () => new Promise((resolve) => server.getConnections((_, count) => resolve(count === 0))),
        );
      await installFake(state, `${INIT}\n${giveUp}\n{ ${askWith()} }\n${resultOf()}`);
      const runtime = makeRuntime(state, { baseUrl: `http://127.0.0.1:${port}` });
      const { end } = await runTurn(runtime, makeSpec(state, { limits: { maxTurns: 1 } }));
      expect(end.outcome).toBe('max_turns');
      expect(asked).toBe(1);
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('lets an answer that breaks off look broken', async () => {
    const body = `${ASK}\nlet how = 'whole';\ntry { await answer.text(); } catch { how = 'broken'; }${tell('how')}`;
    const ran = await said(body, [{ text: 'half', cut: true }]);
    expect(ran.said).toEqual(['broken']);
  });

  it('says so where the server cannot be reached', async () => {
    await inFolder(async (state) => {
      await installFake(
        state,
        `${INIT}\n${ASK}${tell("answer.status + ' ' + (await answer.text())")}${resultOf()}`,
      );
      const runtime = makeRuntime(state, { baseUrl: 'http://127.0.0.1:1' });
      const { said: heard } = await runTurn(runtime, makeSpec(state));
      expect(heard[0]).toMatch(/^502 .*The model's server cannot be reached/);
    });
  });
});

// proves: claude.environment
describe('the environment of the agent', () => {
  it('is that of the turn with what the SDK needs, without logins and keys of others', async () => {
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
      const given = (globalThis as unknown as { svcEnv: Record<string, string> }).svcEnv;
      expect(given).toEqual({
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
  it('are worked in by one turn at a time', async () => {
    await inFolder(async (state) => {
      const counts =
        'globalThis.svcAt ??= { now: 0, most: 0, begun: 0 }; const at = globalThis.svcAt;';
      await installFake(
        state,
        `${counts} at.now += 1; at.begun += 1; at.most = Math.max(at.most, at.now);
         await new Promise((resolve) => setTimeout(resolve, 30)); at.now -= 1;${INIT}${textMessage('x')}${resultOf()}`,
      );
      const runtime = makeRuntime(state, READY);
      const sessionId = newId();
      const ends = await Promise.all(
        [1, 2, 3].map(() => runTurn(runtime, makeSpec(state, { sessionId }))),
      );
      expect(ends.map(({ end }) => end.outcome)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      const { most, begun } = (globalThis as unknown as { svcAt: Record<string, number> }).svcAt;
      expect([most, begun]).toEqual([1, 3]);
    });
  });

  it('are not waited for by a turn that is stopped', async () => {
    await inFolder(async (state) => {
      await installFake(state, `${INIT}${textMessage('I wait.')}await new Promise(() => {});`);
      const runtime = makeRuntime(state, READY);
      const sessionId = newId();
      const first = new AbortController();
      let begun = false;
      const running = runTurn(runtime, makeSpec(state, { sessionId }), first.signal, () => {
        begun = true;
      });
      await until(() => begun);
      const second = new AbortController();
      const waiting = runTurn(runtime, makeSpec(state, { sessionId }), second.signal);
      second.abort(new TurnStop('cancelled', 'Not any more.'));
      expect((await waiting).end).toMatchObject({ outcome: 'cancelled', turns: 0 });
      first.abort();
      await running;
    });
  });

  it('say in words where one is gone', async () => {
    await inFolder(async (state) => {
      await installFake(state, `${INIT}${textMessage(' ')}${textMessage('Hello.')}${resultOf()}`);
      const spec = makeSpec(state, { resume: { ref: newId(), fork: false } });
      const { messages, sessions } = await runTurn(makeRuntime(state, READY), spec);
      expect(messages[0]).toMatchObject({
        kind: 'notice',
        text: 'The session that this chat had with the runtime is gone: the agent knows what was said before this turn, not what it saw and did.',
      });
      expect(sessions).toEqual([spec.sessionId]);
    });
  });

  // proves: runtimes.history.sent
  it.each([
    ['the chat has none yet', null],
    ['its own is gone', { ref: newId(), fork: false }],
  ])('begin with what was said in the chat where %s', async (_, resume) => {
    await inFolder(async (state) => {
      await installFake(state, `${INIT}${ECHO}${resultOf()}`);
      const { said } = await runTurn(
        makeRuntime(state, READY),
        makeSpec(state, { resume, history: async () => [ADA] }),
      );
      expect(said).toEqual([
        expect.stringMatching(/Earlier messages.*user:\nMy name is Ada\..*Do it\.$/s),
      ]);
    });
  });

  it('that go on are not told again what was said', async () => {
    await inFolder(async (state) => {
      const ref = newId();
      const kept = join(state, 'config', 'projects', 'demo');
      await mkdir(kept, { recursive: true });
      await writeFile(join(kept, `${ref}.jsonl`), '');
      await installFake(state, `${INIT}${ECHO}${resultOf()}`);
      const resume = { ref, fork: false };
      const spec = makeSpec(state, { resume, history: async () => [ADA] });
      expect((await runTurn(makeRuntime(state, READY), spec)).said).toEqual(['Do it.']);
    });
  });
});

describe('the fence', () => {
  // An SDK that does whatever it is told, without asking the hook.
  const CARELESS = `const { writeFileSync, readFileSync } = await import('node:fs');
const { dirname, join } = await import('node:path');
${INIT}
for (const told of [readFileSync(join(options.cwd, 'inside.txt'), 'utf8'), globalThis.svcTells ?? '']) {
  await fetch(options.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST',
    headers: { 'x-api-key': options.env.ANTHROPIC_API_KEY },
    body: JSON.stringify({ told }),
  });
}
writeFileSync(join(options.cwd, 'allowed.txt'), 'x');
globalThis.svcEscape?.(options.cwd);
${resultOf()}`;
  const hands = globalThis as unknown as { svcEscape?: (cwd: string) => void };

  // proves: claude.fence
  it('is tried once for a version, and what is found is remembered', async () => {
    await inFolder(async (state) => {
      delete hands.svcEscape;
      await installFake(state, CARELESS);
      expect(await makeRuntime(state, READY).selfTest?.()).toEqual({ passed: true });
      const kept = JSON.parse(await readFile(join(state, 'fence.json'), 'utf8'));
      expect(kept).toEqual({ key: '0.3.329 0.1.0 ', holds: true });
      const other = join(state, 'other');
      await installFake(other, 'throw new Error("asked again");');
      await copyFile(join(state, 'fence.json'), join(other, 'fence.json'));
      expect(await makeRuntime(other, READY).selfTest?.()).toEqual({ passed: true });
      await installFake(other, 'throw new Error("asked again");', { version: '0.4.0' });
      const reason = expect.stringContaining('The fence could not be tried');
      expect(await makeRuntime(other, READY).selfTest?.()).toEqual({ passed: false, reason });
    });
  });

  // proves: claude.fence
  it('is tried once the SDK is there, and again for another version of it', async () => {
    await inFolder(async (state) => {
      const runtime = makeRuntime(state, READY);
      expect(await runtime.selfTest?.()).toMatchObject({ passed: false });
      await installFake(state, CARELESS);
      expect(await runtime.selfTest?.()).toEqual({ passed: true });
      await installFake(state, CARELESS, { version: '0.4.0' });
      expect(await runtime.selfTest?.()).toEqual({ passed: true });
      const kept = JSON.parse(await readFile(join(state, 'fence.json'), 'utf8'));
      expect(kept).toEqual({ key: '0.4.0 0.1.0 ', holds: true });
    });
  });

  // proves: claude.fence
  it('does not hold where anything got through', async () => {
    const { mkdirSync, writeFileSync } = await import('node:fs');
    await inFolder(async (state) => {
      await installFake(state, CARELESS);
      hands.svcEscape = (cwd) => {
        writeFileSync(join(cwd, '../outside/bash'), '');
        writeFileSync(join(cwd, 'project.yaml'), 'x');
        mkdirSync(join(cwd, '.claude'));
        writeFileSync(join(cwd, '.claude/settings.json'), '{}');
      };
      expect(await makeRuntime(state, READY).selfTest?.()).toEqual({
        passed: false,
        reason:
          'An agent that was tried ran Bash, which is not listed, and wrote project.yaml, and wrote in .claude.',
      });
      delete hands.svcEscape;
    });
  });
});

describe('the version of this package', () => {
  it('is the one that verdicts are kept for', async () => {
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

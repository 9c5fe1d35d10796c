// @ts-check
// What a turn of a model behind an endpoint costs beside bare calls of the same library that do the same work, against the
// same server on loopback, which runs in a process of its own; each in a fresh process. "beside native" are the bare calls
// in a process that has played such a turn as a playbook: what the service holds anyway. Needs a build; run with node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = 40;
const AT_ONCE = 10;
const PROCESSES = 3;
// How far the young heap happens to grow would say more than what is held.
const FLAGS = ['--expose-gc', '--max-semi-space-size=1'];
const CALLS = ['a.md', 'b.md'];
const [role, baseUrl = '', folder = ''] = process.argv.slice(2);

/** Starts the server, then each variant in a new process, and prints their results. */
async function compare() {
  const { child, line: url } = await start('server');
  const place = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  try {
    for (const name of CALLS) await writeFile(join(place, name), `Line of ${name}\n`);
    /** @type {Record<string, Record<string, number>[]>} */
    const results = { bare: [], beside: [], turn: [] };
    for (let process = 0; process < PROCESSES; process += 1) {
      for (const [way, list] of Object.entries(results)) {
        list.push(JSON.parse((await start(way, url, place)).line));
      }
    }
    print(middle(results['bare']), middle(results['beside']), middle(results['turn']));
  } finally {
    child.kill();
    await rm(place, { recursive: true, force: true });
  }
}

/**
 * The median over several processes, for each measure.
 *
 * @param {Record<string, number>[]} [results]
 */
function middle(results = []) {
  return Object.fromEntries(
    Object.keys(results[0] ?? {}).map((name) => {
      const numbers = results.map((one) => one[name] ?? 0).sort((a, b) => a - b);
      return [name, numbers[Math.floor(numbers.length / 2)] ?? 0];
    }),
  );
}

/**
 * @param {Record<string, number>} direct
 * @param {Record<string, number>} beside
 * @param {Record<string, number>} turn
 */
function print(direct, beside, turn) {
  const lines = [
    'measure | bare calls | beside native | turn of native | ratio | more than beside native',
  ];
  for (const [name, a] of Object.entries(direct)) {
    const [b = 0, c = 0] = [beside[name], turn[name]];
    const numbers = [a, b, c, c / a, c - b].map((number) => number.toFixed(2));
    lines.push([name, ...numbers].join(' | '));
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** @param {string[]} parts */
async function start(...parts) {
  const child = spawn(process.execPath, [...FLAGS, process.argv[1] ?? '', ...parts], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(() => [null]);
  const [data] = await Promise.race([once(child.stdout, 'data'), ended]);
  if (data === null) throw new Error(`${parts[0]} ended without a word`);
  return { child, line: String(data).trim() };
}

async function serve() {
  const { startScriptedEndpoint } = await import('@svc/agent-runtime/testing');
  const endpoint = await startScriptedEndpoint();
  process.stdout.write(`${endpoint.baseUrl}\n`);
}

function prompt() {
  const calls = CALLS.map((name) => ({ name: 'Read', input: { file_path: name } }));
  return `Make these calls:\n${JSON.stringify(calls)}`;
}

/** Three model calls with two reads between them, by hand. */
async function bare() {
  const parameters = { type: 'object', properties: { file_path: { type: 'string' } } };
  /** @type {any[]} */
  const tools = [{ type: 'function', function: { name: 'Read', parameters } }];
  return async () => {
    const { OpenAI } = await import('openai');
    const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none', maxRetries: 0 });
    /** @type {any[]} */
    const messages = [{ role: 'user', content: prompt() }];
    for (;;) {
      const stream = await client.chat.completions.create({
        model: 'bench',
        messages,
        tools,
        stream: true,
        stream_options: { include_usage: true },
      });
      /** @type {any} */
      let call = null;
      for await (const chunk of stream) call ??= chunk.choices[0]?.delta.tool_calls?.[0] ?? null;
      if (call === null) return;
      const path = JSON.parse(call.function.arguments).file_path;
      messages.push({
        role: 'assistant',
        content: null,
        tool_calls: [{ ...call, type: 'function' }],
      });
      const content = await readFile(join(folder, path), 'utf8');
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  };
}

/** The same as a turn of a playbook, then by hand. */
async function beside() {
  const { createPlaybook } = await import('@svc/agent-runtime');
  const play = await turns(createPlaybook());
  const steps = CALLS.map((name) => `~~~tool Read\n{ "file_path": "${name}" }\n~~~\n`);
  await play(steps.join('\n'));
  return bare();
}

/**
 * The same as a turn.
 *
 * @param {import('@svc/agent-runtime').TurnModel} [given]
 */
async function turns(given) {
  const { createChatModel, createNativeRuntime, createProcessReaper } = await import(
    '@svc/agent-runtime'
  );
  const { createSystemClock, newId, silentLogger: logger } = await import('@svc/core');
  const clock = createSystemClock();
  const options = { baseUrl, model: 'bench', apiKey: null, contextTokens: 128_000, prices: null };
  const runtime = createNativeRuntime({
    clock,
    logger,
    model: given ?? createChatModel({ clock }, options),
    reaper: createProcessReaper({ clock, logger }),
    detectRuntimes: async () => [],
    operations: {},
  });
  const capability = {
    runsAs: /** @type {const} */ ('agent'),
    agentName: null,
    tools: ['Read'],
    permissionMode: /** @type {const} */ ('default'),
    maxTurns: 30,
    maxSpawnDepth: 0,
  };
  return async (author = prompt()) => {
    const turnId = newId();
    const spec = {
      turnId,
      runId: null,
      sessionId: newId(),
      project: 'bench',
      cwd: folder,
      prompt: { author },
      capability,
      depth: 0,
      model: null,
      instructions: 'You are measured.',
      resume: null,
      history: async () => [],
      limits: { maxTurns: 30 },
      env: { PATH: '/usr/bin:/bin', HOME: folder, SVC_TURN_ID: turnId },
      toolset: null,
    };
    for await (const event of runtime.start(spec, new AbortController().signal)) {
      if (event.type === 'ended' && event.end.outcome !== 'succeeded') {
        throw new Error(`${event.end.outcome}: ${event.end.reason}`);
      }
    }
  };
}

/** @param {() => Promise<void>} work */
async function measure(work) {
  const many = () => Promise.all(Array.from({ length: AT_ONCE }, work));
  const first = await timed(work);
  for (let round = 0; round < 20; round += 1) await work();
  const one = await median(work);
  const atOnce = await median(many);
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const memory = await readFile('/proc/self/smaps_rollup', 'utf8');
  const kib = (/** @type {string} */ name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(memory)?.[1]);
  const results = {
    'first, ms': first,
    'one, ms': one,
    [`${AT_ONCE} at once, ms`]: atOnce,
    // Steadier than the other two.
    'heap in use, MiB': process.memoryUsage().heapUsed / 1024 / 1024,
    'PSS, MiB': kib('Pss') / 1024,
    'RSS, MiB': kib('Rss') / 1024,
  };
  process.stdout.write(`${JSON.stringify(results)}\n`);
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** @param {() => Promise<unknown>} work */
async function median(work) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(work));
  times.sort((a, b) => a - b);
  return times[ROUNDS / 2] ?? 0;
}

if (role === undefined) await compare();
else if (role === 'server') await serve();
else if (role === 'bare') await measure(await bare());
else if (role === 'beside') await measure(await beside());
else await measureTurns();

async function measureTurns() {
  const turn = await turns();
  await measure(() => turn());
}

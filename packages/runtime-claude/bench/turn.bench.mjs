// @ts-check
// Compares a turn of two tool calls with a plain query() of the same SDK: time to the first model call, time of the whole
// turn, memory of the process and its descendants, and ten concurrent turns. Both variants alternate in the same run, each in
// its own process, against scripted models. Needs a build; installs the SDK if it is missing.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createProcessReaper } from '@svc/agent-runtime';
import { createSystemClock, newId, silentLogger } from '@svc/core';
import { createClaudeRuntime } from '@svc/runtime-claude';
import { startScriptedModel } from '@svc/runtime-claude/testing';

const ROUNDS = 10;
const TOOLS = ['Read', 'Bash'];
const INSTRUCTIONS = 'You are measured.';
const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };
const clock = createSystemClock();

const installer = fileURLToPath(
  new URL('../../../apps/server/test-deep/install-foreign.mjs', import.meta.url),
);

/** Starts a scripted model. Each turn has its own, so that concurrent turns do not share a script. */
async function startModel() {
  const model = await startScriptedModel();
  model.script([
    { calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
    { calls: [{ name: 'Bash', input: { command: 'echo x' } }] },
    { text: 'Done.' },
  ]);
  return model;
}

/** Proportional memory of this process and its descendants, in bytes. */
function memory() {
  const parents = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = read(`/proc/${pid}/stat`);
    parents.set(pid, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  }
  const isOwn = (/** @type {string | undefined} */ pid) => {
    for (let at = pid; at !== undefined; at = parents.get(at)) {
      if (at === String(process.pid)) return true;
    }
    return false;
  };
  const sizes = [...parents.keys()].filter(isOwn).map((pid) => {
    const line = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`));
    return Number(line?.[1] ?? 0) * 1024;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} base */
async function bare(base) {
  const from = createRequire(join(base, 'sdk', 'package.json'));
  const module = from.resolve('@anthropic-ai/claude-agent-sdk');
  const { query } = await import(pathToFileURL(module).href);
  return async (/** @type {string} */ url) => {
    const options = {
      cwd: join(base, 'project'),
      env: {
        ...ENV,
        HOME: base,
        CLAUDE_CONFIG_DIR: join(base, 'bare'),
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      tools: TOOLS,
      allowedTools: ['Bash'],
      permissionMode: 'dontAsk',
      settingSources: [],
      strictMcpConfig: true,
      verbatimPrompts: true,
      systemPrompt: INSTRUCTIONS,
      sessionId: newId(),
      maxTurns: 30,
    };
    for await (const message of query({ prompt: 'Do it.', options })) {
      if (message.type === 'result' && message.is_error) throw new Error(message.result);
    }
  };
}

/** @param {string} base */
async function svc(base) {
  const reaper = createProcessReaper({ clock, logger: silentLogger });
  const deps = { clock, logger: silentLogger, reaper, operations: {} };
  return async (/** @type {string} */ baseUrl) => {
    const options = { model: null, baseUrl, apiKey: () => null, projectInstructions: false };
    const runtime = createClaudeRuntime(deps, { ...options, stateFolder: base });
    const turnId = newId();
    const capability = {
      runsAs: /** @type {const} */ ('agent'),
      agentName: null,
      tools: TOOLS,
      permissionMode: /** @type {const} */ ('default'),
      maxTurns: 30,
      maxSpawnDepth: 0,
    };
    const spec = {
      turnId,
      runId: null,
      sessionId: newId(),
      project: 'bench',
      cwd: join(base, 'project'),
      prompt: { author: 'Do it.' },
      capability,
      depth: 0,
      model: null,
      instructions: INSTRUCTIONS,
      resume: null,
      history: async () => [],
      limits: { maxTurns: 30 },
      env: { ...ENV, HOME: base, SVC_TURN_ID: turnId },
      toolset: null,
    };
    for await (const event of runtime.start(spec, new AbortController().signal)) {
      if (event.type === 'ended' && event.end.outcome !== 'succeeded') {
        throw new Error(`${event.end.outcome}: ${event.end.reason}`);
      }
    }
  };
}

/** A process that runs turns on request. @param {string} kind @param {string} base */
async function serve(kind, base) {
  const turn = await (kind === 'bare' ? bare(base) : svc(base));
  process.on('message', async (/** @type {{ url: string } | { urls: string[] }} */ request) => {
    const from = clock.mono();
    if ('url' in request) await turn(request.url);
    else await Promise.all(request.urls.map(turn));
    process.send?.({ took: clock.mono() - from });
  });
  process.on('SIGUSR2', () => process.send?.({ bytes: memory() }));
  process.send?.({ ready: true });
}

/** @param {number[]} values */
function median(values) {
  values.sort((a, b) => a - b);
  const half = values.length / 2;
  return ((values[Math.floor(half)] ?? 0) + (values[Math.ceil(half) - 1] ?? 0)) / 2;
}

/** @param {string} kind @param {string} base */
async function start(kind, base) {
  const child = fork(fileURLToPath(import.meta.url), [kind, base]);
  await once(child, 'message');
  /** @type {{ first: number[], took: number[], bytes: number[], ten: number[] }} */
  const seen = { first: [], took: [], bytes: [], ten: [] };
  const answer = async (/** @type {string} */ field) => {
    for (;;) {
      const [message] = await once(child, 'message');
      if (field in message) return message[field];
    }
  };
  return {
    child,
    seen,
    async turn(/** @type {boolean} */ counts) {
      const model = await startModel();
      const took = answer('took');
      const from = clock.mono();
      child.send({ url: model.url });
      while (model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 0.5));
      const firstCall = clock.mono() - from;
      while (model.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 0.5));
      const size = answer('bytes');
      child.kill('SIGUSR2');
      const bytes = await size;
      const whole = await took;
      await model.close();
      if (!counts) return;
      seen.first.push(firstCall);
      seen.took.push(whole);
      seen.bytes.push(bytes);
    },
    async ten() {
      const models = await Promise.all(Array.from({ length: 10 }, startModel));
      const took = answer('took');
      child.send({ urls: models.map(({ url }) => url) });
      seen.ten.push(await took);
      for (const model of models) await model.close();
    },
  };
}

async function main() {
  const base = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const { 'claude-agent-sdk': sdk } = JSON.parse(
    execFileSync(process.execPath, [installer, 'claude-agent-sdk'], { encoding: 'utf8' }),
  );
  mkdirSync(join(base, 'project'));
  writeFileSync(join(base, 'project', 'a.txt'), 'a\n');
  symlinkSync(sdk, join(base, 'sdk'));
  const sides = [await start('bare', base), await start('svc', base)];
  for (const side of sides) await side.turn(false);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side.turn(true);
  }
  for (let round = 0; round < 3; round += 1) for (const side of sides) await side.ten();
  const rows = /** @type {const} */ ([
    ['first model call, ms', 'first', 1],
    ['whole turn, ms', 'took', 1],
    ['memory of all processes, MB', 'bytes', 1e6],
    ['ten turns at once, ms', 'ten', 1],
  ]);
  const lines = ['median of ten | query() | svc | more | ratio'];
  for (const [name, field, unit] of rows) {
    const [a = 0, b = 0] = sides.map(({ seen }) => median(seen[field]) / unit);
    lines.push(
      [name, a.toFixed(1), b.toFixed(1), (b - a).toFixed(1), (b / a).toFixed(3)].join(' | '),
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  for (const { child } of sides) child.kill();
  rmSync(base, { recursive: true, force: true });
}

const [, , kind, folder] = process.argv;
await (kind === undefined || folder === undefined ? main() : serve(kind, folder));

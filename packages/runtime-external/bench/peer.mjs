// @ts-check
// Measures one way of running a command in its own process and prints time and memory as one line of JSON. Every process
// loads the modules that the service has without this package.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProcessReaper } from '@svc/agent-runtime';
import { createSystemClock, silentLogger as logger, newId } from '@svc/core';

const [way = '', agent = '', cwd = ''] = process.argv.slice(2);
const env = { PATH: '/usr/bin:/bin', HOME: cwd, LANG: 'C.UTF-8' };
const clock = createSystemClock();
const TURNS = 30;
const SAMPLES = 10;
const INSTRUCTIONS = 'You are measured.';
const SLOW_MS = 600;

const QUICK = '[[{"say":"An answer."}]]';
const SLOW = `[[{"pause":${SLOW_MS}},{"say":"An answer."}]]`;

const nothing = async () => ({ ended: 0 });
/** A reaper that does not scan processes. */
const IDLE = { forks: () => null, endTurns: nothing, endGroup: nothing };

/** @type {Record<string, () => Promise<(slow: boolean) => Promise<void>>>} */
const WAYS = {
  'text bare': async () => async (slow) => {
    const [program, ...args] = textCommand(slow);
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end(`${INSTRUCTIONS}\n\nAn answer.`);
    let answer = '';
    for await (const chunk of child.stdout) answer += chunk;
    if (answer === '') throw new Error('no answer');
  },
  'text svc': () => svcText(),
  'text without reaper': () => svcText(IDLE),
  'acp bare': async () => {
    const { client, methods, ndJsonStream } = await import('@agentclientprotocol/sdk');
    return async (slow) => {
      const child = spawn(process.execPath, [agent], { cwd, env });
      const stream = ndJsonStream(
        /** @type {any} */ (Writable.toWeb(child.stdin)),
        /** @type {any} */ (Readable.toWeb(child.stdout)),
      );
      let answer = '';
      const app = client({ name: 'bare' }).onNotification(
        methods.client.session.update,
        ({ params: { update } }) => {
          if (update.sessionUpdate === 'agent_message_chunk')
            answer += JSON.stringify(update.content);
        },
      );
      await app.connectWith(stream, async (peer) => {
        await peer.request(methods.agent.initialize, { protocolVersion: 1 });
        const { sessionId } = await peer.request(methods.agent.session.new, {
          cwd,
          mcpServers: [],
        });
        const prompt = [{ type: /** @type {const} */ ('text'), text: slow ? SLOW : QUICK }];
        await peer.request(methods.agent.session.prompt, { sessionId, prompt });
      });
      if (answer === '') throw new Error('no answer');
      child.stdin.end();
      await new Promise((resolve) => child.once('exit', resolve));
    };
  },
  'acp svc': () => svcAgent(),
  'acp without reaper': () => svcAgent(IDLE),
};

/** @param {boolean} slow @returns {[string, ...string[]]} */
function textCommand(slow) {
  return slow ? ['/bin/sh', '-c', `cat; sleep ${SLOW_MS / 1000}`] : ['/bin/cat'];
}

/** @param {import('@svc/agent-runtime').ProcessReaper} [reaper] */
async function svcText(reaper) {
  const run = await svcRunner(reaper);
  return (/** @type {boolean} */ slow) => {
    const [command, ...args] = textCommand(slow);
    return run({ protocol: 'text', command, args }, 'An answer.');
  };
}

/** @param {import('@svc/agent-runtime').ProcessReaper} [reaper] */
async function svcAgent(reaper) {
  const run = await svcRunner(reaper);
  const options = { protocol: 'acp', command: process.execPath, args: [agent] };
  return (/** @type {boolean} */ slow) => run(options, slow ? SLOW : QUICK);
}

async function svcRunner(reaper = createProcessReaper({ clock, logger })) {
  const { createExternalRuntime } = await import('@svc/runtime-external');
  const deps = { clock, logger, reaper, operations: {}, path: env.PATH };
  return async (/** @type {any} */ command, /** @type {string} */ author) => {
    const options = { id: 'bench', model: null, env: {}, prices: null, ...command };
    const turnId = newId();
    const capability = {
      runsAs: /** @type {const} */ ('keeper'),
      agentName: null,
      tools: [],
      permissionMode: /** @type {const} */ ('default'),
      maxTurns: 30,
      maxSpawnDepth: 0,
    };
    const spec = {
      turnId,
      runId: null,
      sessionId: newId(),
      project: 'bench',
      cwd,
      prompt: { author },
      capability,
      depth: 0,
      model: null,
      instructions: INSTRUCTIONS,
      resume: null,
      history: async () => [],
      limits: { maxTurns: 30 },
      env: { ...env, SVC_TURN_ID: turnId },
      toolset: null,
    };
    const turn = createExternalRuntime(deps, options).start(spec, new AbortController().signal);
    for await (const event of turn) {
      if (event.type === 'ended' && event.end.outcome !== 'succeeded') {
        throw new Error(`${event.end.outcome}: ${event.end.reason}`);
      }
    }
  };
}

/** Proportional memory of this process and all below it, in MB. */
function treeMegabytes() {
  // Garbage of earlier turns must not count.
  globalThis.gc?.();
  const parents = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readOr(`/proc/${pid}/stat`);
    parents.set(Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isBelow = (/** @type {number | undefined} */ pid) => {
    for (let at = pid; at !== undefined && at > 1; at = parents.get(at)) {
      if (at === process.pid) return true;
    }
    return false;
  };
  let kilobytes = 0;
  for (const pid of parents.keys()) {
    if (!isBelow(pid)) continue;
    const [, pss = '0'] = /^Pss:\s+(\d+)/m.exec(readOr(`/proc/${pid}/smaps_rollup`)) ?? [];
    kilobytes += Number(pss);
  }
  return kilobytes / 1024;
}

/** @param {string} path */
function readOr(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @param {number[]} numbers */
const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const run = await /** @type {() => Promise<(slow: boolean) => Promise<void>>} */ (WAYS[way])();
for (let i = 0; i < 5; i += 1) await run(false);
const times = [];
for (let i = 0; i < TURNS; i += 1) {
  const from = performance.now();
  await run(false);
  times.push(performance.now() - from);
}
const memory = [];
for (let i = 0; i < SAMPLES; i += 1) {
  const turn = run(true);
  await sleep(SLOW_MS / 2);
  memory.push(treeMegabytes());
  await turn;
}
const many = [];
const crowd = [];
for (let i = 0; i < 5; i += 1) {
  const from = performance.now();
  await Promise.all(Array.from({ length: 10 }, () => run(false)));
  many.push(performance.now() - from);
  const turns = Array.from({ length: 10 }, () => run(true));
  await sleep(SLOW_MS * 0.9);
  crowd.push(treeMegabytes());
  await Promise.all(turns);
}
const result = {
  one: median(times),
  oneMb: median(memory),
  ten: median(many),
  tenMb: median(crowd),
};
process.stdout.write(`${JSON.stringify(result)}\n`);

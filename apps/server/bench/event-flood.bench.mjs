// @ts-check
// Archives 10,000 chats as fast as possible in a project with a hook whose agent takes 2 ms, compared with two rows written
// directly with the same database driver.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from '@photostructure/sqlite';
import { createSystemClock, silentLogger as logger, newId } from '@svc/core';
import { createChangeFeed, createOps, USER } from '@svc/ops';
import { createProjects } from '@svc/projects';
import { createScheduler } from '@svc/scheduler';
import { createTurnQueue, openStore } from '@svc/store';
import { makeHome, print, quantile, removeHome } from './support.mjs';

const COUNT = Number(process.env['COUNT'] ?? 10_000);
const TURN_MS = 2;
const PROJECT = `triggers:
  hook:
    trigger: { type: event, on: onArchive }
    run: { prompt: "Look." }
    enabled: true
`;
const home = makeHome({ 'projects/bench/project.yaml': PROJECT });
const clock = createSystemClock();
const store = await openStore({ clock }, { file: join(home, 'svc.db'), version: '0' });
/** @type {string[]} */
const seen = [];
const end = { outcome: 'succeeded', reason: null, turns: 1, toolCalls: 0, denied: [], model: null };
/** @type {any} */
const runtime = {
  id: 'native',
  holds: {
    tools: [],
    toolAllowList: 'enforced',
    maxTurns: 'exact',
    permissionModes: ['default', 'acceptEdits', 'bypassPermissions', 'plan'],
    resume: true,
    fork: true,
    svcManage: 'none',
    cost: 'none',
  },
  probe: async () => ({ ready: true }),
  /** @param {any} spec */
  async *start({ prompt }) {
    seen.push(prompt.data.data.chat.sessionId);
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    yield {
      type: 'message',
      message: { role: 'assistant', kind: 'text', text: 'Done.', tool: null },
    };
    yield {
      type: 'ended',
      end: { ...end, tokensIn: null, tokensOut: null, costMicrousd: null },
    };
  },
};
const rules = {
  minIntervalMs: 1000,
  runtimes: [{ name: 'native', holds: runtime.holds, costly: false }],
};
const ops = createOps(
  {
    clock,
    logger,
    store,
    queue: createTurnQueue({ clock, logger }, { concurrent: 4, perProject: 2 }),
    projects: createProjects(
      { clock, logger },
      { root: join(home, 'projects'), validation: rules },
    ),
    changes: createChangeFeed({ name: 'bench' }),
    runtimes: new Map([['native', runtime]]),
    reaper: { endTurns: async () => ({ ended: 0 }) },
    createScheduler: (onFire, onMissed) =>
      createScheduler({ clock, logger, claims: store.claims, onFire, onMissed }),
  },
  {
    maxSpawnDepth: 1,
    defaultRuntime: 'native',
    turnTimeoutMs: 60_000,
    agentEnv: {},
    keeperGates: { read: false, write: false, projects: false, hooks: false },
  },
  rules,
);
await ops.start({ schedules: true });

const capability = {
  runsAs: /** @type {const} */ ('keeper'),
  agentName: null,
  tools: [],
  permissionMode: /** @type {const} */ ('default'),
  maxTurns: 30,
  maxSpawnDepth: 0,
};
const source = await newChat(null);
/** @type {string[]} */
const chats = [];
for (let n = 0; n < COUNT; n += 1) chats.push(await newChat(source));

const before = await memory();
let most = before.heap;
const watching = setInterval(() => {
  most = Math.max(most, process.memoryUsage().heapUsed);
}, 100);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
/** @type {number[]} */
const took = [];
const from = performance.now();
for (const session_id of chats) {
  const at = performance.now();
  const call = { project: 'bench', session_id };
  const answer = await ops.operations.call(USER, 'archive_chat', call, {
    signal: new AbortController().signal,
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  took.push(performance.now() - at);
  // Like requests: one at a time, each in its own turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
}
const archived = performance.now() - from;
while (seen.length < COUNT) await new Promise((resolve) => setTimeout(resolve, 50));
const drained = performance.now() - from;
delay.disable();
clearInterval(watching);
const after = await memory();
await ops.close(5000);
await store.close();
const bare = bareWrites();
removeHome(home);

const inOrder = seen.every((id, n) => id === chats[n]);
print(
  `archived ${COUNT} in ${Math.round(archived)} ms: p50 ${quantile(took, 0.5).toFixed(2)} ms  p99 ${quantile(took, 0.99).toFixed(2)} ms  max ${Math.max(...took).toFixed(1)} ms`,
);
print(
  `bare writes of the same rows (SQLite, synced alike): p50 ${quantile(bare, 0.5).toFixed(2)} ms  p99 ${quantile(bare, 0.99).toFixed(2)} ms: ${(quantile(took, 0.5) / quantile(bare, 0.5)).toFixed(1)} times at p50`,
);
print(
  `hooks: ${seen.length} runs, ${inOrder ? 'in order' : 'NOT IN ORDER'}, the last ${Math.round(drained)} ms after the first archive: ${(drained / COUNT).toFixed(2)} ms each, of which the agent ${TURN_MS} ms`,
);
print(
  `heap ${mib(before.heap)} before, at most ${mib(most)} before a collection, ${mib(after.heap)} after; rss ${mib(before.rss)} -> ${mib(after.rss)}; event loop p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms, max ${(delay.max / 1e6).toFixed(0)} ms`,
);
if (!inOrder || new Set(seen).size !== COUNT) process.exitCode = 1;

/** @param {string | null} forkedFrom */
async function newChat(forkedFrom) {
  const sessionId = newId();
  const chat = {
    ...{ sessionId, project: 'bench', name: 'chat', origin: /** @type {const} */ ('user') },
    ...{ triggerName: null, by: USER.actor, capability, model: null, runtime: 'native' },
    ...{ forkedFrom, depth: 0 },
  };
  await store.chats.fork(forkedFrom ?? sessionId, chat, Date.now());
  return sessionId;
}

async function memory() {
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss };
}

/** @param {number} bytes */
function mib(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function bareWrites() {
  const db = new DatabaseSync(join(home, 'bare.db'));
  db.exec(`pragma journal_mode = wal; pragma synchronous = full;
    create table chat(id text primary key, archived_at text, archived_by text);
    create table event(id text primary key, kind text, project text, session_id text, payload text, created_at text);
    create table audit(n integer)`);
  const add = db.prepare('insert into chat values (?, null, null)');
  db.exec('begin');
  for (const id of chats) add.run(id);
  db.exec('commit');
  const update = db.prepare('update chat set archived_at = ?, archived_by = ? where id = ?');
  const insert = db.prepare('insert into event values (?, ?, ?, ?, ?, ?)');
  const times = chats.map((id) => {
    const at = performance.now();
    const now = new Date().toISOString();
    db.exec('begin');
    update.run(now, 'user', id);
    const payload = { sessionId: id, name: 'chat', archivedAt: now, archivedBy: 'user' };
    insert.run(newId(), 'onArchive', 'bench', id, JSON.stringify(payload), now);
    db.exec('commit');
    return performance.now() - at;
  });
  db.close();
  return times;
}

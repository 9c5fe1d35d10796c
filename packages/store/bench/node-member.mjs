// @ts-check
// One of the processes that are measured: node-member.mjs KIND URL NUMBER SECONDS FOLDER_OF_PG_BOSS. It runs the commands that its parent sends.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSystemClock, newId } from '@svc/core';
import { openStore } from '@svc/store';

const [kind = '', url = '', number = '0', seconds = '4', folder = ''] = process.argv.slice(2);
const MS = Number(seconds) * 1000;
const LANES = 8;
const PROJECTS = 16;

/** @typedef {{ open(): Promise<void>, fire(lane: number): Promise<void>, turn(): Promise<boolean>, close(): Promise<void> }} Member */

const capability = /** @type {import('@svc/records').Capability} */ ({
  ...{ runsAs: 'agent', agentName: 'a', tools: [], permissionMode: 'default' },
  ...{ maxTurns: 30, maxSpawnDepth: 1 },
});
const said = /** @type {const} */ ({ role: 'user', kind: 'text', tool: null });
const ending = /** @type {const} */ ({
  ...{ outcome: 'succeeded', reason: null, turns: 1, toolCalls: 0, denied: [], model: null },
  ...{ tokensIn: null, tokensOut: null, costMicrousd: null },
});

/** @returns {Member} */
function ours() {
  /** @type {import('@svc/store').Store} */
  let store;
  const keyOf = (/** @type {number} */ lane) =>
    /** @type {const} */ ({
      project: `p${(Number(number) * LANES + lane) % PROJECTS}`,
      source: 'trigger',
      name: `t${number}-${lane}`,
    });
  const slots = Array.from({ length: LANES }, () => Date.now());
  return {
    async open() {
      store = await openStore({ clock: createSystemClock() }, { url, version: '0' });
      const armings = slots.map((at, lane) => ({
        key: keyOf(lane),
        cursor: { scheduleHash: 'h', anchor: at, armedSince: at, cursor: at },
        definitionHash: 'd',
      }));
      await store.claims.arm(armings);
    },
    async fire(lane) {
      const key = keyOf(lane);
      const slot = (slots[lane] ?? 0) + 1000;
      slots[lane] = slot;
      const at = Date.now();
      const [verdict] = await store.claims.claim([
        {
          ...{ key, scheduleHash: 'h', as: 'run', from: slot, until: slot, count: 1 },
          ...{ claimedAt: at, lateMs: 1, catchUp: false, reason: null },
        },
      ]);
      if (!verdict?.won) throw new Error('A slot was lost.');
      const [sessionId, turnId] = [newId(), newId()];
      await store.turns.open({
        ...{ turnId, sessionId, project: key.project, prompt: 'Do it.', capability, depth: 0 },
        ...{
          parentTurn: null,
          timeoutMs: 60_000,
          at,
          owner: null,
          run: { claimed: verdict.runId },
        },
        chat: {
          ...{ sessionId, project: key.project, name: key.name, origin: 'trigger', by: null },
          ...{ triggerName: key.name, capability, model: null, runtime: 'native' },
          ...{ forkedFrom: null, depth: 0 },
        },
        messages: [{ ...said, text: 'Do it.' }],
      });
    },
    async turn() {
      const ticket = await store.turns.take(store.nodeId, 1000);
      if (ticket === null) return false;
      const at = Date.now();
      await store.turns.start(ticket.id, at, at + 60_000, store.nodeId);
      await store.turns.append(ticket.id, ticket.sessionId, [{ ...said, text: ticket.id }], at);
      await store.turns.end(ticket.id, ending, at);
      return true;
    },
    close: () => store.close(),
  };
}

/** @returns {Promise<Member>} */
async function peer() {
  const { PgBoss } = await import(
    pathToFileURL(join(folder, 'node_modules/pg-boss/dist/index.js')).href
  );
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  boss.on('error', () => {});
  return {
    async open() {
      await boss.start();
      await boss.createQueue('turns');
    },
    fire: async (lane) => void (await boss.send('turns', { lane, prompt: 'Do it.' })),
    async turn() {
      const [job] = await boss.fetch('turns');
      if (job === undefined) return false;
      await boss.complete('turns', job.id);
      return true;
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/** @param {(lane: number) => Promise<unknown>} work */
async function measured(work) {
  /** @type {number[]} */
  const took = [];
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      while (performance.now() - begun < MS) {
        const from = performance.now();
        if ((await work(lane)) === false) return;
        took.push(performance.now() - from);
      }
    }),
  );
  const rate = (took.length * 1000) / (performance.now() - begun);
  took.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => took[Math.floor(took.length * share)] ?? 0;
  return { rate, ms: at(0.5), ms95: at(0.95) };
}

const member = kind === 'svc' ? ours() : await peer();
process.on('message', async (word) => {
  if (word === 'open') await member.open();
  const found =
    word === 'fires'
      ? await measured((lane) => member.fire(lane))
      : word === 'turns'
        ? await measured(() => member.turn())
        : null;
  if (word === 'close') await member.close();
  process.send?.(found);
  if (word === 'close') process.disconnect();
});

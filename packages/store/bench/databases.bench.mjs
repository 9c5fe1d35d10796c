// @ts-check
// What a store does in a second over the embedded database and over PostgreSQL, with bare `pg` beside it: one run, one
// machine, ratios. Needs a build; `node bench/databases.bench.mjs [seconds]`. Everything that is counted is on the disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock, newId } from '@svc/core';
import { openStore } from '@svc/store';
import pg from 'pg';
import { startPostgres } from '../test-deep/postgres.mjs';

const MS = Number(process.argv[2] ?? 3) * 1000;
const AT_ONCE = 16;
const BATCH = 200;
const clock = createSystemClock();
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
const nameOf = (/** @type {number} */ n) =>
  /** @type {const} */ ({ project: `p${n % 8}`, source: 'trigger', name: `t${n}` });
const keys = Array.from({ length: BATCH }, (_, n) => nameOf(n));
let slot = Date.now();

/** @typedef {import('@svc/store').Store} Store */

/**
 * How often `work` is done in a second by so many at once; `done` is how much one call does.
 *
 * @param {number} atOnce @param {number} done @param {(lane: number) => Promise<unknown>} work
 */
async function rate(atOnce, done, work) {
  let calls = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, lane) => {
      while (performance.now() - begun < MS) {
        await work(lane);
        calls += 1;
      }
    }),
  );
  return (calls * done * 1000) / (performance.now() - begun);
}

/** @param {Store} store */
async function arm(store) {
  const at = slot;
  const cursor = { scheduleHash: 'h', anchor: at, armedSince: at, cursor: at };
  await store.claims.arm(keys.map((key) => ({ key, cursor, definitionHash: 'd' })));
}

/** @param {Store} store @param {readonly import('@svc/records').TriggerKey[]} of */
function claim(store, of) {
  slot += 1000;
  const one = {
    scheduleHash: 'h',
    as: /** @type {const} */ ('run'),
    from: slot,
    until: slot,
    count: 1,
  };
  const rest = { claimedAt: slot, lateMs: 1, catchUp: false, reason: null };
  return store.claims.claim(of.map((key) => ({ key, ...one, ...rest })));
}

const capability = /** @type {import('@svc/records').Capability} */ ({
  ...{ runsAs: 'agent', agentName: 'a', tools: [], permissionMode: 'default' },
  ...{ maxTurns: 30, maxSpawnDepth: 1 },
});
const said = {
  role: /** @type {const} */ ('user'),
  kind: /** @type {const} */ ('text'),
  tool: null,
};
const ending = /** @type {const} */ ({
  ...{ outcome: 'succeeded', reason: null, turns: 1, toolCalls: 0, denied: [], model: null },
  ...{ tokensIn: null, tokensOut: null, costMicrousd: null },
});

/** A turn of a new chat, from its opening to its end. @param {Store} store @param {number} lane */
async function turn(store, lane) {
  const { project, name } = nameOf(lane);
  const [sessionId, turnId] = [newId(), newId()];
  const at = Date.now();
  const chat = {
    ...{ sessionId, project, name, origin: /** @type {const} */ ('trigger'), triggerName: name },
    ...{ by: null, capability, model: null, runtime: 'native', forkedFrom: null, depth: 0 },
  };
  await store.turns.open({
    ...{ turnId, sessionId, project, prompt: 'Do it.', capability, depth: 0, parentTurn: null },
    ...{ timeoutMs: 60_000, at, owner: null, run: null, chat },
    messages: [{ ...said, text: 'Do it.' }],
  });
  await store.turns.start(turnId, at, at + 60_000, store.nodeId);
  await store.turns.append(turnId, sessionId, [{ ...said, text: turnId }], at);
  await store.turns.end(turnId, ending, at);
}

/** @param {readonly Store[]} stores */
async function measure(stores) {
  const of = (/** @type {number} */ lane) => /** @type {Store} */ (stores[lane % stores.length]);
  await arm(of(0));
  const bulk = await rate(stores.length, BATCH, (lane) => claim(of(lane), keys));
  const single = await rate(AT_ONCE, 1, (lane) => claim(of(lane), [nameOf(lane)]));
  const turns = await rate(AT_ONCE, 1, (lane) => turn(of(lane), lane));
  return { bulk, single, turns };
}

/** Inserts of one row, each a transaction of its own, with no store in between. @param {string} url */
async function bare(url) {
  const pool = new pg.Pool({ connectionString: url, max: AT_ONCE });
  await pool.query('create table bare(id text primary key, body text not null)');
  const rows = await rate(AT_ONCE, 1, () =>
    pool.query('insert into bare values ($1, $2)', [newId(), 'Do it.']),
  );
  await pool.end();
  return rows;
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const server = await startPostgres({ isDurable: true });
const open = (/** @type {{ file: string } | { url: string }} */ place) =>
  openStore({ clock }, { ...place, version: '0' });

/** @param {readonly Store[]} stores */
async function closing(stores) {
  const found = await measure(stores);
  await Promise.all(stores.map((store) => store.close()));
  return found;
}

const name = `svc_bench_${process.pid}`;
const url = new URL(server.url);
url.pathname = `/${name}`;
const admin = new pg.Client({ connectionString: server.url });
await admin.connect();
await admin.query(`create database ${name} template template0 locale 'C' encoding 'UTF8'`);
try {
  const inserts = await bare(url.href);
  const embedded = await closing([await open({ file: join(folder, 'svc.db') })]);
  const kinds = [['SQLite', embedded]];
  for (const count of [1, 2, 4]) {
    const stores = await Promise.all(Array.from({ length: count }, () => open({ url: url.href })));
    kinds.push([`PostgreSQL, ${count} store${count === 1 ? '' : 's'}`, await closing(stores)]);
  }
  print(`bare pg: ${inserts.toFixed(0)} inserts/s of one row, ${AT_ONCE} at once`);
  for (const [kind, rates] of kinds) {
    const { bulk, single, turns } = /** @type {typeof embedded} */ (rates);
    const ratio = (/** @type {number} */ of, /** @type {number} */ to) =>
      `${(of / to).toFixed(2)} x`;
    print(
      `${String(kind).padEnd(22)} claims/s ${bulk.toFixed(0)} in batches of ${BATCH} (${ratio(bulk, embedded.bulk)} SQLite, ${ratio(bulk, inserts)} bare), ${single.toFixed(0)} one by one (${ratio(single, embedded.single)}, ${ratio(single, inserts)}); turns opened and ended/s ${turns.toFixed(0)} (${ratio(turns, embedded.turns)}, ${ratio(turns, inserts)})`,
    );
  }
} finally {
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
  await server.close();
  rmSync(folder, { recursive: true });
}

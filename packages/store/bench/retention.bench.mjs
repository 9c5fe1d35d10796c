// @ts-check
// What runs take on the disk, by table and index, and what removing them costs, beside plain DELETE and VACUUM of the same
// rows. Needs a build; `node bench/retention.bench.mjs [runs]`. Each run is written as the service writes one of one step.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from '@photostructure/sqlite';
import { createSystemClock } from '@svc/core';
import { openStore } from '@svc/store';
import { writeRun } from './one-step.mjs';

const RUNS = Number(process.argv[2] ?? 57_751);
const KEPT = 1000;
const AT_ONCE = 20;
const SHRUNK_AT_ONCE = 256 * 1024;
const clock = createSystemClock();
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const file = join(folder, 'svc.db');
const key = /** @type {const} */ ({ project: 'hello', source: 'trigger', name: 'tick' });
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
const mb = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
const open = (/** @type {string} */ path) => openStore({ clock }, { file: path, version: '0' });

/** @param {string} path */
function tell(path) {
  const db = new DatabaseSync(path);
  /** @type {{ name: string, bytes: number, payload: number }[]} */
  const rows = /** @type {never} */ (
    db
      .prepare(`select name, sum(pgsize) as bytes, sum(payload) as payload from dbstat
        group by name having bytes > 5 * ${RUNS} order by bytes desc`)
      .all()
  );
  for (const { name, bytes, payload } of rows) {
    print(
      `  ${name.padEnd(34)} ${(bytes / RUNS).toFixed(0).padStart(5)} B a run, of it payload ${(payload / RUNS).toFixed(0)}`,
    );
  }
  db.close();
}

let store = await open(file);
const from = Date.now() - RUNS * 1000;
for (let n = 0; n < RUNS; n += 1) await writeRun(store, key, from + n * 1000);
await store.close();
const size = statSync(file).size;
print(`${RUNS} runs of one step: ${mb(size)} MB, ${(size / RUNS).toFixed(0)} B a run`);
tell(file);

/** Removes what is too much in small steps, while runs go on to be written. */
async function pruneInSteps() {
  store = await open(file);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const rule = { runs: KEPT, since: null, keepsFailure: true, now: Date.now() };
  const begun = performance.now();
  let isLoaded = true;
  const load = (async () => {
    for (let n = 0; isLoaded; n += 1) {
      await writeRun(store, { ...key, name: 'beside' }, Date.now() + n);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  let place = /** @type {import('@svc/store').PruningPlace | null} */ (
    await store.retention.place(key, rule)
  );
  const steps = [];
  while (place !== null) {
    const at = performance.now();
    ({ next: place } = await store.retention.prune(key, rule, place, AT_ONCE));
    steps.push(performance.now() - at);
    await clock.yield();
  }
  const pruned = performance.now();
  while (await store.retention.shrink(SHRUNK_AT_ONCE)) await clock.yield();
  await store.retention.settle();
  const done = performance.now();
  isLoaded = false;
  await load;
  delay.disable();
  await store.close();
  steps.sort((a, b) => a - b);
  const p99 = steps[Math.floor(steps.length * 0.99)] ?? 0;
  print(
    `small steps:       ${(pruned - begun).toFixed(0)} ms to ${KEPT} runs, ${(done - pruned).toFixed(0)} ms to give space back, step p99 ${p99.toFixed(1)} ms, loop delay p99 ${(delay.percentile(99) / 1e6).toFixed(1)} max ${(delay.max / 1e6).toFixed(1)} ms, then ${mb(statSync(file).size)} MB`,
  );
}

/** @param {string} path */
function deleteAndVacuum(path) {
  const db = new DatabaseSync(path);
  const begun = performance.now();
  db.exec(`begin;
    create temp table gone as select id, turn_id, session_id from run order by id desc limit -1 offset ${KEPT};
    create unique index temp.gone_turn on gone(turn_id);
    create temp table gone_turn_nr as select nr from turn where id in (select turn_id from gone);
    delete from message_ref where turn in (select nr from gone_turn_nr);
    delete from turn where nr in (select nr from gone_turn_nr);
    delete from chat where session_id in (select session_id from gone);
    delete from run where id in (select id from gone);
    delete from content where id not in (select content from message_ref union select prompt from turn union select capability from turn
      union select capability from chat);
    commit`);
  const deleted = performance.now();
  db.exec('vacuum; pragma wal_checkpoint(truncate)');
  const done = performance.now();
  db.close();
  print(
    `DELETE and VACUUM: ${(deleted - begun).toFixed(0)} ms to ${KEPT} runs, ${(done - deleted).toFixed(0)} ms to give space back, all of it one pause of ${(done - begun).toFixed(0)} ms, then ${mb(statSync(path).size)} MB`,
  );
}

const peer = join(folder, 'peer.db');
const source = new DatabaseSync(file);
source.exec(`vacuum into '${peer}'`);
source.close();
await pruneInSteps();
deleteAndVacuum(peer);
rmSync(folder, { recursive: true });

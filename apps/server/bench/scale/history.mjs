// @ts-check
// GET runtime and history of projects with a million run rows in total.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { newId } from '@svc/core';
import { makeHome, print, quantile, removeHome } from '../support.mjs';
import { serve, sleep } from './process.mjs';

const PROJECTS = 20;
const TRIGGERS = 25;
const TIMES = 1000;
// Warm-up requests, for the server and for the client.
const FIRST = 300;
// The response time of an answer that needs no work.
const FLOOR = '/livez';

const entry = (/** @type {number} */ n) => `  t${n}:
    trigger: { type: schedule, cron: ${n % 60} 3 1 1 * }
    run: { prompt: Look around. }
    enabled: true
`;

/** @param {boolean} isSmall */
export async function measureHistory(isSmall) {
  const rows = isSmall ? 50_000 : 1_000_000;
  const home = makeHome({ 'svc.config.yaml': 'retention: { runs: null, age: null }\n' });
  const file = `name: Bench\ntriggers:\n${Array.from({ length: TRIGGERS }, (_, n) => entry(n)).join('')}`;
  for (let n = 0; n < PROJECTS; n += 1) {
    mkdirSync(join(home, `projects/p${n}`), { recursive: true });
    writeFileSync(join(home, `projects/p${n}/project.yaml`), file);
  }
  await (await serve(home)).stop();
  await fill(join(home, 'data/svc.db'), rows);
  const server = await serve(home);
  await sleep(4000);
  print(`${rows} runs of ${PROJECTS} projects with ${TRIGGERS} triggers each`);
  const outcome = 'outcome=failed,timed_out';
  for (const path of [
    FLOOR,
    'triggers/runtime',
    'triggers',
    'runs?limit=50',
    `runs?limit=50&${outcome}`,
    'triggers/t7/runs?limit=50',
    `triggers/t7/runs?limit=50&${outcome}`,
  ]) {
    await measure(server.url, path);
  }
  await server.stop();
  removeHome(home);
}

/** @param {string} url @param {string} path */
async function measure(url, path) {
  /** @type {number[]} */
  const times = [];
  for (let n = 0; n < FIRST + TIMES; n += 1) {
    const place = path === FLOOR ? FLOOR : `/api/projects/p${n % PROJECTS}/${path}`;
    const took = await ask(url + place);
    if (n >= FIRST) times.push(took);
  }
  const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q).toFixed(1));
  print(`  GET ${path.padEnd(52)} p50 ${p50} ms, p99 ${p99} ms`);
}

const agent = new Agent({ keepAlive: true });

/** Milliseconds from the request to the last byte of the compressed answer. @param {string} url */
function ask(url) {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'Accept-Encoding': 'gzip' } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}.`));
      answer.resume();
      answer.once('end', () => resolve(performance.now() - from));
    }).once('error', reject);
  });
}

/** Rows as the service writes them, oldest first. @param {string} file @param {number} count */
async function fill(file, count) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const db = new DatabaseSync(file);
  const id = (/** @type {number} */ at) => {
    const hex = newId().replaceAll('-', '');
    return Buffer.from(at.toString(16).padStart(12, '0') + hex.slice(12), 'hex');
  };
  const time = (/** @type {number} */ at) => {
    const bytes = Buffer.alloc(6);
    bytes.writeUIntBE(at, 0, 6);
    return bytes;
  };
  db.exec('pragma journal_mode=wal; pragma synchronous=off; begin');
  const insert =
    db.prepare(`insert into run(id, project, source, name, cause, scheduled_for, scheduled_until,
      slot_count, state, outcome, reason, catch_up, late_ms, claimed_at, started_at, ended_at, turns, tool_calls, runtime, notified)
    values (?, ?, 'trigger', ?, 'schedule', ?, ?, 1, 'ended', ?, ?, 0, 3, ?, ?, ?, 1, 1, 'native', 1)`);
  const last = db.prepare(
    `update trigger_state set last_run_id = ? where project = ? and source = 'trigger' and name = ?`,
  );
  const begin = Date.now() - 60_000 * 60 * 24 * 300;
  const step = Math.floor((Date.now() - 60_000 - begin) / count);
  for (let n = 0; n < count; n += 1) {
    const at = begin + n * step;
    const [project, name] = [`p${n % PROJECTS}`, `t${Math.floor(n / PROJECTS) % TRIGGERS}`];
    const runId = id(at);
    // Only every thousandth run failed.
    const isFailed = Math.floor(n / (PROJECTS * TRIGGERS)) % 1000 === 3;
    const outcome = isFailed ? 'failed' : 'succeeded';
    const reason = isFailed ? 'The step ended with exit code 1.' : null;
    const t = time(at);
    insert.run(runId, project, name, t, t, outcome, reason, t, t, time(at + 900));
    if (n >= count - PROJECTS * TRIGGERS) last.run(runId, project, name);
  }
  db.exec('commit; pragma wal_checkpoint(truncate); pragma journal_mode=delete');
  db.close();
}

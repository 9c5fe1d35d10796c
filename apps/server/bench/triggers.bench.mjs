// @ts-check
// Measures GET triggers of a project with 200 and with 2,000 triggers of ten runs each, one after the other, compared with a bare
// Express server that answers the same object with `response.json`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSystemClock, newId } from '@svc/core';
import { openStore } from '@svc/store';
import { makeHome, print, quantile, removeHome, startServer } from './support.mjs';

const ROUTE = '/api/projects/demo/triggers';
const RUNS = 10;
const TIMES = 40;

/** A file with the given number of typical triggers. @param {number} count */
function fileOf(count) {
  const entry = (/** @type {number} */ n) => `  report-${n}:
    trigger: { type: schedule, cron: ${n % 60} ${n % 24} * * ${n % 7}, timezone: Europe/Berlin }
    run:
      prompt: |
        ${'Look at what has changed since yesterday and write it down. '.repeat(5)}
      tools: [Read, Write, Bash]
      timeout: 10m
    enabled: true
`;
  return `name: Bench\ntriggers:\n${Array.from({ length: count }, (_, n) => entry(n)).join('')}`;
}

/** Adds runs to every trigger. @param {string} home @param {number} count */
async function fillRuns(home, count) {
  mkdirSync(join(home, 'data'));
  const file = join(home, 'data', 'svc.db');
  const store = await openStore({ clock: createSystemClock() }, { file, version: '0.1.0' });
  for (let run = 0; run < RUNS; run += 1) {
    for (let n = 0; n < count; n += 1) {
      const key = /** @type {const} */ ({
        project: 'demo',
        source: 'trigger',
        name: `report-${n}`,
      });
      const claimedAt = Date.now() - (RUNS - run) * 60_000;
      const fresh = /** @type {const} */ ({
        id: newId(),
        key,
        cause: 'manual',
        by: null,
        claimedAt,
      });
      await store.runs.addEnded(fresh, 'failed', 'The step ended with exit code 1.');
    }
  }
  await store.close();
}

/** CPU milliseconds of a process so far. @param {number} pid */
function computed(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // Ticks of 10 ms, the unit of the kernel.
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Sends requests one after the other; returns their times and the CPU time of the process. @param {string} url @param {number} pid */
async function measure(url, pid) {
  const ask = async () => void (await (await fetch(url)).arrayBuffer());
  for (let n = 0; n < TIMES / 4; n += 1) await ask();
  /** @type {number[]} */
  const times = [];
  const before = computed(pid);
  for (let n = 0; n < TIMES; n += 1) {
    const from = performance.now();
    await ask();
    times.push(performance.now() - from);
  }
  return { times, cpuMs: (computed(pid) - before) / TIMES };
}

/** @param {string} home @param {string} body */
async function startBare(home, body) {
  const script = join(home, 'bare.mjs');
  writeFileSync(
    script,
    `import express from ${JSON.stringify(import.meta.resolve('express'))};
process.once('message', (body) => {
  const app = express();
  app.disable('etag');
  const answer = JSON.parse(body);
  app.get('/', (_request, response) => void response.json(answer));
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
});`,
  );
  const bare = fork(script);
  bare.send(body);
  const [port] = await once(bare, 'message');
  return { url: `http://127.0.0.1:${port}/`, pid: bare.pid ?? 0, stop: () => bare.kill('SIGKILL') };
}

for (const count of [200, 2000]) {
  const home = makeHome({ 'projects/demo/project.yaml': fileOf(count) });
  await fillRuns(home, count);
  const server = await startServer(home);
  // The cache ignores files that changed a moment ago; the benchmark measures cached reads.
  await new Promise((resolve) => setTimeout(resolve, 4000));
  const body = await (await fetch(server.url + ROUTE)).text();
  const bare = await startBare(home, body);
  const theirs = await measure(bare.url, bare.pid);
  const ours = await measure(server.url + ROUTE, server.pid);
  const ratio = ours.cpuMs / theirs.cpuMs;
  print(`GET triggers, ${count} triggers of ${RUNS} runs (${body.length} bytes)`);
  for (const [who, { times, cpuMs }] of /** @type {const} */ ([
    ['bare Express', theirs],
    ['svc         ', ours],
  ])) {
    const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q).toFixed(1));
    print(
      `  ${who}  p50 ${p50} ms, p99 ${p99} ms; ${cpuMs.toFixed(1)} ms of the processor an answer`,
    );
  }
  print(`  ${ratio.toFixed(1)} times the work`);
  bare.stop();
  await server.stop();
  removeHome(home);
}

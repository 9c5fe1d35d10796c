// What alerts add to the end of a run, compared with the same runs without sinks, in a store on disk; and the
// longest pause of the event loop while a thousand failures are sent at once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock, newId, silentLogger } from '@svc/core';
import { openStore } from '@svc/store';
import { createAlerts } from '../dist/index.js';

const RUNS = 1000;
const ROUNDS = 3;
const clock = createSystemClock();
// Sending yields to the event loop.
const send = () => new Promise((resolve) => setImmediate(() => resolve({ ok: true })));
const rules = { on: ['failed', 'missed', 'paused', 'recovered'], threshold: 1, cooldownMs: 0 };

async function watch(work) {
  let [gap, last, watching] = [0, performance.now(), true];
  const look = () => {
    const now = performance.now();
    gap = Math.max(gap, now - last);
    last = now;
    if (watching) setImmediate(look);
  };
  look();
  const began = performance.now();
  await work();
  watching = false;
  return { ms: performance.now() - began, gap };
}

async function measure(sinks, outcome) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const store = await openStore({ clock }, { file: join(folder, 'svc.db'), version: '1' });
  let delivered = 0;
  const counted = {
    send() {
      delivered += 1;
      return send();
    },
  };
  const ruled = Array.from({ length: sinks }, (_, n) => [`s${n}`, { sink: counted, rules }]);
  const alerts = createAlerts({ clock, logger: silentLogger, store: store.alerts }, new Map(ruled));
  if (sinks > 0) await alerts.start();
  else await store.alerts.follow(false);
  const key = { project: 'bench', source: 'trigger', name: 'it' };
  const ends = await watch(async () => {
    for (let n = 0; n < RUNS; n += 1) {
      const run = { id: newId(), key, cause: 'manual', by: null, claimedAt: clock.now() };
      await store.runs.addEnded(run, outcome, 'It was so.');
    }
  });
  const notified = await watch(async () => {
    if (sinks === 0) return;
    alerts.happened();
    for (;;) {
      const pending = await store.alerts.pendingRuns(1);
      const isSent = outcome !== 'failed' || delivered >= RUNS * sinks;
      if (pending.length === 0 && isSent) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  await alerts.close();
  await store.close();
  rmSync(folder, { recursive: true });
  return { perRun: (ends.ms + notified.ms) / RUNS, gap: notified.gap };
}

async function best(sinks, outcome) {
  const all = [];
  for (let n = 0; n < ROUNDS; n += 1) all.push(await measure(sinks, outcome));
  const least = (pick) => Math.min(...all.map(pick));
  return { perRun: least((one) => one.perRun), gap: least((one) => one.gap) };
}

const us = (ms) => `${(ms * 1000).toFixed(0)} us`;
for (const outcome of ['succeeded', 'failed']) {
  const without = await best(0, outcome);
  for (const sinks of [1, 3]) {
    const { perRun, gap } = await best(sinks, outcome);
    const ratio = (perRun / without.perRun).toFixed(2);
    process.stdout.write(
      `${outcome}, ${sinks} sinks: ${us(perRun)} a run, without ${us(without.perRun)}, ratio ${ratio}; the event loop stood still for ${gap.toFixed(1)} ms at most\n`,
    );
  }
}

// @ts-check
// Claims 10,000 triggers that fall due at the same time in a real database, with a turn port that does nothing.
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSystemClock, silentLogger as logger } from '@svc/core';
import { createScheduler } from '@svc/scheduler';
import { openStore } from '@svc/store';
import { makeHome, print, quantile, removeHome } from './support.mjs';

const COUNT = 10_000;
const home = makeHome({ 'keep.txt': '' });
const clock = createSystemClock();
const store = await openStore({ clock }, { file: join(home, 'svc.db'), version: '0' });
/** @type {number[]} */
const late = [];
/** @type {() => void} */
let done = () => {};
const all = new Promise((resolve) => {
  done = () => resolve(undefined);
});
const scheduler = createScheduler({
  clock,
  logger,
  claims: store.claims,
  onFire(fires) {
    const now = Date.now();
    for (const { scheduledFor } of fires) late.push(now - scheduledFor);
    if (late.length === COUNT) done();
  },
});
const wanted = Array.from({ length: COUNT }, (_, n) => ({
  key: { project: 'bench', source: /** @type {const} */ ('trigger'), name: `t${n}` },
  schedule: { kind: /** @type {const} */ ('interval'), text: '1h' },
  scheduleHash: 'h',
  definitionHash: 'd',
  catchUp: /** @type {const} */ ('latest'),
  catchUpWindowMs: null,
}));
// Armed an hour ago minus three seconds, so that all of them fall due together in a moment.
const due = Date.now() + 3000;
const cursor = {
  scheduleHash: 'h',
  anchor: due - 3_600_000,
  armedSince: due - 3_600_000,
  cursor: due - 3_600_000,
};
await store.claims.arm(wanted.map(({ key }) => ({ key, cursor, definitionHash: 'd' })));
const from = performance.now();
await scheduler.sync('bench', wanted);
print(`armed ${COUNT} in ${Math.round(performance.now() - from)} ms`);
const delay = monitorEventLoopDelay({ resolution: 1 });
await new Promise((resolve) => setTimeout(resolve, due - Date.now() - 200));
delay.enable();
await all;
delay.disable();
await scheduler.close();
await store.close();
removeHome(home);
print(
  `slot to committed claim, handed over: p50 ${quantile(late, 0.5)} ms  p99 ${quantile(late, 0.99)} ms  max ${Math.max(...late)} ms`,
);
print(`longest gap of the event loop: ${Math.round(delay.max / 1e6)} ms`);

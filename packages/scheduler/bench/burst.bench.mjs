// Ten thousand triggers due in one second, claimed in memory, compared with one setTimeout for each: how late each
// slot is claimed, and the longest block of the event loop.
import { createSystemClock, silentLogger } from '@svc/core';
import { triggerId } from '@svc/records';
import { createScheduler } from '../dist/index.js';

const COUNT = 10_000;
const LEAD_MS = 1500;
const wallClock = () => performance.timeOrigin + performance.now();

function triggers(spanMs) {
  const first = Math.ceil((Date.now() + LEAD_MS) / 1000) * 1000;
  return Array.from({ length: COUNT }, (_, index) => ({
    key: { project: 'burst', source: 'trigger', name: `t${index}` },
    due: first + Math.floor((index * spanMs) / COUNT),
  }));
}

function memoryClaims(all) {
  const cursors = new Map(
    all.map(({ key, due }) => [
      triggerId(key),
      { scheduleHash: '1h', anchor: due, armedSince: due - 1, cursor: due - 1 },
    ]),
  );
  let runs = 0;
  return {
    ahead: async () => new Map(),
    takeBack: async () => {},
    loadProject: async () => new Map(cursors),
    arm: async () => {},
    disarm: async () => {},
    claim: async (batch) =>
      batch.map((claim) => {
        const id = triggerId(claim.key);
        const cursor = cursors.get(id);
        if (cursor === undefined || claim.from <= cursor.cursor) return { won: false };
        cursors.set(id, { ...cursor, cursor: claim.until });
        runs += 1;
        return { won: true, runId: `run-${runs}` };
      }),
  };
}

/** Runs `start`, which calls `fired(slot)` for every slot, and measures the event loop meanwhile. */
async function watch(all, start) {
  const late = [];
  let stop = () => {};
  const finished = new Promise((resolve) => {
    stop = start((slot) => {
      late.push(wallClock() - slot);
      if (late.length === COUNT) resolve();
    });
  });
  await stop;
  await new Promise((resolve) => setTimeout(resolve, all[0].due - Date.now() - 50));
  let gap = 0;
  let last = performance.now();
  let watching = true;
  const look = () => {
    const now = performance.now();
    gap = Math.max(gap, now - last);
    last = now;
    if (watching) setImmediate(look);
  };
  setImmediate(look);
  await finished;
  await new Promise((resolve) => setImmediate(resolve));
  watching = false;
  await (await stop)();
  late.sort((one, other) => one - other);
  const at = (share) => late[Math.min(COUNT - 1, Math.floor(COUNT * share))];
  return { p50: at(0.5), p99: at(0.99), max: late[COUNT - 1], gap };
}

async function withScheduler(all, claims, fired) {
  const scheduler = createScheduler({
    clock: createSystemClock(),
    logger: silentLogger,
    claims,
    onFire: (fires) => {
      for (const fire of fires) fired(fire.scheduledFor);
    },
  });
  await scheduler.sync(
    'burst',
    all.map(({ key }) => ({
      key,
      schedule: { kind: 'interval', text: '1h' },
      scheduleHash: '1h',
      definitionHash: '1h',
      catchUp: 'latest',
      catchUpWindowMs: null,
    })),
  );
  return () => scheduler.close();
}

async function withTimers(all, claims, fired) {
  for (const { key, due } of all) {
    setTimeout(() => {
      const claim = { key, scheduleHash: '1h', as: 'run', from: due, until: due, count: 1 };
      void claims.claim([claim]).then(() => fired(due));
    }, due - Date.now());
  }
  return () => {};
}

let failed = false;
for (const [title, spanMs] of [
  ['at the same instant', 0],
  ['over one second', 1000],
]) {
  process.stdout.write(`${COUNT} slots ${title}, ms\n`);
  for (const [name, start] of [
    ['scheduler', withScheduler],
    ['setTimeout each', withTimers],
  ]) {
    const all = triggers(spanMs);
    const claims = memoryClaims(all);
    const { p50, p99, max, gap } = await watch(all, (fired) => start(all, claims, fired));
    const figures = [p50, p99, max, gap].map((value) => value.toFixed(1).padStart(7));
    process.stdout.write(
      `  ${name.padEnd(16)} late p50 ${figures[0]}  p99 ${figures[1]}  max ${figures[2]}  longest gap ${figures[3]}\n`,
    );
    if (name === 'scheduler' && gap > 50) failed = true;
  }
}
if (failed)
  process.stderr.write('over the budget: the event loop stood still for more than 50 ms\n');
process.exitCode = failed ? 1 : 0;

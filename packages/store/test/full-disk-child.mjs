// @ts-check
// Works with a store in a process whose disk is full for a while, and prints what came of it: node full-disk-child.mjs FILE.
// Needs a build.
import { execFileSync } from 'node:child_process';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { openStore } from '@svc/store';

const [file = ''] = process.argv.slice(2);
const clock = createFakeClock(0);
const logger = createMemoryLogger();
const store = await openStore({ clock, logger }, { file, version: '0' });
const key = /** @type {const} */ ({ project: 'demo', source: 'trigger', name: 'nightly' });
const fixed = { scheduleHash: 'h', anchor: 0, armedSince: 0 };

/** As on a full disk, this process can write no file; or again any. @param {boolean} full */
function setFull(full) {
  const limit = `--fsize=${full ? 0 : 'unlimited'}:`;
  execFileSync('prlimit', ['--pid', String(process.pid), limit]);
}

/** @param {() => Promise<unknown>} work */
const tried = (work) =>
  work().then(
    () => 'fine',
    ({ code, message }) => `${code}: ${message}`,
  );
let written = 0;
const arm = () => {
  written += 1;
  const cursor = { ...fixed, cursor: written };
  return tried(() => store.claims.arm([{ key, cursor, definitionHash: 'd' }]));
};
// More than fits into memory, so that it fails on the way and not at its end: SQLite then rolls back automatically.
const armMany = () => {
  const cursor = { ...fixed, cursor: 0 };
  const batch = Array.from({ length: 4000 }, (_, n) => ({
    key: { ...key, name: `${n}-${'x'.repeat(1000)}` },
    cursor,
    definitionHash: 'd',
  }));
  return tried(() => store.claims.arm(batch));
};
const ping = () => tried(() => store.ping());

const before = [await arm(), await ping()];
setFull(true);
const full = [await arm(), await armMany(), await ping()];
await clock.advance(10_000);
const stillFull = [await ping(), clock.pending];
setFull(false);
const notLookedYet = await ping();
await clock.advance(3000);
const after = [await ping(), await arm(), clock.pending];
setFull(true);
await arm();
setFull(false);
await store.close();
const closed = clock.pending;
const lines = logger.lines.map(({ level, message, fields }) => [level, message, fields]);
process.stdout.write(
  JSON.stringify({ before, full, stillFull, notLookedYet, after, closed, lines }),
);

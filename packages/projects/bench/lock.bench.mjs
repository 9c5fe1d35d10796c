// @ts-check
// Measures taking and releasing a lock, compared with proper-lockfile and a bare exclusive create. Needs
// a build; run with node.
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '@svc/core';
import { createFileLocks } from '@svc/projects';
import lockfile from 'proper-lockfile';

const ROUNDS = 500;
const SETS = 9;
const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const clock = createSystemClock();

/** @param {import('@svc/projects').FileLocks} locks @param {string} name */
const ours = (locks, name) => async () => {
  const lock = await locks.take(join(folder, name));
  await lock.release();
};

const ways = {
  "the kernel's lock (what svc uses)": ours(createFileLocks({ clock }), 'kernel.lock'),
  'a mark alone (where the kernel has none)': ours(
    createFileLocks({ clock }, { kernel: null }),
    'mark.lock',
  ),
  'proper-lockfile 4.1.2': async () => {
    const release = await lockfile.lock(join(folder, 'proper'), { realpath: false });
    await release();
  },
  'bare create, write, remove': async () => {
    const file = join(folder, 'bare.lock');
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile('mark');
    await handle.close();
    await rm(file);
  },
};

/** @param {() => Promise<void>} way @returns {Promise<number>} microseconds for one take and release */
async function measure(way) {
  const start = performance.now();
  for (let n = 0; n < ROUNDS; n += 1) await way();
  return ((performance.now() - start) * 1000) / ROUNDS;
}

/** @type {Map<string, number[]>} */
const found = new Map();
for (let set = 0; set < SETS; set += 1) {
  for (const [name, way] of Object.entries(ways)) {
    found.set(name, [...(found.get(name) ?? []), await measure(way)]);
  }
}
for (const [name, times] of found) {
  const [best = 0] = times.sort((a, b) => a - b);
  const median = times[Math.floor(SETS / 2)] ?? 0;
  process.stdout.write(
    `${name}: ${median.toFixed(0)} µs in the median, ${best.toFixed(0)} at best\n`,
  );
}
await rm(folder, { recursive: true });

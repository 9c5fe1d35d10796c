// @ts-check
// A separate process that works with locks: node lock-child.mjs METHOD VERB FOLDER [ROUNDS]. Needs a
// build.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSystemClock } from '@svc/core';
import { createFileLocks } from '@svc/projects';

const [way, verb, folder = '', rounds = '1'] = process.argv.slice(2);
const locks = createFileLocks(
  { clock: createSystemClock() },
  way === 'marks' ? { kernel: null } : {},
);
const file = join(folder, 'demo.lock');

/** @type {Record<string, () => Promise<void>>} */
const verbs = {
  // Increments a number in a file, which loses increments unless one process at a time does it.
  async count() {
    const counter = join(folder, 'counter');
    for (let n = 0; n < Number(rounds); n += 1) {
      const lock = await locks.take(file);
      const before = Number(readFileSync(counter, 'utf8'));
      await new Promise((resolve) => setImmediate(resolve));
      writeFileSync(counter, String(before + 1));
      await lock.release();
    }
  },
  async hold() {
    await locks.take(file);
    process.stdout.write('held\n');
    setInterval(() => {}, 1000);
  },
  async fail() {
    const open = () => readdirSync('/proc/self/fd').length;
    const messages = new Set();
    const try1 = () => locks.take(file).catch((error) => messages.add(error.message));
    await try1();
    const before = open();
    for (let n = 0; n < Number(rounds); n += 1) await try1();
    const left = readdirSync(folder).filter((name) => name !== 'counter');
    const leaked = open() - before;
    process.stdout.write(JSON.stringify({ messages: [...messages], leaked, left }));
  },
};
await verbs[String(verb)]?.();

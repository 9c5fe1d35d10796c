// Opens and closes a database, and says how many files of the driver for servers were loaded.
import { createRequire } from 'node:module';
import { createSystemClock } from '@svc/core';
import { openStore } from '@svc/store';

const place = process.argv[2].startsWith('postgres:')
  ? { url: process.argv[2] }
  : { file: process.argv[2] };
const store = await openStore({ clock: createSystemClock() }, { ...place, version: '1' });
await store.close();
const { cache } = createRequire(import.meta.url);
const loaded = Object.keys(cache).filter((path) => /node_modules\/pg\//.test(path));
process.stdout.write(`${loaded.length}\n`);

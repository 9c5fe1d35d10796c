// @ts-check
// Begins to write two turns together and, between them, does not go on: node stuck-writer.mjs URL OPENINGS
import { createSystemClock } from '@svc/core';
import { openStore } from '@svc/store';

const [url = '', text = '[]'] = process.argv.slice(2);
/** @type {import('@svc/store').TurnOpening[]} */
const openings = JSON.parse(text);
const store = await openStore({ clock: createSystemClock() }, { url, version: '1' });

function* hesitating() {
  yield openings[0];
  process.stdout.write('stuck\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
await store.turns.openAll(/** @type {never} */ (hesitating()));

// @ts-check
// The service, except that it kills itself at one named point: node faulty-server.mjs HOME POINT
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [home = '', point = ''] = process.argv.slice(2);

/** @param {string} here */
function reach(here) {
  if (here !== point) return;
  fs.writeSync(1, `${JSON.stringify({ msg: 'fault hit', point: here })}\n`);
  process.kill(process.pid, 'SIGKILL');
  // The signal takes a moment to arrive; nothing may happen after the named point.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
}

const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (String(to).endsWith('project.yaml')) reach('in the middle of a file write');
  return renameSync(from, to);
};
syncBuiltinESMExports();

/** @param {import('@svc/store').Store} store @returns {import('@svc/store').Store} */
const decorateStore = (store) => ({
  ...store,
  claims: {
    ...store.claims,
    async claim(batch) {
      reach('before claim');
      const verdicts = await store.claims.claim(batch);
      reach('after claim');
      return verdicts;
    },
  },
  turns: {
    ...store.turns,
    async open(opening) {
      reach('between claim and start');
      const isOpen = await store.turns.open(opening);
      reach('after the turn is written');
      return isOpen;
    },
    async start(...turn) {
      reach('before the turn starts');
      const isStarted = await store.turns.start(...turn);
      reach('after the turn starts');
      return isStarted;
    },
    async end(...turn) {
      reach('before the final write');
      const isEnded = await store.turns.end(...turn);
      reach('after the final write');
      return isEnded;
    },
  },
  chats: {
    ...store.chats,
    async archive(...chat) {
      reach('before the event is stored');
      const isNew = await store.chats.archive(...chat);
      reach('after the event is stored');
      return isNew;
    },
  },
  events: {
    ...store.events,
    async dispatch(...events) {
      reach('before dispatch');
      await store.events.dispatch(...events);
      reach('after dispatch');
    },
  },
});

const { homeAt, prepareHome, readConfigFile } = await import('../dist/home.js');
const { resolveSettings } = await import('@svc/settings');
const { startService } = await import('../dist/serve.js');
const { createLogger } = await import('../dist/log.js');

const place = homeAt(home, null);
const file = await readConfigFile(place);
const resolved = resolveSettings({ flags: { 'server.port': '0' }, env: {}, file });
if (!resolved.ok) throw new Error('bad settings');
await prepareHome(place);
await startService({
  home: place,
  settings: resolved.settings,
  logger: await createLogger(
    { level: 'info', format: 'json' },
    { colored: () => {}, isTerminal: false },
  ),
  env: process.env,
  version: '0.1.0',
  decorateStore,
});

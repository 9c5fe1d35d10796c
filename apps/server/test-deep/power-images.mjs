// @ts-check
// Starts the service on each image of a list, read from stdin as one line of JSON each: { home, notes }. Prints the content of each
// image as soon as a slot has been claimed in it: node power-images.mjs

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { resolveSettings } from '@svc/settings';
import { homeAt, prepareHome, readConfigFile } from '../dist/home.js';
import { createLogger } from '../dist/log.js';
import { startService } from '../dist/serve.js';

const AT_ONCE = 8;
const LONGEST_MS = 30_000;

/** @param {{ home: string, notes: string }} image */
async function look({ home, notes }) {
  const place = homeAt(home, null);
  const file = await readConfigFile(place);
  const resolved = resolveSettings({ flags: { 'server.port': '0' }, env: {}, file });
  if (!resolved.ok) throw new Error('bad settings');
  await prepareHome(place);
  const since = new Date().toISOString();
  const service = await startService({
    home: place,
    settings: resolved.settings,
    logger: await createLogger(
      { level: 'info', format: 'json' },
      { colored: () => {}, isTerminal: false },
    ),
    env: { PATH: process.env['PATH'], NOTES: notes },
    version: '0.1.0',
  });
  /** @param {string} path */
  const get = async (path) => (await fetch(service.url + path)).json();
  const read = async () => ({
    home,
    since,
    runs: (await get('/api/projects/demo/runs?limit=200')).runs,
    archived: (await get('/api/projects/demo/chats?includeArchived=true&limit=200')).chats,
    triggers: await get('/api/projects/demo/triggers'),
    projects: (await get('/api/projects')).projects,
    status: await get('/api/status'),
    notes: readFileSync(notes, 'utf8'),
  });
  const continues = (/** @type {Awaited<ReturnType<typeof read>>} */ { runs, status }) =>
    status.paused ||
    runs.some(
      (/** @type {{ claimedAt: string, state: string }} */ run) =>
        run.claimedAt > since && run.state === 'ended',
    );
  const until = Date.now() + LONGEST_MS;
  let seen = await read();
  while (!continues(seen) && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    seen = await read();
  }
  await service.stop();
  return seen;
}

const images = [];
for await (const line of createInterface({ input: process.stdin })) images.push(JSON.parse(line));
const workers = Array.from({ length: AT_ONCE }, async () => {
  for (let image = images.shift(); image !== undefined; image = images.shift()) {
    const { home } = image;
    const seen = await look(image).catch((error) => ({
      home,
      error: String(error?.stack ?? error),
    }));
    process.stdout.write(`${JSON.stringify(seen)}\n`);
  }
});
await Promise.all(workers);
process.exit(0);

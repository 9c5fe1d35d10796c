// @ts-check
// Measures a trigger that fires every second while the file of another project is saved in one hostile form after the other and
// then edited: missed slots, lateness, and the longest block of the event loop.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTILE } from './hostile-files.mjs';
import { makeHome, print, quantile, removeHome, startServer } from './support.mjs';

const BEAT = `triggers:
  beat:
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "\`\`\`write beat.txt\\nx\\n\`\`\`", tools: [Write] }
    enabled: true
`;
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const home = makeHome({
  'projects/beat/project.yaml': BEAT,
  'projects/hostile/project.yaml': 'name: Hostile\n',
});
mkdirSync(join(home, 'data'), { recursive: true });
const file = join(home, 'projects/hostile/project.yaml');
const server = await startServer(home);
const get = async (/** @type {string} */ path) => (await fetch(server.url + path)).json();
/** @type {number[]} */
const gaps = [];
let probing = true;
const probe = (async () => {
  while (probing) {
    const from = performance.now();
    await (await fetch(`${server.url}/livez`)).arrayBuffer();
    gaps.push(performance.now() - from);
    await sleep(5);
  }
})();
const record = {
  trigger: { type: 'schedule', cron: '0 3 * * *' },
  run: { prompt: 'Look.' },
  enabled: true,
};
await sleep(3000);
print(`quiet: answers to /livez at most ${Math.max(...gaps).toFixed(0)} ms late`);
const started = Date.now();
let held = 0;
for (const [name, make] of Object.entries(HOSTILE)) {
  gaps.length = 0;
  const from = performance.now();
  writeFileSync(file, make());
  await get('/api/projects/hostile/triggers/runtime');
  const readMs = performance.now() - from;
  const put = await fetch(`${server.url}/api/projects/hostile/triggers/mine`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(record),
  });
  await put.arrayBuffer();
  const editMs = performance.now() - from - readMs;
  await sleep(1500);
  const [p99, most] = [quantile(gaps, 0.99), Math.max(...gaps)];
  held = Math.max(held, most);
  print(
    `${name}: read after ${readMs.toFixed(0)} ms, PUT ${put.status} after ${editMs.toFixed(0)} ms; /livez p99 ${p99.toFixed(0)}, most ${most.toFixed(0)} ms`,
  );
}
probing = false;
await probe;
await sleep(1500);
const { runs } = await get('/api/projects/beat/runs?limit=200');
const mine = runs.filter(
  (/** @type {{ scheduledFor: string }} */ run) => Date.parse(run.scheduledFor) >= started,
);
const missed = mine.filter((/** @type {{ outcome: string }} */ run) => run.outcome === 'missed');
const late = mine.map((/** @type {{ lateMs: number }} */ run) => run.lateMs);
print(
  `${mine.length} slots, ${missed.length} rows of missed ones; at most ${Math.max(...late)} ms late; held at most ${held.toFixed(0)} ms; ${server.rssMb().toFixed(0)} MB at the end`,
);
await server.stop();
removeHome(home);

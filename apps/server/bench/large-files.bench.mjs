// @ts-check
// Measures two projects with valid files of nearly 1 MiB beside one of 18 kB: the list of projects, an edit of the small file, and
// both again while the large files change continuously.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, print, quantile, removeHome, startServer } from './support.mjs';

const ENTRY = (/** @type {number} */ i, /** @type {number} */ filler) => `  t${i}:
    trigger: { type: schedule, cron: 0 3 * * * }
    run: { prompt: "${'Look at it. '.repeat(filler)}" }
    enabled: false
`;
const fileOf = (/** @type {number} */ entries, /** @type {number} */ filler) =>
  `name: Bench\ntriggers:\n${Array.from({ length: entries }, (_, i) => ENTRY(i, filler)).join('')}`;
const LARGE = fileOf(2000, 34);
const SMALL = fileOf(100, 7);
print(`files of ${LARGE.length} and ${SMALL.length} bytes`);

const home = makeHome({
  'projects/one/project.yaml': LARGE,
  'projects/two/project.yaml': `${LARGE}# two\n`,
  'projects/small/project.yaml': SMALL,
});
const server = await startServer(home);
let count = 0;
const timed = async (/** @type {() => Promise<Response>} */ ask) => {
  const from = performance.now();
  const response = await ask();
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`answered ${response.status}`);
  return performance.now() - from;
};
const list = () => timed(() => fetch(`${server.url}/api/projects`));
const put = () =>
  timed(() => {
    count += 1;
    const record = {
      trigger: { type: 'schedule', cron: '0 3 * * *' },
      run: { prompt: `Look ${count}.` },
      enabled: false,
    };
    return fetch(`${server.url}/api/projects/small/triggers/mine`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(record),
    });
  });
const shown = (/** @type {number[]} */ times) =>
  `median ${quantile(times, 0.5).toFixed(0)}, most ${Math.max(...times).toFixed(0)} ms`;
const report = async (/** @type {string} */ name, /** @type {number} */ rounds) => {
  /** @type {number[]} */
  const lists = [];
  /** @type {number[]} */
  const puts = [];
  for (let n = 0; n < rounds; n += 1) {
    const listing = list();
    puts.push(await put());
    lists.push(await listing);
  }
  print(`${name}: GET /api/projects ${shown(lists)}; PUT beside it ${shown(puts)}`);
};
await put();
await list();
await report('unchanged', 10);
let changing = true;
const changes = (async () => {
  for (let n = 0; changing; n += 1) {
    for (const slug of ['one', 'two']) {
      writeFileSync(join(home, 'projects', slug, 'project.yaml'), `${LARGE}# ${slug} ${n}\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
})();
await report('changing every two seconds', 3);
changing = false;
await changes;
print(`${server.rssMb().toFixed(0)} MB at the end`);
await server.stop();
removeHome(home);

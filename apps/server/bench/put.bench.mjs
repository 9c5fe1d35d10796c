// @ts-check
// Measures PUT of one trigger into a file of 50, one request after the other, compared with a bare Express server that does the
// same with the YAML library: read, set, write a temporary file with fsync, rename, fsync of the folder.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, manyTriggers, print, quantile, removeHome, startServer } from './support.mjs';

const WARM_UP = 20;
const TIMES = 200;

/** @param {number} n */
const record = (n) => ({
  trigger: { type: 'schedule', cron: `${n % 60} 3 * * *` },
  run: { prompt: `Look around ${n}.` },
  enabled: true,
});

/** @param {(n: number) => string} urlOf */
async function load(urlOf) {
  /** @type {number[]} */
  const times = [];
  for (let n = 0; n < WARM_UP + TIMES; n += 1) {
    const from = performance.now();
    const answer = await fetch(urlOf(n), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(record(n)),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`PUT answered ${answer.status}.`);
    if (n >= WARM_UP) times.push(performance.now() - from);
  }
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

const text = manyTriggers(50);
const home = makeHome({ 'projects/demo/project.yaml': text });
const theirs = join(home, 'theirs');
mkdirSync(theirs);
writeFileSync(join(theirs, 'project.yaml'), text);
const script = join(home, 'bare.mjs');
writeFileSync(
  script,
  `import { open, readFile, rename } from 'node:fs/promises';
import express from ${JSON.stringify(import.meta.resolve('express'))};
import { parseDocument } from ${JSON.stringify(import.meta.resolve('yaml'))};
const folder = ${JSON.stringify(theirs)};
const file = folder + '/project.yaml';
const synced = async (path, flags, work) => {
  const handle = await open(path, flags);
  await work(handle);
  await handle.sync();
  await handle.close();
};
const app = express();
app.use(express.json());
app.put('/:name', async (request, response) => {
  const document = parseDocument(await readFile(file, 'utf8'));
  document.setIn(['triggers', request.params.name], request.body);
  await synced(file + '.new', 'w', (handle) => handle.writeFile(String(document)));
  await rename(file + '.new', file);
  await synced(folder, 'r', () => {});
  response.json(request.body);
});
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));`,
);
const bare = fork(script);
const [port] = await once(bare, 'message');
const server = await startServer(home);
for (const round of [1, 2]) {
  const peer = await load((n) => `http://127.0.0.1:${port}/t${n % 50}`);
  const own = await load((n) => `${server.url}/api/projects/demo/triggers/t${n % 50}`);
  const show = (/** @type {{ p50: number, p99: number }} */ { p50, p99 }) =>
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  print(`PUT into a file of 50 triggers, round ${round}`);
  print(`  bare Express + yaml  ${show(peer)}`);
  print(`  svc                  ${show(own)}: ${(own.p50 / peer.p50).toFixed(2)}x of the time`);
}
bare.kill('SIGKILL');
await server.stop();
removeHome(home);

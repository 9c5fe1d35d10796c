// @ts-check
// Measures GET triggers and GET runtime at 10 connections, compared with a bare Express server that sends the same bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { makeHome, manyTriggers, print, quantile, removeHome, startServer } from './support.mjs';

const CONNECTIONS = 10;
const SECONDS = 4;
const ROUTES = ['/api/projects/demo/triggers/runtime', '/api/projects/demo/triggers'];

/** @param {string} url @param {Agent} agent @returns {Promise<string>} */
function fetchOnce(url, agent) {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve(body));
    }).on('error', reject);
  });
}

/** @param {string} url */
async function load(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  /** @type {number[]} */
  const times = [];
  const until = performance.now() + SECONDS * 1000;
  const lane = async () => {
    while (performance.now() < until) {
      const from = performance.now();
      await fetchOnce(url, agent);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  agent.destroy();
  return {
    perSecond: times.length / SECONDS,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

const home = makeHome({ 'projects/demo/project.yaml': manyTriggers(50) });
const server = await startServer(home);
// The cache ignores files that changed a moment ago; the benchmark measures cached reads.
await new Promise((resolve) => setTimeout(resolve, 4000));
const bodies = await Promise.all(
  ROUTES.map(async (route) => (await fetch(server.url + route)).text()),
);
const script = join(home, 'bare.mjs');
writeFileSync(
  script,
  `import express from ${JSON.stringify(import.meta.resolve('express'))};
process.once('message', (bodies) => {
  const app = express();
  bodies.forEach((body, n) => app.get('/' + n, (_q, r) => { r.type('application/json').send(body); }));
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
});`,
);
const bare = fork(script);
bare.send(bodies);
const [port] = await once(bare, 'message');
for (const [n, route] of ROUTES.entries()) {
  const theirs = await load(`http://127.0.0.1:${port}/${n}`);
  const ours = await load(server.url + route);
  const show = (/** @type {{ perSecond: number, p50: number, p99: number }} */ result) =>
    `${result.perSecond.toFixed(0)}/s, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`;
  print(`GET ${route} (${bodies[n]?.length} bytes, 50 triggers)`);
  print(`  bare Express  ${show(theirs)}`);
  print(
    `  svc           ${show(ours)}: ${(ours.perSecond / theirs.perSecond).toFixed(2)}x of the throughput`,
  );
}
bare.kill('SIGKILL');
await server.stop();
removeHome(home);

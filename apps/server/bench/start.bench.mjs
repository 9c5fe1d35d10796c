// @ts-check
// Measures the time from the process start to the first answer, and the memory then, compared with a bare Express server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, manyTriggers, print, quantile, removeHome, startServer } from './support.mjs';

const RUNS = 7;
const express = import.meta.resolve('express');

/** @param {Record<string, string>} files */
async function ours(files) {
  const times = [];
  const sizes = [];
  for (let n = 0; n < RUNS; n += 1) {
    const home = makeHome(files);
    const from = performance.now();
    const server = await startServer(home);
    await (await fetch(`${server.url}/api/projects/demo/triggers/runtime`)).text();
    times.push(performance.now() - from);
    sizes.push(server.rssMb());
    await server.stop();
    removeHome(home);
  }
  return { ms: quantile(times, 0.5), mb: quantile(sizes, 0.5) };
}

async function bareExpress() {
  const home = makeHome({ 'keep.txt': '' });
  const script = join(home, 'bare.mjs');
  writeFileSync(
    script,
    `import express from ${JSON.stringify(express)};
const server = express().get('/', (_q, r) => r.json({})).listen(0, '127.0.0.1', () => console.log(server.address().port));`,
  );
  const times = [];
  const sizes = [];
  for (let n = 0; n < RUNS; n += 1) {
    const from = performance.now();
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = await once(child.stdout, 'data');
    await (await fetch(`http://127.0.0.1:${Number(port)}/`)).text();
    times.push(performance.now() - from);
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    sizes.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  removeHome(home);
  return { ms: quantile(times, 0.5), mb: quantile(sizes, 0.5) };
}

const small = await ours({ 'projects/demo/project.yaml': manyTriggers(3) });
const large = await ours({ 'projects/demo/project.yaml': manyTriggers(1000) });
const bare = await bareExpress();
const line = (/** @type {string} */ name, /** @type {{ ms: number, mb: number }} */ { ms, mb }) =>
  print(
    `${name.padEnd(28)} first answer after ${ms.toFixed(0).padStart(5)} ms (${(ms / bare.ms).toFixed(1)}x)   RSS ${mb.toFixed(0).padStart(4)} MB (${(mb / bare.mb).toFixed(1)}x)`,
  );
line('bare Express', bare);
line('svc, 3 triggers', small);
line('svc, 1000 triggers', large);

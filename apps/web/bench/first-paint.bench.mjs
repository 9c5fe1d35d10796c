// @ts-check
// Measures how long it takes until the triggers of a project are readable, with 7 and with 200 triggers,
// on a fast and on a slow connection, compared with a static page with the same rows from a bare Express server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const RUNS = 5;
const SERVER = new URL('../../server/', import.meta.url);
const express = createRequire(SERVER).resolve('express');

// 150 ms round trip, 1.6 Mbit/s down, 750 kbit/s up: the "slow 4G" profile of Lighthouse.
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
};
const LINES = /** @type {const} */ ([
  { name: 'as it is', slow: false },
  { name: 'slow 4G, CPU/4', slow: true },
]);

/** @param {number} count */
const namesOf = (count) => Array.from({ length: count }, (_, at) => `t${at}`);

/** @param {string} command @param {string[]} args @param {(line: string) => string | null} addressIn */
async function start(command, args, addressIn) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  /** @type {string} */
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = addressIn(line);
      if (address !== null) resolve(address);
    });
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** @param {string} folder @param {number} count */
function ours(folder, count) {
  const entry =
    '{ trigger: { type: schedule, cron: 0 3 * * * }, run: { prompt: Look around. }, enabled: true }';
  mkdirSync(join(folder, 'projects/demo'), { recursive: true });
  writeFileSync(
    join(folder, 'projects/demo/project.yaml'),
    `name: Demo\ntriggers:\n${namesOf(count)
      .map((name) => `  ${name}: ${entry}\n`)
      .join('')}`,
  );
  const bin = new URL('bin/svc.js', SERVER).pathname;
  return start(process.execPath, [bin, 'serve', '--home', folder, '--port', '0'], (line) => {
    const { msg, url } = JSON.parse(line);
    return msg === 'listening' ? url : null;
  });
}

/** @param {string} folder @param {number} count */
function bare(folder, count) {
  const rows = namesOf(count)
    .map(
      (name) =>
        `<tr data-row><td>Armed</td><th>${name}</th><td>tomorrow 03:00</td><td>Never ran</td><td><button>Run now</button></td></tr>`,
    )
    .join('');
  const html = `<!doctype html><title>Demo</title><main><h1>Demo</h1><table>${rows}</table></main>`;
  const script = join(folder, 'bare.mjs');
  writeFileSync(
    script,
    `import express from ${JSON.stringify(express)};
const server = express().get('*any', (_q, r) => r.type('html').send(${JSON.stringify(html)})).listen(0, '127.0.0.1', () =>
  console.log('http://127.0.0.1:' + server.address().port));`,
  );
  return start(process.execPath, [script], (line) => line);
}

/**
 * Milliseconds from the start of the navigation until all rows are painted, in a browser context with an empty
 * cache.
 * @param {import('playwright-core').Browser} browser @param {string} address @param {{ count: number, slow: boolean
 * }} how
 */
async function useful(browser, address, { count, slow }) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  if (slow) {
    await protocol.send('Network.enable');
    await protocol.send('Network.emulateNetworkConditions', SLOW_4G);
    await protocol.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  }
  await page.addInitScript((wanted) => {
    const look = () => {
      if (document.querySelectorAll('main [data-row]').length < wanted) {
        requestAnimationFrame(look);
        return;
      }
      // The frame after the next starts when this frame is on the screen.
      requestAnimationFrame(() =>
        setTimeout(() => Object.assign(globalThis, { usefulAt: performance.now() })),
      );
    };
    look();
  }, count);
  await page.goto(address, { waitUntil: 'commit' });
  const at = await page.waitForFunction(() => Reflect.get(globalThis, 'usefulAt'), null, {
    polling: 100,
  });
  const ms = Number(await at.jsonValue());
  await context.close();
  return ms;
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
});
for (const count of [7, 200]) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-paint-'));
  const [service, peer] = [await ours(folder, count), await bare(folder, count)];
  for (const { name, slow } of LINES) {
    /** @type {number[]} */
    const page = [];
    /** @type {number[]} */
    const table = [];
    // The runs alternate, so that other load on the machine affects both pages equally.
    for (let n = 0; n < RUNS; n += 1) {
      page.push(await useful(browser, `${service.url}/projects/demo`, { count, slow }));
      table.push(await useful(browser, peer.url, { count, slow }));
    }
    const [own, other] = [median(page), median(table)];
    process.stdout.write(
      `${String(count).padStart(3)} triggers, ${name.padEnd(15)} useful after ${own.toFixed(0).padStart(5)} ms   static table ${other.toFixed(0).padStart(5)} ms   (${(own / other).toFixed(1)}x)\n`,
    );
  }
  await service.stop();
  await peer.stop();
  rmSync(folder, { recursive: true, force: true });
}
await browser.close();

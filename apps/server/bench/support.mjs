// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const BIN = new URL('../bin/svc.js', import.meta.url).pathname;

/** @param {Record<string, string>} files @returns {string} */
export function makeHome(files) {
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
}

/** @param {string} home */
export function removeHome(home) {
  rmSync(home, { recursive: true, force: true });
}

/** Starts the service, or that of another build, and waits until it listens. @param {string} home @param {string} bin */
export async function startServer(home, bin = BIN) {
  const from = performance.now();
  const child = spawn(process.execPath, [bin, 'serve', '--home', home, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const { msg, url: at } = JSON.parse(line);
      if (msg !== 'listening') return;
      resolve(at);
      // Later lines are read and discarded, so that the server never waits.
      lines.close();
      child.stdout.resume();
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - from,
    rssMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** @param {number[]} values @param {number} q */
export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** @param {string} line */
export function print(line) {
  process.stdout.write(`${line}\n`);
}

/** A project file with the given number of webhook triggers, which never fire. @param {number} count */
export function manyTriggers(
  count,
  entry = '{ trigger: { type: schedule, cron: 0 3 * * * }, run: { prompt: Look around. }, enabled: true }',
) {
  const lines = Array.from({ length: count }, (_, n) => `  t${n}: ${entry}`);
  return `name: Bench\ntriggers:\n${lines.join('\n')}\n`;
}

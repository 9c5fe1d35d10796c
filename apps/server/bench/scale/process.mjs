// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const BIN = new URL('../../bin/svc.js', import.meta.url).pathname;

/** CPU seconds of a process so far. @param {number} pid */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // Ticks of 10 ms, the unit of the kernel.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** @param {number} pid @param {'VmRSS' | 'VmHWM'} what */
export function memoryMb(pid, what = 'VmRSS') {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** @param {number} ms */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Starts the service in a home and resolves when it listens; `onLine` gets each log line.
 *
 * @param {string} home
 * @param {{ node?: string[], onLine?: (line: Record<string, any>) => void, env?: Record<string, string> }} [options]
 */
export async function serve(home, { node = [], onLine = () => {}, env = {} } = {}) {
  const from = performance.now();
  const args = [...(process.env.SVC_BENCH_NODE ?? '').split(' ').filter(Boolean), ...node];
  const child = spawn(process.execPath, [...args, BIN, 'serve', '--home', home, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const pid = child.pid ?? 0;
  /** @type {Promise<string>} */
  const listening = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text);
      if (line.msg === 'listening') resolve(line.url);
      onLine(line);
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  const url = await listening;
  return {
    url,
    pid,
    startMs: performance.now() - from,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

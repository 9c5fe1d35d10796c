// @ts-check
// Compares a turn of an external runtime with the same command without svc: a bare child process for `text`, a client of the
// official library for `acp`. Each variant runs in its own process, which loads the modules that the service has without
// this package. `without reaper` omits the reaper, which scans all processes of the machine at the end of a turn of any runtime.
// Needs a build and Linux.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const here = (/** @type {string} */ path) => new URL(path, import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));

/** @param {string} way @returns {Promise<{ one: number, oneMb: number, ten: number, tenMb: number }>} */
async function measure(way) {
  const args = ['--expose-gc', here('peer.mjs'), way, here('../test/agents/raw-agent.mjs'), folder];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout);
}

const lines = ['protocol | what | bare | svc | on top | ratio | without reaper | on top'];
for (const protocol of ['text', 'acp']) {
  const bare = await measure(`${protocol} bare`);
  const svc = await measure(`${protocol} svc`);
  const unreaped = await measure(`${protocol} without reaper`);
  for (const [what, key] of /** @type {const} */ ([
    ['one turn, ms', 'one'],
    ['one turn, MB (PSS of the process tree)', 'oneMb'],
    ['ten turns at once, ms', 'ten'],
    ['ten turns at once, MB (PSS of the process tree)', 'tenMb'],
  ])) {
    const [a, b, c] = [bare[key], svc[key], unreaped[key]];
    const numbers = [a, b, b - a, b / a, c, c - a].map((one) => one.toFixed(1));
    lines.push([protocol, what, ...numbers].join(' | '));
  }
}
process.stdout.write(`${lines.join('\n')}\n`);
await rm(folder, { recursive: true, force: true });

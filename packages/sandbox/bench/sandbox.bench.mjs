// @ts-check Compares a command in an open sandbox with bare bwrap and a bare process, and opening a sandbox with starting
// Node. Needs a build and bubblewrap; run with node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock, silentLogger } from '@svc/core';
import { createSandboxHost } from '@svc/sandbox';

const ROUNDS = 100;
const base = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const path = '/usr/local/bin:/usr/bin:/bin';
await writeFile(join(base, 'project.yaml'), 'name: bench\n');
const host = createSandboxHost(
  { clock: createSystemClock(), logger: silentLogger },
  {
    ...{ path, node: process.execPath, stateFolder: join(base, 'state'), user: null },
    ...{ hide: [], readOnly: [], writable: [] },
    limits: { memoryBytes: 2 ** 30, processes: 200, cpuMs: null },
  },
);
const support = await host.support();
if (!support.supported) throw new Error(`${support.reason} ${support.fix}`);

/** @param {import('@svc/sandbox').SandboxSpec['network']} network */
async function open(network) {
  const opened = await host.open({
    ...{ folder: base, writable: true, protectedPaths: ['project.yaml'], path, programs: [] },
    ...{ home: join(base, 'state/home'), homeLinks: [], network },
  });
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
}

/** @param {import('node:child_process').ChildProcess} child */
const exitOf = (child) => once(child, 'exit');
const quiet = /** @type {const} */ ({ env: { PATH: path }, stdio: 'ignore' });
const bwrap = ['--unshare-all', '--die-with-parent', '--new-session', '--ro-bind', '/', '/'];
const port = { port: 3128, accept: (/** @type {import('node:stream').Duplex} */ s) => s.destroy() };
const sandbox = await open([]);

/** @type {Record<string, () => Promise<unknown>>} */
const cases = {
  'a process': () => exitOf(spawn('/bin/true', [], quiet)),
  'bare bwrap': () =>
    exitOf(spawn('bwrap', [...bwrap, '--proc', '/proc', '--dev', '/dev', '/bin/true'], quiet)),
  'a command in a sandbox': () => exitOf(sandbox.spawn('/bin/true', [], quiet)),
  'bare Node': () => exitOf(spawn(process.execPath, ['-e', '0'], quiet)),
  'open and close, no port': async () => (await open([])).close(),
  'open and close, a port': async () => (await open([port])).close(),
};

/** @type {Map<string, number[]>} */
const times = new Map(Object.keys(cases).map((name) => [name, []]));
for (let round = -5; round < ROUNDS; round += 1) {
  for (const [name, run] of Object.entries(cases)) {
    const start = performance.now();
    await run();
    if (round >= 0) times.get(name)?.push(performance.now() - start);
  }
}
await sandbox.close();
await rm(base, { recursive: true, force: true });

/** @param {string} name */
const median = (name) => times.get(name)?.sort((a, b) => a - b)[ROUNDS / 2] ?? Number.NaN;
const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);
for (const name of times.keys()) print(`${name.padEnd(26)} ${median(name).toFixed(1)} ms`);
const ratio = (/** @type {string} */ one, /** @type {string} */ other) =>
  print(`${one} / ${other}: ${(median(one) / median(other)).toFixed(2)}`);
ratio('a command in a sandbox', 'bare bwrap');
ratio('open and close, no port', 'bare Node');
ratio('open and close, a port', 'bare Node');

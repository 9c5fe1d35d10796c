import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { until } from './harness.ts';
import {
  type Call,
  callsOf,
  curl,
  exampleOf,
  flat,
  importedBy,
  installedBy,
  linesOf,
  packedBy,
  pattern,
} from './readme-examples.ts';

jest.setTimeout(30_000);

const root = new URL('../../../', import.meta.url).pathname;
const everyPackage = readdirSync(join(root, 'packages')).sort();
// Some packages run their examples in their own tests.
const packages = everyPackage.filter(
  (name) => !existsSync(join(root, 'packages', name, 'test/readme.test.ts')),
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Example {
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

// Its working folder is empty; the file is inside its package, so that its dependencies are found.
function runExample(name: string, code: string): Example {
  const folder = mkdtempSync(join(tmpdir(), 'svc-readme-'));
  const place = mkdtempSync(join(root, 'packages', name, 'dist/readme-'));
  writeFileSync(join(place, 'example.mjs'), code);
  const child = spawn(process.execPath, [join(place, 'example.mjs')], { cwd: folder });
  let out = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (out += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    output: () => flat(out),
    ended,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      for (const left of [folder, place]) rmSync(left, { recursive: true, force: true });
    },
  };
}

async function expectOutput(example: Example, lines: readonly string[]): Promise<void> {
  const last = pattern(flat(lines.at(-1) ?? ''));
  for (let n = 0; n < 600 && !last.test(example.output()); n += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const line of lines) expect(example.output()).toMatch(pattern(flat(line)));
}

async function expectAnswers(calls: readonly Call[]): Promise<void> {
  for (const { args, answer } of calls) {
    const said = await until(() => curl(args).catch(() => null));
    expect(said).toMatch(pattern(answer));
  }
}

describe.each(everyPackage)('the README of %s', (name) => {
  // proves: packages.named
  it('tells users to install what its example imports', () => {
    const installed = installedBy(name).map((each) => each.replace(/(?<=.)@.*$/, ''));
    expect(installed[0]).toBe(`@svc/${name}`);
    expect(installed).toEqual(expect.arrayContaining(importedBy(exampleOf(name))));
  });

  // proves: packages.clone
  it('shows how to install the same from a clone', () => {
    expect(packedBy(name)).toEqual(expect.arrayContaining(installedBy(name)));
  });
});

describe.each(packages)('the README of %s', (name) => {
  it('has an example that runs and prints what it shows', async () => {
    const port = await freePort();
    const code = exampleOf(name).replace(/\b(8080|7420)\b/g, String(port));
    const calls = callsOf(code);
    const lines = linesOf(name);
    expect(lines.length + calls.length).toBeGreaterThan(0);
    const example = runExample(name, code);
    try {
      const continues = calls.length > 0 || /\.watch\(/.test(code);
      if (!continues)
        expect([await example.ended, example.output()]).toEqual([0, example.output()]);
      await expectOutput(example, lines);
      await expectAnswers(calls);
    } finally {
      await example.stop();
    }
  });
});

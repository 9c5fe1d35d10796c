import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { sampleFiles } from '../src/sample.ts';
import { until } from './harness.ts';

jest.setTimeout(30_000);

const root = new URL('../../../', import.meta.url).pathname;
const dist = new URL('../dist/', import.meta.url).pathname;
// Some packages run their examples themselves.
const packages = readdirSync(join(root, 'packages'))
  .filter((name) => !existsSync(join(root, 'packages', name, 'test/readme.test.ts')))
  .sort();

const exampleOf = (name: string): string => {
  const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');
  return /^(`{3,})js\n([\s\S]*?)^\1/m.exec(readme)?.[2] ?? '';
};

/** What an example says it prints: comments behind, or on lines of their own after, a console.log. */
function promised(example: string): string[] {
  const lines = example.split('\n');
  const printed: string[] = [];
  let after = false;
  for (const line of lines) {
    const [, code = '', comment] = /^(.*?)(?:\/\/ (.*))?$/.exec(line) ?? [];
    const prints = /console\.log\(/.test(code) || (after && code.trim() === '');
    if (comment !== undefined && prints) printed.push(comment);
    if (code.trim() !== '') after = /console\.log\(/.test(code) || /^\);?$/.test(code.trim());
  }
  return printed;
}

const curls = (example: string): { args: string; answer: string }[] =>
  [...example.matchAll(/^\/\/ curl (.*?)\s+-> (.*)$/gm)].map(([, args = '', answer = '']) => ({
    args,
    answer,
  }));

const pattern = (text: string): RegExp =>
  new RegExp(
    text
      .trim()
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// The example of ops makes what that of the REST surface needs.
const opsModule = (): string => `${exampleOf('ops').split('const fired')[0]}\nexport { ops };\n`;

/** The block of plain output that follows the example, where there is one. */
const shownBelow = (name: string): string[] => {
  const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');
  const block = /^(`{3,})js\n[\s\S]*?^\1\n\n```\n([\s\S]*?)^```/m.exec(readme)?.[2] ?? '';
  return block.split('\n').filter((line) => line.trim() !== '');
};

const flat = (text: string): string => text.replace(/\s+/g, ' ');

interface Example {
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

// Where an example finds what it needs: below its own package, or, when it uses that of ops too, below the program.
function placeOf(name: string, example: string): string {
  const folder = example.includes('./your-ops.js') ? dist : join(root, 'packages', name, 'dist/');
  return mkdtempSync(join(folder, 'readme-'));
}

function runExample(name: string, example: string): Example {
  const folder = mkdtempSync(join(tmpdir(), 'svc-readme-'));
  const { settings, project } = sampleFiles(null, '../..');
  const inPlace = Object.entries(project).map(
    ([path, text]) => [`projects/${path}`, text] as const,
  );
  for (const [path, text] of [...Object.entries(settings), ...inPlace]) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const place = placeOf(name, example);
  writeFileSync(join(place, 'example.mjs'), example);
  writeFileSync(join(place, 'your-ops.js'), opsModule());
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

// Node's own client in place of curl, which not every machine has.
function call(args: string): Promise<string> {
  const [, name = '', value = ''] = /-H '([^:]+): ([^']+)'/.exec(args) ?? [];
  const url = new URL(`http://${args.split(' ').at(-1)}`);
  return new Promise((resolve, reject) => {
    const headers = name === '' ? {} : { [name]: value };
    get(url, { headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve(body));
    }).on('error', reject);
  });
}

async function expectAnswers(calls: readonly { args: string; answer: string }[]): Promise<void> {
  for (const { args, answer } of calls) {
    const said = await until(() => call(args).catch(() => null));
    expect(said).toMatch(pattern(answer));
  }
}

describe.each(packages)('the README of %s', (name) => {
  it('has an example that runs and prints what it says', async () => {
    const port = await freePort();
    const code = exampleOf(name).replace(/\b(8080|7420)\b/g, String(port));
    const calls = curls(code);
    const lines = [...promised(code), ...shownBelow(name)];
    expect(lines.length + calls.length).toBeGreaterThan(0);
    const example = runExample(name, code);
    try {
      const goesOn = calls.length > 0 || /\.watch\(/.test(code);
      if (!goesOn) expect([await example.ended, example.output()]).toEqual([0, example.output()]);
      await expectOutput(example, lines);
      await expectAnswers(calls);
    } finally {
      await example.stop();
    }
  });
});

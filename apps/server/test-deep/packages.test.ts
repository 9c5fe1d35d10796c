import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { BIN, until } from '../test/harness.ts';
import {
  callsOf,
  curl,
  exampleOf,
  flat,
  installedBy,
  linesOf,
  messagesOf,
  pattern,
} from '../test/readme-examples.ts';
import {
  bareEnvironment,
  makeFolder,
  openRegistry,
  otherNodes,
  type Packed,
  packAll,
  type Registry,
} from './packing.ts';
import { startPostgres, withDatabase } from './postgres.ts';
import { freePort, type Going, type Place, runProgram, startProgram } from './run-program.ts';

jest.setTimeout(240_000);

const packages = readdirSync(new URL('../../../packages', import.meta.url)).sort();
const NODES = ['20', '22', '24'];
const TARBALLS = makeFolder();
const own = String(process.versions.node.split('.')[0]);

let nodes: ReadonlyMap<string, string>;
let packed: readonly Packed[];
let registry: Registry;
beforeAll(async () => {
  nodes = new Map([...(await otherNodes()), [own, process.execPath]]);
  packed = await packAll(TARBALLS.path);
  registry = await openRegistry(packed);
});
afterAll(async () => {
  await registry.close();
  TARBALLS.remove();
});

const tarballOf = (name: string): string => {
  const found = packed.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} was not packed.`);
  return found.file;
};

let folder: ReturnType<typeof makeFolder>;
const going: Going[] = [];
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  for (const one of going.splice(0)) await one.stop('SIGKILL');
  folder.remove();
});

const start = (command: string, args: string[], place: Place): Going => {
  const started = startProgram(command, args, place);
  going.push(started);
  return started;
};

/** An empty working folder, and an empty home next to it. */
async function bare(node?: string, name = 'npm'): Promise<Place> {
  const cwd = join(folder.path, name, 'work');
  const home = join(folder.path, name, 'home');
  for (const path of [cwd, home]) mkdirSync(path, { recursive: true });
  return { cwd, env: await bareEnvironment(home, node) };
}

/** The address of a service, once it is logged. */
async function addressOf(service: Going): Promise<string> {
  const [, url = ''] = await service.said(/svc is running at (http:\S+)\. Open/);
  return url;
}

async function textOf(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { headers });
  expect([url, response.status]).toEqual([url, 200]);
  return response.text();
}

/** The resources of the page, as a browser requests them. */
async function openPage(url: string): Promise<string[]> {
  const shell = await textOf(url, { accept: 'text/html' });
  const assets = [...shell.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  const texts = await Promise.all(
    assets.map((path) => textOf(`${url}${path}`, { 'accept-encoding': 'identity' })),
  );
  return [shell, ...texts];
}

const expectPage = (texts: readonly string[]): void => {
  expect(texts[0]).toContain('<div id="root">');
  expect(texts.length).toBeGreaterThan(2);
  expect(Math.max(...texts.map((text) => text.length))).toBeGreaterThan(100_000);
};

// The third field of a line is the type, the sixth one the inode of the file.
const kernelLocks = (path: string): string[] =>
  readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.split(/\s+/)[5]?.endsWith(`:${statSync(path).ino}`));

describe('the server package', () => {
  // proves: packages.server
  it.each(NODES)('installs with npm alone, fires, and shows its page: Node %s', async (version) => {
    const node = nodes.get(version);
    expect([version, node]).toEqual([version, expect.stringContaining('node')]);
    const place = await bare(node);
    const prefix = join(folder.path, 'global');
    const install = ['install', '--global', '--prefix', prefix, tarballOf('@svc/server')];
    expect(await runProgram('npm', install, place)).toMatchObject({ code: 0 });
    const svc = join(prefix, 'bin/svc');
    const service = start(svc, ['serve', '--init', '--port', '0'], place);
    const url = await addressOf(service);
    const fired = await runProgram(svc, ['fire', 'hello', 'heartbeat', '--wait'], place);
    expect(fired).toMatchObject({ code: 0, out: expect.stringContaining('succeeded') });
    expectPage(await openPage(url));
    if (process.platform === 'linux') {
      const [lock = ''] = kernelLocks(join(place.cwd, '.svc-home/.svc.lock'));
      expect(lock).toContain('OFDLCK');
    }
    expect(await service.stop()).toBe(0);
  });

  // proves: packages.server.npx
  it('runs from its tarball with npx', async () => {
    const place = await bare();
    const npx = ['--yes', `--package=${tarballOf('@svc/server')}`, 'svc'];
    const service = start('npx', [...npx, 'serve', '--init', '--port', '0'], place);
    expectPage(await openPage(await addressOf(service)));
    await service.stop();
  });

  // proves: packages.server.database
  it('uses a server database', async () => {
    const postgres = await startPostgres();
    try {
      await withDatabase(postgres, async (_home, database) => {
        const place = await bare();
        const prefix = join(folder.path, 'global');
        const install = ['install', '--global', '--prefix', prefix, tarballOf('@svc/server')];
        expect(await runProgram('npm', install, place)).toMatchObject({ code: 0 });
        const env = { ...place.env, SVC_DATABASE_URL: database.url };
        const svc = join(prefix, 'bin/svc');
        const service = start(svc, ['serve', '--init', '--port', '0'], { ...place, env });
        await addressOf(service);
        const fired = await runProgram(svc, ['fire', 'hello', 'heartbeat', '--wait'], place);
        expect(fired).toMatchObject({ code: 0, out: expect.stringContaining('succeeded') });
        expect(await service.stop()).toBe(0);
        expect(existsSync(join(place.cwd, '.svc-home/data/svc.db'))).toBe(false);
        expect(await database.query('select outcome from run')).toEqual([{ outcome: 'succeeded' }]);
      });
    } finally {
      await postgres.close();
    }
  });
});

// A program of 174 MB, which neither the package nor its example needs.
const WITHOUT_OPTIONAL = ['runtime-claude'];
const MANAGERS: Readonly<Record<string, (names: string[], isWhole: boolean) => string[]>> = {
  npm: (names, isWhole) => ['npm', 'install', ...names, ...(isWhole ? [] : ['--omit=optional'])],
  pnpm: (names, isWhole) => [
    ...['npx', '-y', 'pnpm@10.34.9', 'add', '--prefer-offline'],
    ...[...names, ...(isWhole ? [] : ['--no-optional'])],
  ],
};

/** A service for an example that needs one. */
async function startPartner(manager: string, port: string): Promise<void> {
  const cwd = join(folder.path, manager, 'partner');
  mkdirSync(cwd);
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd };
  const service = start(process.execPath, [BIN, 'serve', '--init', '--port', port], { cwd, env });
  await addressOf(service);
}

/** The answer of a management endpoint to a message of the client in examples. */
async function post(url: string, message: object): Promise<string> {
  const headers = {
    authorization: 'Bearer tok_home_0123456789abcdef',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  return (await fetch(url, { method: 'POST', headers, body })).text();
}

/** Waits for the output that an example promises, and sends the requests that it lists. */
async function expectExample(name: string, code: string, example: Going): Promise<void> {
  const [port = ''] = /\b\d{4,5}\b(?=\);)/.exec(code) ?? [];
  const calls = callsOf(code);
  const messages = messagesOf(code);
  // Ids differ each time.
  const lines = linesOf(name).map((line) => line.replace(/[0-9a-f]{8}-…/, '…'));
  expect(lines.length + calls.length + messages.length).toBeGreaterThan(0);
  for (const { args, answer } of calls)
    expect(await until(() => curl(args).catch(() => null))).toMatch(pattern(answer));
  for (const { message, answer } of messages) {
    const url = `http://127.0.0.1:${port}/mcp`;
    expect(await until(() => post(url, message).catch(() => null))).toContain(answer);
  }
  for (const line of lines) await example.said(pattern(flat(line)));
  const continues = calls.length + messages.length > 0 || /\.watch\(/.test(code);
  if (!continues) expect([await example.ended, example.output()]).toEqual([0, example.output()]);
}

// The compiler and the types of Node are those of this repository.
const MODULES = new URL('../../../node_modules', import.meta.url).pathname;
const TYPES = join(MODULES, '@types');
const TSC = join(MODULES, '.bin/tsc');

/** Compiles a program that re-exports the whole package, with checked declarations of every library. */
async function expectTypes(name: string, place: Place): Promise<void> {
  const manifest = join(place.cwd, 'node_modules/@svc', name, 'package.json');
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly exports: object };
  const paths = Object.keys(exports).filter((path) => !path.endsWith('.json'));
  const lines = paths.map(
    (path, at) => `export * as e${at} from '@svc/${name}${path.slice(1)}';\n`,
  );
  writeFileSync(join(place.cwd, 'types.ts'), lines.join(''));
  const strict = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    'false',
  ];
  const target = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--typeRoots',
    TYPES,
    '--types',
    'node',
  ];
  expect(await runProgram(TSC, [...strict, ...target, 'types.ts'], place)).toEqual({
    code: 0,
    out: '',
  });
}

async function runAlone(name: string, manager: string): Promise<void> {
  const place = await bare(process.execPath, manager);
  writeFileSync(join(place.cwd, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(place.cwd, '.npmrc'), `@svc:registry=${registry.url}\n`);
  const isWhole = !WITHOUT_OPTIONAL.includes(name);
  const [command = '', ...args] = MANAGERS[manager]?.(installedBy(name), isWhole) ?? [];
  expect(await runProgram(command, args, place)).toMatchObject({ code: 0 });
  expect(existsSync(join(place.cwd, 'node_modules/@svc', name, 'CHANGELOG.md'))).toBe(true);
  // With pnpm a package finds only the dependencies of its own manifest.
  if (manager === 'pnpm') await expectTypes(name, place);
  const port = String(await freePort());
  const code = exampleOf(name).replace(/\b(8080|7420)\b/g, port);
  writeFileSync(join(place.cwd, 'example.js'), code);
  if (name === 'client') await startPartner(manager, port);
  await expectExample(name, code, start('node', ['example.js'], place));
}

describe.each(packages)('the package %s, installed alone', (name) => {
  // proves: packages.alone, packages.types
  it('compiles, and runs the first example of its README in an empty folder, with npm and with pnpm', async () => {
    await Promise.all(Object.keys(MANAGERS).map((manager) => runAlone(name, manager)));
  });
});

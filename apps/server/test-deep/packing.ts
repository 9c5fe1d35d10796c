import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/svc-packages');
const CACHE_LIFE_MS = 7 * 24 * 3_600_000;
const PNPM = 'pnpm@10.34.9';

/** A package as it would be published. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly manifest: Manifest;
  /** The names of its files. */
  readonly files: readonly string[];
}

/** The fields of a manifest. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Creates a temporary folder, removed at the end. */
export function makeFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'svc-packages-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Packs every published package, like `pnpm pack`. */
export async function packAll(folder: string): Promise<Packed[]> {
  const npx = ['-y', '--prefer-offline', PNPM, '-r', 'pack', '--pack-destination', folder];
  await run('npx', npx, { cwd: ROOT, maxBuffer: 2 ** 26 });
  const files = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const packed = await Promise.all(files.map((name) => readPacked(join(folder, name))));
  return packed.filter(({ manifest }) => manifest.private !== true);
}

async function readPacked(file: string): Promise<Packed> {
  const { stdout } = await run('tar', ['-xzOf', file, 'package/package.json']);
  const listed = await run('tar', ['-tzf', file]);
  const manifest: Manifest = JSON.parse(stdout);
  const files = listed.stdout.split('\n').filter(Boolean);
  const { name, version } = manifest;
  return { name, version, file, manifest, files: files.map((path) => path.slice(8)).sort() };
}

/** A registry with the packages of one scope. */
export interface Registry {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves packages to npm and pnpm like a registry. */
export async function openRegistry(packages: readonly Packed[]): Promise<Registry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const file = packages.find((one) => `tarballs/${basename(one.file)}` === path);
    const named = packages.find(({ name }) => name === path);
    if (file !== undefined) return response.end(readFileSync(file.file));
    if (named === undefined) return response.writeHead(404).end('{}');
    const { port } = server.address() as AddressInfo;
    response.setHeader('Content-Type', 'application/json');
    return response.end(JSON.stringify(entryOf(named, `http://127.0.0.1:${port}`)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function entryOf({ name, version, file, manifest }: Packed, origin: string): object {
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  const dist = { tarball: `${origin}/tarballs/${basename(file)}`, integrity };
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
  };
}

/** The environment of programs with this empty folder as home: nothing of this repository, and the registry that npm uses here. */
export async function bareEnvironment(
  home: string,
  node = process.execPath,
): Promise<Record<string, string>> {
  const cache = freshCache();
  const settings = await registrySettings();
  // The installed npm, on the given Node: both are searched for along PATH.
  const { stdout } = await run('sh', ['-c', 'command -v npm']);
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  await run('ln', ['-sf', node, join(bin, 'node')]);
  for (const name of ['npm', 'npx'])
    await run('ln', ['-sf', join(stdout.trim(), '..', name), join(bin, name)]);
  return {
    ...settings,
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: home,
    TZ: 'UTC',
    npm_config_cache: join(cache, 'npm'),
    npm_config_store_dir: join(cache, 'pnpm'),
    npm_config_cache_dir: join(cache, 'pnpm-cache'),
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}

// Downloads are cached for the next run; the cache, which also holds packages of this repository, is deleted once a week.
function freshCache(): string {
  const since = statSync(CACHE, { throwIfNoEntry: false })?.birthtimeMs ?? Number.NaN;
  if (Date.now() - since > CACHE_LIFE_MS) rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  return CACHE;
}

async function registrySettings(): Promise<Record<string, string>> {
  const { stdout } = await run('npm', ['config', 'list', '--json']);
  const all: Record<string, unknown> = JSON.parse(stdout);
  const names = ['registry', 'cafile', 'proxy', 'https-proxy', 'noproxy', 'strict-ssl'];
  const variables = names.flatMap((name) => {
    const value = all[name];
    const isSet = value !== null && value !== undefined && value !== '' && value !== false;
    return isSet ? [[`npm_config_${name.replaceAll('-', '_')}`, String(value)]] : [];
  });
  return Object.fromEntries(variables);
}

/** Other Node versions on this machine, by major version. */
export async function otherNodes(): Promise<ReadonlyMap<string, string>> {
  const installer = fileURLToPath(new URL('install-foreign.mjs', import.meta.url));
  const { stdout } = await run(process.execPath, [installer, 'nodes']);
  const folder = join(JSON.parse(stdout).nodes, 'node_modules');
  const names = readdirSync(folder).filter((name) => name.startsWith('node-'));
  return new Map(names.map((name) => [name.slice(5), join(folder, name, 'bin/node')]));
}

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

jest.setTimeout(60_000);

const SERVER = new URL('../', import.meta.url).pathname;

// A fake pnpm: records its arguments, and does the minimum of the work.
const NPX = `#!/bin/sh
echo "$*" >> "$CALLS"
[ ! -e broken ] || exit 3
case "$*" in
  *install*) mkdir -p node_modules/.pnpm node_modules/lib packages/a/node_modules/lib ;;
  *build:all*) mkdir -p packages/a/dist && cp packages/a/src/a.ts packages/a/dist/a.js ;;
esac
`;

let root: string;

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

/** The pnpm commands of a build. */
function build(...options: string[]): { did: string[]; code: number | null } {
  const calls = join(root, '..', 'calls');
  writeFileSync(calls, '');
  const { status } = spawnSync(
    process.execPath,
    [...options, join(root, 'apps/server/scripts/build.mjs')],
    { env: { PATH: `${join(root, '..')}:/usr/bin:/bin`, CALLS: calls }, encoding: 'utf8' },
  );
  const lines = readFileSync(calls, 'utf8').trim().split('\n').filter(Boolean);
  return {
    did: lines.map((line) => (line.includes('install') ? 'install' : 'build')),
    code: status,
  };
}

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-'));
  root = join(folder, 'svc');
  writeFileSync(join(folder, 'npx'), NPX);
  chmodSync(join(folder, 'npx'), 0o755);
  for (const path of ['scripts/build.mjs', 'bin/node-version.js']) {
    cpSync(join(SERVER, path), join(root, 'apps/server', path), { recursive: true });
  }
  const library = { devDependencies: { lib: '1.0.0' } };
  write('package.json', JSON.stringify(library));
  write('packages/a/package.json', JSON.stringify(library));
  write('apps/server/package.json', '{ "type": "module" }');
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.json']) write(path, '{}');
  write('tsconfig.base.json', '{}');
  write('packages/a/src/a.ts', 'one');
  write('packages/a/README.md', 'A.');
});

afterEach(() => rmSync(dirname(root), { recursive: true, force: true }));

describe('npm run build', () => {
  it('installs and builds a fresh clone once', () => {
    expect(build()).toEqual({ did: ['install', 'build'], code: 0 });
    expect(build()).toEqual({ did: [], code: 0 });
  });

  const remove = (path: string): void => rmSync(join(root, path), { recursive: true });
  it.each<[string, () => void, string[]]>([
    ['a changed source', () => write('packages/a/src/a.ts', 'two'), ['build']],
    ['a new source', () => write('packages/a/src/b.ts', 'new'), ['build']],
    ['a removed source', () => remove('packages/a/README.md'), ['build']],
    ['a changed compiler setting', () => write('tsconfig.base.json', '{ }'), ['build']],
    ['a deleted dist', () => remove('packages/a/dist'), ['build']],
    ['a changed file in dist', () => write('packages/a/dist/a.js', 'else'), ['build']],
    [
      'dist written by another build',
      () => utimesSync(join(root, 'packages/a/dist/a.js'), 1, 1),
      ['build'],
    ],
    ['a changed lock file', () => write('pnpm-lock.yaml', '{ }'), ['install', 'build']],
    ['deleted libraries', () => remove('node_modules'), ['install', 'build']],
    ['a deleted library', () => remove('node_modules/lib'), ['install', 'build']],
    ['libraries of a package', () => remove('packages/a/node_modules'), ['install', 'build']],
    [
      'a new package',
      () => write('packages/b/package.json', '{ "dependencies": {} }'),
      ['install', 'build'],
    ],
  ])('detects %s', (_name, change, did) => {
    build();
    change();
    expect(build().did).toEqual(did);
    expect(build().did).toEqual([]);
  });

  it('detects another version of Node', () => {
    build();
    const other = "Object.defineProperty(process, 'version', { value: 'v99.0.0' })";
    expect(build('--import', `data:text/javascript,${other}`).did).toEqual(['install', 'build']);
  });

  it('fails when a step fails, and starts again with that step', () => {
    write('broken', '');
    expect(build()).toEqual({ did: ['install'], code: 3 });
    rmSync(join(root, 'broken'));
    expect(build()).toEqual({ did: ['install', 'build'], code: 0 });
    write('packages/a/src/a.ts', 'two');
    write('broken', '');
    expect(build()).toEqual({ did: ['build'], code: 3 });
    rmSync(join(root, 'broken'));
    expect(build()).toEqual({ did: ['build'], code: 0 });
  });
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pathMounts } from '../src/adapters/installations.ts';

let base = '';
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'svc-installations-')));
});
afterAll(() => rmSync(base, { recursive: true }));

describe('the mounts of a PATH', () => {
  it.each([
    ['Python', 'python/bin', ['python/lib', 'python/share'], ['python/lib']],
    ['Java', 'jdk/bin', ['jdk/lib', 'jdk/conf'], ['jdk/lib', 'jdk/conf']],
    ['npm', 'node/bin', ['node/lib/node_modules'], ['node/lib']],
    ['pip for one user', '.local/bin', ['.local/lib', '.local/share'], ['.local/lib']],
    ['a manager of versions', '.pyenv/shims', ['.pyenv/versions', '.pyenv/libexec'], ['.pyenv']],
    ['another manager', '.asdf/shims', ['.asdf/installs'], ['.asdf']],
    ['no manager', 'tools/shims', ['tools/lib'], []],
    ['no programs', 'work', ['lib'], []],
  ])('include what programs of %s load', async (_what, folder, others, mounted) => {
    for (const path of [folder, ...others]) mkdirSync(join(base, path), { recursive: true });
    const found = await pathMounts(`/usr/bin:${join(base, folder)}:/nowhere`);
    const places = found.map((mount) => {
      expect(mount).toMatchObject({ kind: 'read-only' });
      return relative(base, mount.at);
    });
    expect(places).toEqual([folder, ...mounted]);
  });
});

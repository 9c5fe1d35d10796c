import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSystemClock } from '@svc/core';
import { copyPublicFiles } from '../src/adapters/public-files.ts';

let base: string;
let from: string;
let to: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'svc-public-'));
  [from, to] = [join(base, 'from'), join(base, 'to')];
  await mkdir(join(from, 'open'), { recursive: true });
  await mkdir(join(from, 'closed'));
  for (const folder of [from, join(from, 'open')]) await chmod(folder, 0o755);
  await writeFile(join(from, 'passwd'), 'users');
  await writeFile(join(from, 'shadow'), 'hashes');
  await writeFile(join(from, 'open/file'), 'one');
  await writeFile(join(from, 'closed/file'), 'key');
  await symlink('open/file', join(from, 'link'));
  for (const file of ['passwd', 'open/file', 'closed/file']) await chmod(join(from, file), 0o644);
  await chmod(join(from, 'shadow'), 0o640);
  await chmod(join(from, 'closed'), 0o710);
});

afterEach(() => rm(base, { recursive: true, force: true }));

const copy = (isHidden: (path: string) => boolean = () => false): Promise<void> =>
  copyPublicFiles(createSystemClock(), from, to, isHidden);
const names = async (): Promise<string[]> => (await readdir(to, { recursive: true })).sort();

describe('the copy of public files', () => {
  it('has what every user may read, and nothing else', async () => {
    await copy();
    expect(await names()).toEqual(['link', 'open', 'open/file', 'passwd']);
    expect(await readlink(join(to, 'link'))).toBe('open/file');
  });

  it('is readable for every user, regardless of the umask', async () => {
    const previous = process.umask(0o077);
    await copy().finally(() => process.umask(previous));
    for (const [path, mode] of [
      ['.', 0o755],
      ['open', 0o755],
      ['open/file', 0o644],
    ] as const) {
      expect((await stat(join(to, path))).mode & 0o777).toBe(mode);
    }
  });

  it('leaves out hidden paths', async () => {
    await copy((path) => path === join(from, 'open'));
    expect(await names()).toEqual(['link', 'passwd']);
  });

  it('follows changes, also of kind and of permissions', async () => {
    await copy();
    await writeFile(join(from, 'open/file'), 'changed');
    await rm(join(from, 'passwd'));
    await mkdir(join(from, 'passwd'));
    await chmod(join(from, 'passwd'), 0o755);
    await rm(join(from, 'link'));
    await symlink('passwd', join(from, 'link'));
    await copy();
    expect(await readFile(join(to, 'open/file'), 'utf8')).toBe('changed');
    expect(await names()).toEqual(['link', 'open', 'open/file', 'passwd']);
    expect(await readlink(join(to, 'link'))).toBe('passwd');
    await chmod(join(from, 'open/file'), 0o600);
    await copy();
    expect(await names()).toEqual(['link', 'open', 'passwd']);
  });
});

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSystemClock } from '@svc/core';
import { examineFile, openClosed, openStore } from '@svc/store';
import { type RestoreOptions, requireRoomFor, restoreBackup, writeBackup } from '../src/index.ts';

let folder: string;
let file: string;
const steps: string[] = [];

const common = () => ({
  ...{ file, version: '0.1.0', signal: new AbortController().signal },
  progress: (step: string) => {
    steps.push(step);
    return () => {};
  },
});

const homeAt = (name: string) => {
  const root = join(folder, name);
  const [projects, data] = [join(root, 'projects'), join(root, 'data')];
  return { root, projects, data, config: join(root, 'svc.config.yaml') };
};

async function backUp() {
  const home = homeAt('home');
  const database = join(home.data, 'svc.db');
  return writeBackup({ ...common(), home, openDatabase: () => openClosed(database) });
}

const restore = (options: Partial<RestoreOptions> = {}) =>
  restoreBackup({
    ...{ ...common(), root: join(folder, 'restored'), lockFile: join(folder, 'lock') },
    takeLock: async () => ({ release: async () => {} }),
    readConfig: () => ({ projectsDir: null, secretFiles: [] }),
    pausedBy: 'user',
    ...options,
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-backup-'));
  file = join(folder, 'home.tar.gz');
  steps.length = 0;
  const home = homeAt('home');
  mkdirSync(home.data, { recursive: true });
  mkdirSync(join(home.projects, 'hello/.svc/triggers'), { recursive: true });
  writeFileSync(join(home.projects, 'hello/project.yaml'), 'name: Hello\n');
  writeFileSync(join(home.projects, 'hello/.svc/triggers/a.md'), 'Say hello.\n');
  writeFileSync(home.config, 'auth: { tokenRef: env:TOKEN }\n');
  const database = { file: join(home.data, 'svc.db'), version: '0.1.0' };
  await (await openStore({ clock: createSystemClock() }, database)).close();
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('a backup', () => {
  it('is restored as it was, paused', async () => {
    const written = await backUp();
    expect(written).toMatchObject({ database: 'file', projects: 1, variables: ['TOKEN'] });
    const restored = await restore();
    expect(restored).toMatchObject({ database: 'file', projects: 1, paused: true, leftOut: [] });
    const { projects, data } = homeAt('restored');
    const prompt = readFileSync(join(projects, 'hello/.svc/triggers/a.md'), 'utf8');
    expect(prompt).toBe('Say hello.\n');
    expect(examineFile(join(data, 'svc.db')).fault).toBeNull();
    expect(steps).toEqual([
      ...['Copying the database', 'Packing the database', 'Unpacking the database'],
    ]);
  });

  it('replaces no file unless it may', async () => {
    await backUp();
    await expect(requireRoomFor(file, false)).rejects.toMatchObject({ code: 'conflict' });
    await requireRoomFor(file, true);
  });

  it('leaves nothing behind when it is aborted', async () => {
    const home = homeAt('home');
    const stop = new AbortController();
    const openDatabase = async () => {
      stop.abort();
      return 'none' as const;
    };
    const writing = writeBackup({ ...common(), home, openDatabase, signal: stop.signal });
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
    expect(existsSync(file)).toBe(false);
  });
});

describe('a restore', () => {
  it('refuses a damaged file before it writes anything', async () => {
    await backUp();
    writeFileSync(file, readFileSync(file).subarray(0, 500));
    await expect(restore()).rejects.toMatchObject({ code: 'invalid_backup' });
    expect(existsSync(join(folder, 'restored'))).toBe(false);
  });

  it('refuses a home with data', async () => {
    await backUp();
    const { data } = homeAt('restored');
    mkdirSync(data, { recursive: true });
    await expect(restore()).rejects.toMatchObject({ code: 'conflict' });
  });
});

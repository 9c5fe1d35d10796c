import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { createSystemClock, newId } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import { createFileLocks, type FileLocks, type KernelLock } from '@svc/projects';
import { lockMark } from './harness.ts';

jest.setTimeout(60_000);

const CHILD = new URL('lock-child.mjs', import.meta.url).pathname;
const clock = createSystemClock();

async function withLocks(test: (folder: string, file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-locks-'));
  try {
    await test(folder, join(folder, 'demo.lock'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function child(way: string, verb: string, folder: string, rounds = 1): ChildProcess {
  const args = [CHILD, way, verb, folder, String(rounds)];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function killedHolder(way: string, folder: string): Promise<void> {
  const holder = child(way, 'hold', folder);
  if (holder.stdout === null) throw new TypeError('The child has an output.');
  await once(holder.stdout, 'data');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
}

async function takeAtOnce(locks: FileLocks, file: string): Promise<void> {
  const taken = await locks.tryTake(file);
  expect(taken.ok).toBe(true);
  if (taken.ok) await taken.value.release();
}

const age = (file: string, ms: number): void => {
  const at = new Date(Date.now() - ms);
  utimesSync(file, at, at);
};

const WAYS: [string, string, { kernel?: null }][] = [
  ["with the kernel's lock", 'kernel', {}],
  ['by marks alone', 'marks', { kernel: null }],
];

describe.each(WAYS)('a lock %s', (_name, way, options) => {
  const locks = createFileLocks({ clock }, options);

  it('has one holder at a time, and leaves nothing behind', () =>
    withLocks(async (folder, file) => {
      const first = await locks.take(file);
      expect(first.isHeld()).toBe(true);
      expect(await locks.tryTake(file)).toEqual({ ok: false, error: { pid: process.pid } });
      const second = locks.take(file);
      await first.release();
      const next = await second;
      expect([first.isHeld(), next.isHeld()]).toEqual([false, true]);
      await next.release();
      expect(readdirSync(folder)).toEqual([]);
    }));

  it('has one holder at a time within a process too', () =>
    withLocks(async (folder, file) => {
      let inside = 0;
      const most: number[] = [];
      const work = async (): Promise<void> => {
        const lock = await locks.take(file);
        inside += 1;
        most.push(inside);
        // Long enough for another holder to take it.
        await new Promise((resolve) => setTimeout(resolve, 20));
        inside -= 1;
        await lock.release();
      };
      await Promise.all(Array.from({ length: 10 }, work));
      expect(most).toEqual(Array.from({ length: 10 }, () => 1));
      expect(readdirSync(folder)).toEqual([]);
    }));

  it('is free at once after kill -9 of its process', () =>
    withLocks(async (folder, file) => {
      await killedHolder(way, folder);
      expect(readdirSync(folder)).toEqual(['demo.lock']);
      await takeAtOnce(locks, file);
      expect(readdirSync(folder)).toEqual([]);
    }));

  it('is free at once if its dead holder had the id of this process', () =>
    withLocks(async (folder, file) => {
      await killedHolder(way, folder);
      const mark = JSON.parse(readFileSync(file, 'utf8')) as object;
      writeFileSync(file, JSON.stringify({ ...mark, pid: process.pid }));
      await takeAtOnce(locks, file);
    }));

  it('is held by a living process, but not by a later process with the same id', () =>
    withLocks(async (_folder, file) => {
      writeFileSync(file, lockMark({ pid: process.ppid }));
      expect((await locks.tryTake(file)).ok).toBe(false);
      writeFileSync(file, lockMark({ pid: process.ppid, started: 1 }));
      await takeAtOnce(locks, file);
    }));

  it('of another machine is free after its mark was not renewed for long', () =>
    withLocks(async (_folder, file) => {
      writeFileSync(file, lockMark({ pid: process.pid, host: 'elsewhere', boot: 'other' }));
      age(file, 20_000);
      expect((await locks.tryTake(file)).ok).toBe(false);
      age(file, 40_000);
      await takeAtOnce(locks, file);
    }));

  it('is renewed while it is held', () =>
    withLocks(async (_folder, file) => {
      const fake = createFakeClock('2030-01-01T00:00:00.000Z');
      const lock = await createFileLocks({ clock: fake }, options).take(file);
      await fake.advance(5000);
      for (let n = 0; n < 1000 && statSync(file).mtimeMs !== fake.now(); n += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(statSync(file).mtimeMs).toBe(fake.now());
      await lock.release();
      expect(fake.pending).toBe(0);
    }));

  it('reports that it was taken away', () =>
    withLocks(async (_folder, file) => {
      const lock = await locks.take(file);
      rmSync(file);
      writeFileSync(file, lockMark({ pid: process.ppid }));
      expect(lock.isHeld()).toBe(false);
      await lock.release();
      expect(readFileSync(file, 'utf8')).toBe(lockMark({ pid: process.ppid }));
    }));

  it.each([
    ['a folder', (file: string) => mkdirSync(file)],
    ['a pipe', (file: string) => execFileSync('sh', ['-c', 'mkfifo "$0"', file])],
    ['a link', (file: string) => symlinkSync('nowhere', file)],
  ])('reports %s in its place', (_what, put) =>
    withLocks(async (_folder, file) => {
      put(file);
      await expect(locks.take(file)).rejects.toMatchObject({
        code: 'unavailable',
        message: 'demo.lock is not a lock file. Remove it.',
      });
    }),
  );

  it('reports that it cannot be written, and leaves no file and no open handle', () =>
    withLocks(async (folder) => {
      // No file may grow, as on a full disk.
      const limited = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath];
      const args = [...limited, CHILD, way, 'fail', folder, '20'];
      const { stdout } = spawnSync('sh', args, { encoding: 'utf8' });
      expect(JSON.parse(stdout)).toEqual({
        messages: [expect.stringContaining('The disk is full')],
        leaked: 0,
        left: [],
      });
    }));
});

describe('locks', () => {
  const kernel = createFileLocks({ clock });
  const marks = createFileLocks({ clock }, { kernel: null });

  it('of all kinds exclude each other across processes', () =>
    withLocks(async (folder) => {
      writeFileSync(join(folder, 'counter'), '0');
      const ways = ['kernel', 'marks', 'kernel', 'marks'];
      const ends = ways.map((way) => once(child(way, 'count', folder, 15), 'exit'));
      expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0, 0, 0]);
      expect(readFileSync(join(folder, 'counter'), 'utf8')).toBe('60');
      expect(readdirSync(folder)).toEqual(['counter']);
    }));

  it('are not delayed by an empty file, which a full disk or a kill leaves', () =>
    withLocks(async (_folder, file) => {
      writeFileSync(file, '');
      await takeAtOnce(kernel, file);
      writeFileSync(file, '');
      expect((await marks.tryTake(file)).ok).toBe(false);
      age(file, 3000);
      await takeAtOnce(marks, file);
    }));

  it('with the kernel are free at once, whatever the machine name of the dead holder', () =>
    withLocks(async (folder, file) => {
      await killedHolder('kernel', folder);
      const mark = JSON.parse(readFileSync(file, 'utf8')) as object;
      writeFileSync(file, JSON.stringify({ ...mark, pid: 1, host: 'an-earlier-container' }));
      expect((await marks.tryTake(file)).ok).toBe(false);
      await takeAtOnce(kernel, file);
    }));

  it('use marks on a file system without kernel locks', () =>
    withLocks(async (folder, file) => {
      const none: KernelLock = {
        tryLock() {
          throw Object.assign(new Error('no locks available'), { code: 'ENOLCK' });
        },
      };
      const lock = await createFileLocks({ clock }, { kernel: none }).take(file);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ kernel: false });
      await lock.release();
      expect(readdirSync(folder)).toEqual([]);
    }));

  it('of dead processes are swept, and nothing else', () =>
    withLocks(async (folder) => {
      const [dead, living] = [`demo.lock.${newId()}.${newId()}`, `demo.lock.${newId()}`];
      writeFileSync(join(folder, dead), `4711 somewhere ${newId()}`);
      age(join(folder, dead), 3000);
      writeFileSync(join(folder, living), lockMark({ pid: process.ppid }));
      writeFileSync(join(folder, 'demo.lock'), lockMark({ pid: 999_999_999 }));
      writeFileSync(join(folder, 'busy.lock'), lockMark({ pid: process.ppid }));
      writeFileSync(join(folder, 'demo.lock.mine'), '');
      age(join(folder, 'demo.lock.mine'), 3000);
      await kernel.sweep(folder);
      expect(readdirSync(folder).sort()).toEqual(['busy.lock', living, 'demo.lock.mine'].sort());
      await kernel.sweep(join(folder, 'nowhere'));
    }));
});

import { existsSync, readFileSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { type Clock, newId } from '@svc/core';
import { ProjectsError } from '../errors.ts';

/** A lock that was taken. */
export interface HeldLock {
  /** Whether it is still ours: false once another process has declared us dead. */
  isHeld(): boolean;
  release(): Promise<void>;
}

// An edit takes milliseconds; whoever holds a lock this long is gone, or is told so by `isHeld`.
const STALE_MS = 30_000;
const GIVE_UP_MS = 20_000;
const RETRY_MS = 10;

/**
 * Takes a lock that excludes every other process on the same folder, waiting for it if need be. A lock left by a
 * dead process is taken over.
 *
 * @throws ProjectsError `unavailable` when it is not to be had within 20 s
 */
export async function takeLock(clock: Clock, file: string): Promise<HeldLock> {
  const mark = `${process.pid} ${hostname()} ${newId()}`;
  await mkdir(dirname(file), { recursive: true });
  const start = clock.mono();
  while (!(await create(file, mark))) {
    if (!(await removeStale(clock, file))) await pause(clock, RETRY_MS);
    if (clock.mono() - start > GIVE_UP_MS) {
      throw new ProjectsError(
        'unavailable',
        'Another program keeps editing this project: try again.',
        {
          facts: { file },
        },
      );
    }
  }
  const isHeld = (): boolean => existsSync(file) && readFileSync(file, 'utf8') === mark;
  return {
    isHeld,
    async release() {
      if (isHeld()) await rm(file, { force: true });
    },
  };
}

async function create(file: string, mark: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(mark);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readMark(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}

async function removeStale(clock: Clock, file: string): Promise<boolean> {
  const mark = await readMark(file);
  if (mark === null) return true;
  if (!(await isStale(clock, file, mark))) return false;
  // Renaming is atomic: of several that find it stale only one gets it. Was it a fresh one after all, its owner
  // finds out through `isHeld` before writing anything.
  const aside = `${file}.${newId()}`;
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (moved) await rm(aside, { force: true });
  return moved;
}

async function isStale(clock: Clock, file: string, mark: string): Promise<boolean> {
  const [pid, host] = mark.split(' ');
  if (host === hostname() && pid !== undefined && !isAlive(Number(pid))) return true;
  const stats = await stat(file).catch(() => null);
  return stats !== null && clock.now() - stats.mtimeMs > STALE_MS;
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.setTimeout(resolve, ms));
}

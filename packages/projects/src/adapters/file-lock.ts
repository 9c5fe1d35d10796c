import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, failure, isId, type Result, success } from '@svc/core';
import { asProjectsError, ProjectsError } from '../errors.ts';
import { hasNoLocks, type KernelLock, loadKernelLock } from './kernel-lock.ts';
import { ownIdentity } from './lock-mark.ts';
import type { Attempt, HeldLock, LockHolder, LockParts } from './lock-parts.ts';
import { removeLeftover, takeByMark } from './take-by-mark.ts';
import { takeInKernel } from './take-in-kernel.ts';

/** Locks that are files and exclude other processes. */
export interface FileLocks {
  /**
   * Takes a lock, waiting if necessary, and creates its folder. The lock of a dead process is taken over.
   * @throws ProjectsError `unavailable` if the lock is not available within 20 s or the disk fails
   */
  take(file: string): Promise<HeldLock>;
  /** Like `take`, but does not wait: if the lock is taken, returns its holder. */
  tryTake(file: string): Promise<Result<HeldLock, LockHolder>>;
  /** Removes files of dead processes from a folder of locks. */
  sweep(folder: string): Promise<void>;
}

/** Options of file locks. */
export interface FileLockOptions {
  /** Locks of the operating system, or null to use none. Default: those of this platform, if any. */
  readonly kernel?: KernelLock | null;
}

const GIVE_UP_MS = 20_000;
const RETRY_MS = 10;

/**
 * Creates file locks. They use the kernel's lock on the file, which is released when the process ends. Without one,
 * a mark in the file identifies the holder. Both methods exclude each other.
 */
export function createFileLocks(
  deps: { readonly clock: Clock },
  options: FileLockOptions = {},
): FileLocks {
  const parts: LockParts = { clock: deps.clock, me: ownIdentity(), held: new Set() };
  const attempt = createAttempt(parts, options.kernel);
  const tryTake = async (file: string): Promise<Result<HeldLock, LockHolder>> => {
    for (;;) {
      const taken = await attempt(file);
      if (taken === 'again') continue;
      return 'busy' in taken ? failure({ pid: taken.busy?.pid ?? null }) : success(taken);
    }
  };
  return {
    async take(file) {
      const start = deps.clock.mono();
      for (;;) {
        const taken = await tryTake(file);
        if (taken.ok) return taken.value;
        if (deps.clock.mono() - start > GIVE_UP_MS) throw new ProjectsError(...heldTooLong(file));
        await pause(deps.clock, RETRY_MS);
      }
    },
    tryTake,
    async sweep(folder) {
      for (const name of await readdir(folder).catch(() => [])) {
        const file = join(folder, name);
        // If a lock cannot be swept, the next edit reports the error.
        if (name.endsWith('.lock')) await tryTake(file).then(releaseTaken, () => {});
        else if (isAside(name)) await removeLeftover(parts, file).catch(() => {});
      }
    },
  };
}

function createAttempt(
  parts: LockParts,
  given: KernelLock | null | undefined,
): (file: string) => Promise<Attempt> {
  let loading: Promise<KernelLock | null> | null =
    given === undefined ? null : Promise.resolve(given);
  const withoutLocks = new Set<string>();
  const attempt = async (file: string): Promise<Attempt> => {
    loading ??= loadKernelLock();
    const kernel = await loading;
    if (kernel === null || withoutLocks.has(dirname(file))) return takeByMark(parts, file);
    try {
      return await takeInKernel(parts, kernel, file);
    } catch (error) {
      if (!hasNoLocks(error)) throw error;
      withoutLocks.add(dirname(file));
      return 'again';
    }
  };
  return async (file) => {
    try {
      return await attempt(file).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        await mkdir(dirname(file), { recursive: true });
        return attempt(file);
      });
    } catch (error) {
      throw asProjectsError(error, { file });
    }
  };
}

async function releaseTaken(taken: Result<HeldLock, LockHolder>): Promise<void> {
  if (taken.ok) await taken.value.release();
}

// Names of staged and of moved marks: `<slug>.lock.<id>`.
function isAside(name: string): boolean {
  const [, ids = ''] = /\.lock((?:\.[^.]+)+)$/.exec(name) ?? [];
  return ids !== '' && ids.slice(1).split('.').every(isId);
}

function heldTooLong(file: string): ConstructorParameters<typeof ProjectsError> {
  const message = 'Another program keeps editing this project: try again.';
  return ['unavailable', message, { facts: { file } }];
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimeout(resolve, ms));
}

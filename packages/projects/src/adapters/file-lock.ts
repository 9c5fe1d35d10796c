import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, failure, isId, type Result, success } from '@svc/core';
import { asProjectsError, ProjectsError } from '../errors.ts';
import { hasNoLocks, type KernelLock, loadKernelLock } from './kernel-lock.ts';
import { takeInKernel } from './kernel-way.ts';
import { ownIdentity } from './lock-mark.ts';
import type { Attempt, HeldLock, LockHolder, LockParts } from './lock-parts.ts';
import { removeLeftover, takeByMark } from './mark-way.ts';

/** Locks that are files, and exclude every other process. */
export interface FileLocks {
  /**
   * Takes a lock, waiting for it if need be, and making its folder. One left by a dead process is taken over.
   *
   * @throws ProjectsError `unavailable` when it is not to be had within 20 s, or for a reason of the disk
   */
  take(file: string): Promise<HeldLock>;
  /** As `take`, but without waiting: a lock that is held is answered with its holder. */
  tryTake(file: string): Promise<Result<HeldLock, LockHolder>>;
  /** Removes what dead processes left in a folder of locks. */
  sweep(folder: string): Promise<void>;
}

/** How locks are taken. */
export interface FileLockOptions {
  /** The locks of the operating system; null does without them. Default: those of this platform, where there are any. */
  readonly kernel?: KernelLock | null;
}

const GIVE_UP_MS = 20_000;
const RETRY_MS = 10;

/**
 * Makes what takes locks: with the kernel's lock on the file, which vanishes with its process, and where there is none by
 * a mark in the file that tells whether its holder still lives. The two ways exclude each other.
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
        // What cannot be swept is met by the next edit, which says so.
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

// The names under which marks are made ready and stale ones moved away: `<slug>.lock.<id>`.
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

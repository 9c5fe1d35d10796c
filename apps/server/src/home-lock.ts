import { type Logger, SvcError } from '@svc/core';
import type { FileLocks, HeldLock } from '@svc/projects';
import type { Home } from './home.ts';

/** The lock that keeps a home for one process. */
export interface HomeLock {
  /** Whether it is still ours, taking it anew when its file was removed. */
  keep(): Promise<boolean>;
  release(): Promise<void>;
}

// Whoever may not write into the home folder cannot replace what is in it either; the database has a lock of its own.
const NOT_WRITABLE = ['EROFS', 'EACCES', 'EPERM'];

/**
 * Takes the lock of a home. It lies beside `data`, so that deleting that folder lets nobody in.
 *
 * @throws SvcError `in_use` when another process has it, `unavailable` when the disk does not let it be made
 */
export async function takeHomeLock(
  deps: { readonly locks: FileLocks; readonly logger: Logger },
  home: Home,
): Promise<HomeLock> {
  const { locks, logger } = deps;
  const first = await locks.tryTake(home.lockFile).catch((error: unknown) => {
    if (!isNotWritable(error)) throw error;
    logger.warn({ home: home.root }, 'the home folder is not writable, so it is not locked');
    return null;
  });
  if (first === null) return { keep: async () => true, release: async () => {} };
  if (!first.ok) throw inUse(first.error.pid);
  let lock: HeldLock = first.value;
  return {
    async keep() {
      if (lock.isHeld()) return true;
      const again = await locks.tryTake(home.lockFile).catch(() => null);
      if (again?.ok !== true) return false;
      await lock.release();
      lock = again.value;
      return true;
    },
    release: () => lock.release(),
  };
}

function isNotWritable(error: unknown): boolean {
  const { cause } = error as Error;
  return NOT_WRITABLE.includes(String((cause as NodeJS.ErrnoException | undefined)?.code));
}

function inUse(pid: number | null): SvcError {
  const who = pid === null ? '' : ` (pid ${pid})`;
  const message = `Another svc process${who} uses this home folder: stop it, or choose another one with --home.`;
  return new SvcError('in_use', message, { facts: { pid } });
}

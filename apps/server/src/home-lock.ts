import { diskFaultOf, type Logger, messageOf, SvcError, startSentenceOf } from '@svc/core';
import type { FileLocks, HeldLock } from '@svc/projects';
import { ServerError } from './errors.ts';
import type { Home } from './home.ts';

/** The lock that reserves a home for one process. */
export interface HomeLock {
  /** Why the lock was lost, in one sentence; null if it is held. Recreates a removed lock file. */
  verify(): Promise<string | null>;
  release(): Promise<void>;
}

const TAKEN = 'Another svc process has taken over this home folder. Stop one of them.';

// Without write access to the home folder, its content cannot be replaced either; the database has its own lock.
const NOT_WRITABLE = ['EROFS', 'EACCES', 'EPERM'];

/**
 * Takes the lock of a home. It is outside of `data`, so that deleting that folder does not release it.
 *
 * @throws ServerError `in_use` if another process holds it, `unavailable` if the disk prevents it
 */
export async function takeHomeLock(
  deps: { readonly locks: FileLocks; readonly logger: Logger },
  home: Home,
): Promise<HomeLock> {
  const { locks, logger } = deps;
  const first = await locks.tryTake(home.lockFile).catch((error: unknown) => {
    if (!isNotWritable(error)) throw notTaken(error);
    logger.warn({ home: home.root }, 'home folder not writable, running without a lock');
    return null;
  });
  if (first === null) return { verify: async () => null, release: async () => {} };
  if (!first.ok) throw inUse(first.error.pid);
  let lock: HeldLock = first.value;
  return {
    async verify() {
      try {
        if (lock.isHeld()) return null;
        const again = await locks.tryTake(home.lockFile);
        if (!again.ok) return TAKEN;
        await lock.release();
        lock = again.value;
        return null;
      } catch (error) {
        // A full disk, or a file that is not a lock: the home is not in use, but a later process could take it.
        return error instanceof SvcError ? error.message : messageOf(error);
      }
    },
    release: () => lock.release(),
  };
}

function isNotWritable(error: unknown): boolean {
  const { cause } = error as Error;
  return NOT_WRITABLE.includes(String((cause as NodeJS.ErrnoException | undefined)?.code));
}

// Work of a failed start must not continue.
function notTaken(error: unknown): unknown {
  const fault = diskFaultOf((error as Error).cause);
  return fault === null
    ? error
    : new ServerError('unavailable', startSentenceOf(fault), { cause: error });
}

function inUse(pid: number | null): ServerError {
  const who = pid === null ? '' : ` (pid ${pid})`;
  const message = `Another svc process${who} is already using this home folder. Stop it, or choose another home with --home.`;
  return new ServerError('in_use', message, { facts: { pid } });
}

import { basename } from 'node:path';
import { success } from '@svc/core';
import type { FileLocks } from './file-lock.ts';
import type { HeldLock } from './lock-parts.ts';

/** A name that is held. */
interface HeldName {
  readonly isHeld: boolean;
  release(): Promise<void>;
}

/** Locks by name, in a database that several servers share. */
export interface NameLocks {
  take(name: string): Promise<HeldName>;
}

/**
 * File locks for a folder shared by several machines. Each lock is also taken in the shared database, because network file
 * systems may not enforce file locks.
 */
export function createSharedLocks(files: FileLocks, names: NameLocks): FileLocks {
  const nameOf = (file: string): Promise<HeldName> => names.take(`file ${basename(file)}`);
  return {
    ...files,
    async take(file) {
      const name = await nameOf(file);
      const lock = await files.take(file).catch(releasing(name));
      return both(name, lock);
    },
    async tryTake(file) {
      const name = await nameOf(file);
      const taken = await files.tryTake(file).catch(releasing(name));
      if (taken.ok) return success(both(name, taken.value));
      await name.release();
      return taken;
    },
  };
}

function both(name: HeldName, lock: HeldLock): HeldLock {
  return {
    isHeld: () => name.isHeld && lock.isHeld(),
    async release() {
      await lock.release();
      await name.release();
    },
  };
}

function releasing(name: HeldName): (error: unknown) => Promise<never> {
  return async (error) => {
    await name.release();
    throw error;
  };
}

import { basename } from 'node:path';
import type { FileLocks } from '@svc/projects';
import type { NameLocks } from '@svc/store';

/**
 * Locks of files in a folder that several machines share: each is held in their database too, as file systems of a network
 * may keep nobody out.
 */
export function createSharedLocks(files: FileLocks, names: NameLocks): FileLocks {
  return {
    ...files,
    async take(file) {
      const name = await names.take(`file ${basename(file)}`);
      try {
        const lock = await files.take(file);
        return {
          isHeld: () => name.isHeld && lock.isHeld(),
          async release() {
            await lock.release();
            await name.release();
          },
        };
      } catch (error) {
        await name.release();
        throw error;
      }
    },
  };
}

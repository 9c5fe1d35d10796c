import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@svc/core';
import type { Slug } from '@svc/records';
import { stageFile } from './adapters/atomic-write.ts';
import { takeLock } from './adapters/file-lock.ts';
import { PROJECT_FILE } from './paths.ts';

/** Makes a project folder with its file, under the lock of its slug; false when the slug is taken. */
export async function createFolder(
  clock: Clock,
  root: string,
  lockFile: string,
  project: { slug: Slug; text: string },
): Promise<boolean> {
  const lock = await takeLock(clock, lockFile);
  const folder = join(root, project.slug);
  try {
    // Not recursive on purpose: an existing folder, even an empty one, is somebody's.
    const made = await mkdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (!made) return false;
    const staged = await stageFile(join(folder, PROJECT_FILE), project.text, 0o644);
    await staged.commit(() => true);
    return true;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await lock.release();
  }
}

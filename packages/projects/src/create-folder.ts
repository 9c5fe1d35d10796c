import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Slug } from '@svc/records';
import { stageFile, syncFolder } from './adapters/atomic-write.ts';
import type { FileLocks } from './adapters/file-lock.ts';
import { asProjectsError } from './errors.ts';
import { requireRoot } from './folders.ts';
import { PROJECT_FILE } from './paths.ts';

/**
 * Creates a project folder with its file, durably and under the lock of its slug. Returns false if the slug is
 * taken.
 * @throws ProjectsError `unavailable` if the disk fails
 */
export async function createFolder(
  locks: FileLocks,
  root: string,
  lockFile: string,
  project: { slug: Slug; text: string },
): Promise<boolean> {
  await requireRoot(root);
  const lock = await locks.take(lockFile);
  const folder = join(root, project.slug);
  try {
    // Not recursive: an existing folder, even an empty one, belongs to a user.
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
    await syncFolder(root);
    return true;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw asProjectsError(error, { folder });
  } finally {
    await lock.release();
  }
}

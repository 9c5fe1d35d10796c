import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Logger, messageOf } from '@svc/core';
import type { Slug } from '@svc/records';
import { isSlug } from '@svc/trigger-schema';
import { stagedName } from './adapters/atomic-write.ts';
import type { FileLocks } from './adapters/file-lock.ts';
import { PROJECT_FILE } from './paths.ts';

/** Where a sweep goes. */
export interface SweepPlace {
  readonly root: string;
  readonly locks: FileLocks;
  lockFile(slug: Slug): string;
}

/** Removes what crashes left of edits: locks, and new texts that never got into their place. */
export async function sweepEdits(logger: Logger, place: SweepPlace): Promise<void> {
  await place.locks.sweep(dirname(place.lockFile('any')));
  const slugs = await readdir(place.root).then(
    (names) => names.filter(isSlug),
    () => [],
  );
  for (const slug of slugs) {
    await sweepProject(place, slug).catch((error: unknown) => {
      logger.warn({ project: slug, error: messageOf(error) }, 'a half-made edit was not removed');
    });
  }
}

async function sweepProject({ root, locks, lockFile }: SweepPlace, slug: Slug): Promise<void> {
  const staged = join(root, slug, stagedName(PROJECT_FILE));
  const found = await lstat(staged).catch(() => null);
  if (found === null || found.isDirectory()) return;
  // Of an edit that is being made somebody holds the lock; its file is no leftover.
  const lock = await locks.tryTake(lockFile(slug));
  if (!lock.ok) return;
  try {
    await rm(staged, { force: true });
  } finally {
    await lock.value.release();
  }
}

import { lstat, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Logger, messageOf } from '@svc/core';
import type { Slug } from '@svc/records';
import { isSlug } from '@svc/trigger-schema';
import { stagedName } from './adapters/atomic-write.ts';
import type { FileLocks } from './adapters/file-lock.ts';
import { isThere } from './adapters/file-mark.ts';
import { openFolder } from './adapters/open-folder.ts';
import { CURATED_FILES, OWN_FOLDER, PROJECT_FILE } from './paths.ts';

/** The folders to sweep. */
export interface SweepPlace {
  readonly root: string;
  readonly locks: FileLocks;
  lockFile(slug: Slug): string;
}

/** Removes what crashes left of edits: locks, and staged texts. */
export async function sweepEdits(logger: Logger, place: SweepPlace): Promise<void> {
  await place.locks.sweep(dirname(place.lockFile('any')));
  const slugs = await readdir(place.root).then(
    (names) => names.filter(isSlug),
    () => [],
  );
  for (const slug of slugs) {
    await sweepProject(place, slug).catch((error: unknown) => {
      logger.warn({ project: slug, error: messageOf(error) }, 'staged edit not removed');
    });
  }
}

async function sweepProject(place: SweepPlace, slug: Slug): Promise<void> {
  const folder = join(place.root, slug);
  await sweepIn(place, slug, { folder, names: [PROJECT_FILE] });
  if (!isThere(join(folder, OWN_FOLDER))) return;
  // The content of a linked folder belongs to another project.
  const own = await realpath(folder)
    .then((real) => openFolder(join(real, OWN_FOLDER)))
    .catch(() => null);
  if (own === null) return;
  try {
    await sweepIn(place, slug, { folder: own.path, names: CURATED_FILES });
  } finally {
    await own.close();
  }
}

async function sweepIn(
  { locks, lockFile }: SweepPlace,
  slug: Slug,
  { folder, names }: { readonly folder: string; readonly names: readonly string[] },
): Promise<void> {
  const left: string[] = [];
  for (const name of names) {
    const staged = join(folder, stagedName(name));
    // Synchronous, because every project is checked before any is armed.
    if (!isThere(staged)) continue;
    const found = await lstat(staged).catch(() => null);
    if (found !== null && !found.isDirectory()) left.push(staged);
  }
  if (left.length === 0) return;
  // The lock of an edit in progress is held; its file is no leftover.
  const lock = await locks.tryTake(lockFile(slug));
  if (!lock.ok) return;
  try {
    for (const staged of left) await rm(staged, { force: true });
  } finally {
    await lock.value.release();
  }
}

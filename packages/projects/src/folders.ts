import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Slug } from '@svc/records';
import { isSlug } from '@svc/trigger-schema';

/**
 * The real path of a project folder; null when there is none. A slug that differs from the folder's name in case only
 * finds nothing, so that one project has one slug on file systems that take both for the same.
 */
export async function folderOf(root: string, slug: string): Promise<string | null> {
  const folder = isSlug(slug) ? await realpath(join(root, slug)).catch(() => null) : null;
  if (folder === null) return null;
  const name = basename(folder);
  return name !== slug && name.toLowerCase() === slug.toLowerCase() ? null : folder;
}

/** The slug by which the folder of a project goes itself: another one where the project is a link to its neighbour. */
export async function canonicalOf(root: string, slug: Slug, folder: string): Promise<Slug> {
  const name = basename(folder);
  return isSlug(name) && dirname(folder) === (await realpath(root)) ? name : slug;
}

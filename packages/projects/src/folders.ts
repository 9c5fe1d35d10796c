import { readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
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

/**
 * Every slug that leads to the folder of a project, its own first: for one that is a link also those of the projects
 * that are that folder or hold it, so that what is said of one name holds for all of them.
 */
export async function namesOf(root: string, slug: Slug, folder: string): Promise<readonly Slug[]> {
  if (folder === join(await realpath(root), slug)) return [slug];
  const others = (await readdir(root)).filter((name) => name !== slug && isSlug(name));
  const places = await Promise.all(
    others.map((name) => realpath(join(root, name)).catch(() => null)),
  );
  const leading = others.filter((_, i) => {
    const place = places[i];
    return place != null && (folder === place || folder.startsWith(`${place}/`));
  });
  return [slug, ...leading.sort()];
}

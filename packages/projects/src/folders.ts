import { realpathSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { diskFaultOf } from '@svc/core';
import type { Slug } from '@svc/records';
import { isSlug } from '@svc/trigger-schema';
import { ProjectsError } from './errors.ts';

/**
 * The real path of a project folder; null when there is none. A slug that differs from the folder's name in case only
 * finds nothing, so that one project has one slug on file systems that take both for the same.
 *
 * @throws ProjectsError `unavailable` when the folder of projects is not there
 */
export async function folderOf(root: string, slug: string): Promise<string | null> {
  if (!isSlug(slug)) return null;
  const folder = realPathOf(join(root, slug));
  if (folder === null) {
    await insistOnRoot(root);
    return null;
  }
  const name = basename(folder);
  return name !== slug && name.toLowerCase() === slug.toLowerCase() ? null : folder;
}

// Looked up without leaving the thread, as marks of files are: it is asked for at every look at a project.
function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/**
 * Makes sure that the folder of projects is there, so that none of them is taken for deleted because all are out of sight.
 *
 * @throws ProjectsError `unavailable`
 */
export async function insistOnRoot(root: string): Promise<void> {
  const stats = await stat(root).catch((error: unknown) => {
    throw rootError(root, error);
  });
  if (!stats.isDirectory()) throw rootError(root, null);
}

/** What lies in the folder of projects under a slug. */
export interface RootEntry {
  readonly slug: Slug;
  readonly isLink: boolean;
}

/** What lies in the folder of projects, in the order of the slugs. */
export async function entriesIn(root: string): Promise<RootEntry[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch((error: unknown) => {
    throw rootError(root, error);
  });
  return entries
    .filter(({ name }) => isSlug(name))
    .map((entry) => ({ slug: entry.name, isLink: entry.isSymbolicLink() }))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

function rootError(root: string, cause: unknown): ProjectsError {
  const { code = 'ENOTDIR' } = (cause ?? {}) as NodeJS.ErrnoException;
  const isGone = code === 'ENOENT' || code === 'ENOTDIR';
  const why = isGone ? null : diskFaultOf(cause);
  const message = isGone
    ? 'The folder of projects is not there: put it back.'
    : `The folder of projects cannot be read. ${why?.sentence ?? code}`;
  return new ProjectsError('unavailable', message, { cause, facts: { root } });
}

/**
 * Every slug that leads to the folder of a project, its own first: for one that is a link also those of the projects
 * that are that folder or hold it, so that what is said of one name holds for all of them.
 */
export async function namesOf(root: string, slug: Slug, folder: string): Promise<readonly Slug[]> {
  if (folder === join(realPathOf(root) ?? root, slug)) return [slug];
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

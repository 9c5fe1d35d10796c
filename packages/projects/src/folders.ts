import { realpathSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { diskFaultOf } from '@svc/core';
import type { Slug } from '@svc/records';
import { isSlug } from '@svc/trigger-schema';
import { ProjectsError } from './errors.ts';

/**
 * The real path of a project folder; null if it does not exist. A slug that differs from the folder name in case
 * only is not found, so that a project has one slug on case-insensitive file systems.
 * @throws ProjectsError `unavailable` if the projects folder does not exist
 */
export async function folderOf(root: string, slug: string): Promise<string | null> {
  if (!isSlug(slug)) return null;
  const folder = realPathOf(join(root, slug));
  if (folder === null) {
    await requireRoot(root);
    return null;
  }
  const name = basename(folder);
  return name !== slug && name.toLowerCase() === slug.toLowerCase() ? null : folder;
}

// Synchronous, like the marks of files, because every access to a project needs it.
function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/**
 * Checks that the projects folder exists, so that a missing folder does not look like deleted projects.
 * @throws ProjectsError `unavailable`
 */
export async function requireRoot(root: string): Promise<void> {
  const stats = await stat(root).catch((error: unknown) => {
    throw rootError(root, error);
  });
  if (!stats.isDirectory()) throw rootError(root, null);
}

/** An entry of the projects folder with its slug. */
export interface RootEntry {
  readonly slug: Slug;
  readonly isLink: boolean;
}

/** The entries of the projects folder, ordered by slug. */
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
    ? 'The projects folder does not exist. Restore it.'
    : `The projects folder cannot be read. ${why?.sentence ?? code}`;
  return new ProjectsError('unavailable', message, { cause, facts: { root } });
}

/**
 * Every slug that leads to the folder of a project, its own first. For a link these include the projects that are
 * that folder or contain it, so that rules for one name apply to all.
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

import { join } from 'node:path';
import type { Clock, Issue } from '@svc/core';
import type { Slug } from '@svc/records';
import { isSlug, type ProjectFile } from '@svc/trigger-schema';
import { type FileMark, markOf } from './adapters/file-mark.ts';
import { folderOf, namesOf } from './folders.ts';
import { CACHE_BYTES, createLruCache } from './lru-cache.ts';
import type { ParseCache } from './parse-cache.ts';
import { PROJECT_FILE } from './paths.ts';
import { readProjectText } from './read-project-file.ts';

/** The current state of a project. */
export interface ProjectSnapshot {
  readonly slug: Slug;
  /** Every slug that leads here, its own first; others only if the folder is a link to, or into, other projects. */
  readonly names: readonly Slug[];
  /** Real path of the project folder. */
  readonly folder: string;
  /** Text of `project.yaml`; null while it cannot be read. */
  readonly text: string | null;
  /**
   * The effective file: the current one, or while it does not parse, the last version that did; null if there was
   * none.
   */
  readonly file: ProjectFile | null;
  /** Faults that keep the file from being parsed; otherwise empty. */
  readonly faults: readonly Issue[];
  /** Whether the only fault is that an agent may have changed the file, so that a person must confirm it. */
  readonly isUnconfirmed: boolean;
}

/** Creates snapshots. An unchanged file is not read again. */
export function createSnapshots(
  clock: Clock,
  root: string,
  parsed: ParseCache,
): (slug: string) => Promise<ProjectSnapshot | null> {
  const settled = createLruCache<{ mark: string; snapshot: ProjectSnapshot }>({
    room: CACHE_BYTES,
    sizeOf: ({ snapshot: { text } }) => Buffer.byteLength(text ?? '') + LEAST_SIZE,
  });
  return async (slug) => {
    const mark = fileMark(root, slug);
    const known = settled.get(slug);
    if (mark !== null && known?.mark === mark.text) return known.snapshot;
    const folder = await folderOf(root, slug);
    const startedAt = clock.now();
    const now = await readSnapshot(parsed, { root, slug, folder });
    settled.delete(slug);
    // An unconfirmed file takes effect without being changed.
    const isSettled = now !== null && !now.isUnconfirmed;
    if (mark !== null && isLasting(mark, startedAt) && isSettled) {
      settled.set(slug, { mark: mark.text, snapshot: now });
    }
    return now;
  };
}

/** Returns the current mark of the file of a project; null if it does not exist. */
export function fileMark(root: string, slug: string): FileMark | null {
  return isSlug(slug) ? markOf(join(root, slug), PROJECT_FILE) : null;
}

// Two changes in quick succession can leave the same mark. After this time the mark is unique on every file system.
const SETTLED_MS = 3000;

const LEAST_SIZE = 100;

/** Whether the same mark later means that nothing was changed. */
export function isLasting({ linked, changedAt }: FileMark, now: number): boolean {
  // The mark does not change when the target of a link, or another link to it, changes.
  return !linked && now - changedAt > SETTLED_MS;
}

async function readSnapshot(
  parsed: ParseCache,
  { root, slug, folder }: { root: string; slug: string; folder: string | null },
): Promise<ProjectSnapshot | null> {
  const read = folder === null ? null : await readProjectText(folder);
  if (folder === null || read === null) {
    if (isSlug(slug)) await parsed.forget(slug);
    return null;
  }
  const names = await namesOf(root, slug, folder);
  const { text, file, faults, isUnconfirmed } = await parsed.of(slug, read, () =>
    readProjectText(folder),
  );
  return { slug, names, folder, text, file, faults, isUnconfirmed };
}

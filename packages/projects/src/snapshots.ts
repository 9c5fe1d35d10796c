import { join } from 'node:path';
import type { Clock, Issue } from '@svc/core';
import type { Slug } from '@svc/records';
import { isSlug, type ProjectFile } from '@svc/trigger-schema';
import { type FileMark, markOf } from './adapters/file-mark.ts';
import { folderOf, namesOf } from './folders.ts';
import type { ParseMemory } from './parse-memory.ts';
import { PROJECT_FILE } from './paths.ts';
import { readProjectText } from './reading.ts';
import { CACHE_BYTES, createRecent } from './recent.ts';

/** A project as its file says it is now. */
export interface ProjectSnapshot {
  readonly slug: Slug;
  /** Every slug that leads here, its own first; further ones only where the folder is a link to, or into, other projects. */
  readonly names: readonly Slug[];
  /** Real path of the project folder. */
  readonly folder: string;
  /** Text of `project.yaml`; null while it cannot be read. */
  readonly text: string | null;
  /** What counts: the file as it is, or, while it does not parse, the last version that did; null if there was none. */
  readonly file: ProjectFile | null;
  /** Faults that keep the file from being parsed; empty while all is well. */
  readonly faults: readonly Issue[];
}

/** Snapshots, with no more than a look at the file where it is as it was. */
export function createSnapshots(
  clock: Clock,
  root: string,
  parsed: ParseMemory,
): (slug: string) => Promise<ProjectSnapshot | null> {
  const settled = createRecent<{ mark: string; snapshot: ProjectSnapshot }>({
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
    if (mark !== null && isLasting(mark, startedAt) && now !== null) {
      settled.set(slug, { mark: mark.text, snapshot: now });
    }
    return now;
  };
}

/** What the file of a project looks like now; null where there is none. */
export function fileMark(root: string, slug: string): FileMark | null {
  return isSlug(slug) ? markOf(join(root, slug), PROJECT_FILE) : null;
}

// Two changes in quick succession can leave the same mark; one this long ago has no like on any file system.
const SETTLED_MS = 3000;

const LEAST_SIZE = 100;

/** Whether the same mark later on will mean that nothing was changed. */
export function isLasting({ linked, changedAt }: FileMark, now: number): boolean {
  // Where a link leads, and which others lead there, leaves no trace in the mark.
  return !linked && now - changedAt > SETTLED_MS;
}

async function readSnapshot(
  parsed: ParseMemory,
  { root, slug, folder }: { root: string; slug: string; folder: string | null },
): Promise<ProjectSnapshot | null> {
  const read = folder === null ? null : await readProjectText(folder);
  if (folder === null || read === null) {
    if (isSlug(slug)) await parsed.forget(slug);
    return null;
  }
  const names = await namesOf(root, slug, folder);
  const { text, file, faults } = await parsed.of(slug, read, () => readProjectText(folder));
  return { slug, names, folder, text, file, faults };
}

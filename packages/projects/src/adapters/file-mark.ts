import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Identifies the state of a file without reading it. */
export interface FileMark {
  readonly text: string;
  /** Last change of content or metadata, in milliseconds since the epoch. */
  readonly changedAt: number;
  /** True if the folder is a link: its target can change without changing the mark. */
  readonly linked: boolean;
}

/**
 * Returns the current mark of a file in a folder; null if the file does not exist. Synchronous, because on a local
 * disk that takes a twentieth of the time of an asynchronous call.
 */
export function markOf(folder: string, name: string): FileMark | null {
  const place = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
  const stats = place && statOrNull(join(folder, name));
  if (!place || !stats) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return {
    text: [place.dev, place.ino, dev, ino, size, mtimeNs, ctimeNs].join(':'),
    changedAt: Math.max(Number(stats.ctimeMs), Number(stats.mtimeMs)),
    linked: place.isSymbolicLink(),
  };
}

// A path that is no folder, or may not be entered, is treated as having no file.
function statOrNull(file: string) {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Whether anything exists at a path. True if that cannot be determined. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

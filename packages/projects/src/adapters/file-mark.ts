import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What tells one state of a file from another without reading it. */
export interface FileMark {
  readonly text: string;
  /** When the file was last changed in any way, in milliseconds since the epoch. */
  readonly changedAt: number;
  /** True when the folder is a link, so that it may lead elsewhere without a trace in the mark. */
  readonly linked: boolean;
}

/**
 * The mark of a file in a folder as both are now; null when there is none. Looked up without leaving the thread: on a
 * local disk that takes a twentieth of handing it to another one.
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

// A folder that is none, or that may not be entered, holds no file for us.
function statOrNull(file: string) {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Whether there is something at a path, whatever it is; also where that may not be looked up. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '@svc/records';
import { PROMPT_FOLDERS } from '../paths.ts';

/**
 * What a look into a project folder shows to be wrong with a prompt file, as it goes on from the file's name; null for
 * nothing. Nothing is read, and the thread is not left: a list looks at thousands.
 */
export function promptFileFault(folder: string, source: Source, file: string): string | null {
  try {
    const stats = lstatSync(join(folder, PROMPT_FOLDERS[source], file), { throwIfNoEntry: false });
    if (stats === undefined) return 'does not exist.';
    if (stats.isSymbolicLink()) return 'is a link: put a regular file in its place.';
    if (!stats.isFile()) return 'must be a regular file.';
    return stats.size === 0 ? 'is empty.' : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'does not exist.' : null;
  }
}

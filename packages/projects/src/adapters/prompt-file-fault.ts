import { accessSync, constants, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '@svc/records';
import { MAX_PROMPT_BYTES, PROMPT_FOLDERS } from '../paths.ts';

/**
 * What a look into a project folder shows to be wrong with a prompt file, as it goes on from the file's name; null for
 * nothing. Nothing is read, and the thread is not left: a list looks at thousands.
 */
export function promptFileFault(folder: string, source: Source, file: string): string | null {
  try {
    const path = join(folder, PROMPT_FOLDERS[source], file);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'does not exist.';
    if (stats.isSymbolicLink()) return 'is a link: put a regular file in its place.';
    if (!stats.isFile()) return 'must be a regular file.';
    if (stats.size > MAX_PROMPT_BYTES) {
      return `has ${stats.size} bytes: at most ${MAX_PROMPT_BYTES} are allowed.`;
    }
    if (stats.size === 0) return 'is empty.';
    accessSync(path, constants.R_OK);
    return null;
  } catch (error) {
    return faultOf((error as NodeJS.ErrnoException).code);
  }
}

function faultOf(code = 'unknown error'): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist.';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read: give the user of svc permission.';
    default:
      return `cannot be read (${code}).`;
  }
}

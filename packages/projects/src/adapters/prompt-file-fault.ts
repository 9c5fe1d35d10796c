import { accessSync, constants, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '@svc/records';
import { MAX_PROMPT_BYTES, PROMPT_FOLDERS } from '../paths.ts';

/**
 * Finds what is wrong with a prompt file from its metadata, as the rest of a sentence that begins with the name of
 * the file; null if nothing is. Synchronous and without reading, because lists check thousands of files.
 */
export function promptFileFault(folder: string, source: Source, file: string): string | null {
  try {
    const path = join(folder, PROMPT_FOLDERS[source], file);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'does not exist.';
    if (stats.isSymbolicLink()) return 'is a link. Replace it with a regular file.';
    if (!stats.isFile()) return 'must be a regular file.';
    if (stats.size > MAX_PROMPT_BYTES) {
      return `is ${stats.size} bytes; the limit is ${MAX_PROMPT_BYTES}.`;
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
      return 'cannot be read. Give the user that svc runs as read permission.';
    default:
      return `cannot be read (${code}).`;
  }
}

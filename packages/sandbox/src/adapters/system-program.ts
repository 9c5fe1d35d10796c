import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

// Fixed, because these programs run with all rights of the service.
const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'];

/** Path of a system program; null if there is none. */
export function systemProgram(name: string): string | null {
  return FOLDERS.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

/** Whether the path is executable for this process. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

// Fixed, because what is found here is run with all rights of the service.
const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'];

/** Where a program of the system is; null where there is none. */
export function systemProgram(name: string): string | null {
  return FOLDERS.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

/** Whether there is something under a path that this process may execute. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

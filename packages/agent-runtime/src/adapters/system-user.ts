import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { systemProgram } from '@svc/sandbox';
import type { SystemUser } from '../agent-user.ts';

const run = promisify(execFile);
// getent(1): the key was not found.
const NOT_FOUND = 2;

/**
 * Looks up a user by name or number, with getent, which queries all sources of the system, or else in /etc/passwd. Null
 * if there is no such user.
 */
export async function findUser(nameOrUid: string): Promise<SystemUser | null> {
  const getent = systemProgram('getent');
  if (getent === null) return userIn(await readFile('/etc/passwd', 'utf8'), nameOrUid);
  try {
    const { stdout } = await run(getent, ['passwd', '--', nameOrUid], { env: { LC_ALL: 'C' } });
    return userOf(stdout.split('\n')[0] ?? '');
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_FOUND) return null;
    throw error;
  }
}

function userIn(passwd: string, nameOrUid: string): SystemUser | null {
  const users = passwd.split('\n').map(userOf);
  const named = users.find((user) => user?.name === nameOrUid);
  return named ?? users.find((user) => String(user?.uid) === nameOrUid) ?? null;
}

// One line of passwd(5).
function userOf(line: string): SystemUser | null {
  const [name, , uid, gid, , home] = line.split(':');
  if (name === undefined || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return null;
  return { name, uid: Number(uid), gid: Number(gid), home: home || '/' };
}

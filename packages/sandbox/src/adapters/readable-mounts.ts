import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Mount } from '../mounts.ts';
import type { SandboxUser } from '../sandbox.ts';

const run = promisify(execFile);
const READABLE = 'for path; do [ -r "$path" ] && echo "$path"; done; :';

/**
 * Creates a selection of the mounts that a user can read: bwrap refuses to start with others. Answers are remembered.
 *
 * @param user Null for the user of this process.
 */
export function createReadableMounts(
  user: SandboxUser | null,
): (mounts: readonly Mount[]) => Promise<readonly Mount[]> {
  const known = new Map<string, boolean>();
  return async (mounts) => {
    const sources = mounts.flatMap((mount) => ('from' in mount ? [mount.from] : []));
    const unknown = [...new Set(sources.filter((path) => !known.has(path)))];
    if (unknown.length > 0) {
      const [program = '', ...args] = [...(user?.prefix ?? []), '/bin/sh', '-c', READABLE, 'sh'];
      const { stdout } = await run(program, [...args, ...unknown], { cwd: '/', env: {} });
      const found = new Set(stdout.split('\n'));
      for (const path of unknown) known.set(path, found.has(path));
    }
    return mounts.filter((mount) => !('from' in mount) || known.get(mount.from) === true);
  };
}

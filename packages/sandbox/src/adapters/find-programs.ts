import { delimiter, isAbsolute, join } from 'node:path';
import type { SandboxSupport } from '../sandbox.ts';
import { callFilter } from './call-filter.ts';
import type { Programs } from './namespaces.ts';
import { isExecutable, systemProgram } from './system-program.ts';

/** Why this machine cannot run sandboxes. */
export type Unsupported = Extract<SandboxSupport, { supported: false }>;

/** Finds the programs for sandboxes, or says what is missing. */
export function findPrograms(path: string, bwrap: string | null): Programs | Unsupported {
  if (process.platform !== 'linux') {
    return unsupported('Sandboxes need Linux.', 'Run svc on Linux, or in a container.');
  }
  const found = bwrap ?? findOnPath('bwrap', path);
  if (found === null || !isExecutable(found)) {
    return bwrap === null
      ? unsupported('bubblewrap is not installed.', 'Install it: apt-get install bubblewrap.')
      : unsupported(
          `agents.sandbox.bwrap is ${bwrap}, which is not a program.`,
          'Give the absolute path of bwrap.',
        );
  }
  const names = ['unshare', 'nsenter', 'setpriv', 'setsid'];
  const [unshare, nsenter, setpriv, setsid] = names.map(systemProgram);
  if (!unshare || !nsenter || !setpriv || !setsid) {
    return unsupported(
      'The programs unshare, nsenter, setpriv and setsid are not installed.',
      'Install them: apt-get install util-linux.',
    );
  }
  const [filter, perl] = [callFilter(process.arch), systemProgram('perl')];
  const launcher = filter === null || perl === null ? null : { perl, filter };
  return { bwrap: found, unshare, nsenter, setpriv, setsid, launcher };
}

/** Builds the answer for a machine that cannot run sandboxes. */
export function unsupported(reason: string, fix: string): Unsupported {
  return { supported: false, reason, fix };
}

function findOnPath(name: string, path: string): string | null {
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

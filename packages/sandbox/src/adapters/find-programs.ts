import { readFile, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { SandboxSupport } from '../sandbox.ts';
import type { Programs } from './namespaces.ts';
import { isExecutable, systemProgram } from './system-program.ts';

type Unsupported = Extract<SandboxSupport, { supported: false }>;

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
  return { bwrap: found, unshare, nsenter, setpriv, setsid };
}

/** What to do if a sandbox does not start, from what this machine is known to restrict. */
export async function startFault(error: string): Promise<Unsupported> {
  const reason = `A sandbox does not start: ${error}.`;
  const isOff = async (file: string, value: string): Promise<boolean> =>
    (await readFile(file, 'utf8').catch(() => '')).trim() === value;
  if (await isOff('/proc/sys/user/max_user_namespaces', '0')) {
    return unsupported(reason, 'Allow user namespaces: sysctl -w user.max_user_namespaces=10000.');
  }
  if (await isOff('/proc/sys/kernel/unprivileged_userns_clone', '0')) {
    return unsupported(
      reason,
      'Allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1.',
    );
  }
  if (await isOff('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1')) {
    return unsupported(
      reason,
      'AppArmor restricts user namespaces. Allow them: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0.',
    );
  }
  const marks = await Promise.all(
    ['/.dockerenv', '/run/.containerenv'].map((mark) => stat(mark).catch(() => null)),
  );
  return marks.some((mark) => mark !== null)
    ? unsupported(reason, 'Start the container with a seccomp profile that allows user namespaces.')
    : unsupported(
        reason,
        'Check that this user may create user namespaces and mount file systems in them.',
      );
}

function unsupported(reason: string, fix: string): Unsupported {
  return { supported: false, reason, fix };
}

function findOnPath(name: string, path: string): string | null {
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

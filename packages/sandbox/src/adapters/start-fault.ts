import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Unsupported, unsupported } from './find-programs.ts';

// The hosts of svc restrict sandboxes in these ways, and each reports an error that does not name its cause.
interface Restrictions {
  /** Settings of the kernel; null where there is no such setting. */
  readonly userNamespaces: string | null;
  readonly unprivileged: string | null;
  readonly appArmor: string | null;
  /** The AppArmor profile of this process; null if there is none. */
  readonly profile: string | null;
  /** Whether a filter of system calls applies to this process. */
  readonly isFiltered: boolean;
}

const UNIT = 'deploy/systemd/svc.service';
const FILTER_FIX = `In Docker add --security-opt seccomp=deploy/compose/seccomp.json; with systemd use the current ${UNIT}.`;
const PROC_FIX =
  'In Docker add --security-opt systempaths=unconfined, in Podman unmask=ALL; with systemd remove ProtectKernelTunables and ProcSubset.';

/**
 * What to do if a sandbox does not start, from its error and from what restricts this process.
 *
 * @param error What the programs reported, without a full stop.
 * @param root The folder that has `/proc`, for tests.
 */
export async function startFault(error: string, root = '/'): Promise<Unsupported> {
  const reason = `A sandbox does not start: ${error.replace(/\.+$/, '')}.`;
  return unsupported(reason, fixOf(error, await restrictionsOf(root)));
}

function fixOf(error: string, restrictions: Restrictions): string {
  const { userNamespaces, unprivileged, appArmor, profile, isFiltered } = restrictions;
  if (userNamespaces === '0' || /No space left on device/.test(error)) {
    return 'Allow user namespaces: sysctl -w user.max_user_namespaces=10000.';
  }
  if (unprivileged === '0') {
    return 'Allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1.';
  }
  if (/Read-only file system|mount proc/.test(error)) {
    return `Parts of /proc are read-only or hidden. ${PROC_FIX}`;
  }
  if (profile !== null && /Permission denied/.test(error)) {
    return `The AppArmor profile ${profile} forbids mounts. In Docker and Podman add --security-opt apparmor=unconfined.`;
  }
  if (appArmor === '1' && profile === null) {
    return 'AppArmor restricts user namespaces. Allow them: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0.';
  }
  if (isFiltered && /not permitted|No permissions/.test(error)) {
    return `A filter forbids the system calls of sandboxes. ${FILTER_FIX}`;
  }
  return 'Check that this user may create user namespaces and mount file systems in them.';
}

async function restrictionsOf(root: string): Promise<Restrictions> {
  const read = async (file: string): Promise<string | null> =>
    (await readFile(join(root, 'proc', file), 'utf8').catch(() => null))?.trim() ?? null;
  const [userNamespaces, unprivileged, appArmor, label, status] = await Promise.all([
    read('sys/user/max_user_namespaces'),
    read('sys/kernel/unprivileged_userns_clone'),
    read('sys/kernel/apparmor_restrict_unprivileged_userns'),
    read('self/attr/apparmor/current'),
    read('self/status'),
  ]);
  // Such as "docker-default (enforce)". Ubuntu gives processes in their own user namespace "unprivileged_userns".
  const profile = /^(?<name>.+) \(enforce\)$/.exec(label ?? '')?.groups?.['name'] ?? null;
  const isFiltered = /^Seccomp:\s*2$/m.test(status ?? '');
  return { userNamespaces, unprivileged, appArmor, profile, isFiltered };
}

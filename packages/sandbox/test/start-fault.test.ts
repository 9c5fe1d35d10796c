import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startFault } from '../src/adapters/start-fault.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-fault-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function faultOf(error: string, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, 'proc', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${text}\n`);
  }
  return startFault(error, root);
}

// Errors as they were reported on such machines: Debian 12 with systemd 252, Docker 20.10 and Podman 4.3.
const PROPAGATION = 'unshare: cannot change root filesystem propagation: ';
const FILTERED = { 'self/status': 'Name:\tnode\nSeccomp:\t2' };
const DOCKER = { ...FILTERED, 'self/attr/apparmor/current': 'docker-default (enforce)' };
const UNCONFINED = { ...FILTERED, 'self/attr/apparmor/current': 'unconfined' };
const UBUNTU = { 'sys/kernel/apparmor_restrict_unprivileged_userns': '1' };

describe('a sandbox that does not start', () => {
  it.each([
    [
      'user namespaces are turned off',
      'unshare: unshare failed: No space left on device',
      { 'sys/user/max_user_namespaces': '0' },
      'sysctl -w user.max_user_namespaces=10000',
    ],
    [
      'the limit of user namespaces is reached',
      'unshare: unshare failed: No space left on device',
      { 'sys/user/max_user_namespaces': '2' },
      'sysctl -w user.max_user_namespaces=10000',
    ],
    [
      'only root may create user namespaces',
      'unshare: unshare failed: Operation not permitted',
      { 'sys/kernel/unprivileged_userns_clone': '0' },
      'sysctl -w kernel.unprivileged_userns_clone=1',
    ],
    [
      'AppArmor restricts user namespaces',
      'unshare: write failed /proc/self/uid_map: Operation not permitted',
      UBUNTU,
      'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    ],
    [
      'Docker filters system calls',
      'unshare: unshare failed: Operation not permitted',
      DOCKER,
      'In Docker add --security-opt seccomp=deploy/compose/seccomp.json',
    ],
    [
      'the unit filters system calls',
      `${PROPAGATION}Operation not permitted`,
      FILTERED,
      'with systemd use the current deploy/systemd/svc.service',
    ],
    [
      'the AppArmor profile of a container forbids mounts',
      `${PROPAGATION}Permission denied`,
      DOCKER,
      'The AppArmor profile docker-default forbids mounts. In Docker and Podman add --security-opt apparmor=unconfined',
    ],
    [
      'a container has a read-only /proc/sys',
      'sh: 1: cannot create /proc/sys/user/max_user_namespaces: Read-only file system',
      UNCONFINED,
      'In Docker add --security-opt systempaths=unconfined, in Podman unmask=ALL',
    ],
    [
      'parts of /proc are hidden',
      "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
      UNCONFINED,
      'with systemd remove ProtectKernelTunables',
    ],
    ['nothing is known', 'bwrap: something', {}, 'Check that this user may create user namespaces'],
  ])('because %s: the fix is a command', async (_name, error, files, fix) => {
    const fault = await faultOf(error, files);
    expect(fault).toMatchObject({ reason: `A sandbox does not start: ${error}.` });
    expect(fault.fix).toContain(fix);
    expect(fault.fix.length).toBeLessThan(200);
  });
});

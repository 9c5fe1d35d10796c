import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, failure, newId, type Result, success } from '@svc/core';
import { systemProgram } from '@svc/sandbox';
import type { AgentUser, SystemUser } from '../agent-user.ts';
import { startFileHelper } from './file-helper-process.ts';
import { hasProcessTable, turnIdOf } from './process-table.ts';

import { findUser } from './system-user.ts';

/** The user for agents. */
export interface AgentUserOptions {
  /** Name or number of a user of this machine. */
  readonly user: string;
  /** Text of the bundled module `@svc/agent-runtime/file-helper`. */
  readonly fileHelper: string;
}

/**
 * Looks up the user for agents and verifies that this process can run a process as that user, see it, end it, and give
 * files to that user. Needs Linux and setpriv (util-linux). Fails with one sentence about the setting `agents.user`.
 */
export async function resolveAgentUser(
  deps: { readonly clock: Clock },
  { user: wanted, fileHelper }: AgentUserOptions,
): Promise<Result<AgentUser, string>> {
  if (!hasProcessTable()) {
    return failure('agents.user needs Linux with /proc. Remove it on this system.');
  }
  const found = await findUser(wanted);
  const fault = faultOf(found, wanted);
  if (found === null || fault !== null) return failure(fault ?? '');
  const setpriv = systemProgram('setpriv');
  if (setpriv === null) {
    return failure('agents.user needs the program setpriv. Install util-linux.');
  }
  const user: AgentUser = { ...found, prefix: [setpriv, ...switchTo(found)], fileHelper };
  const trouble = await tryOut(deps.clock, user);
  return trouble === null ? success(user) : failure(trouble);
}

function faultOf(found: SystemUser | null, wanted: string): string | null {
  if (found === null) {
    return `agents.user is ${wanted}, but this machine has no such user. Name an existing user or create it with useradd.`;
  }
  if (found.uid === 0) {
    return 'agents.user must not be root. Name an unprivileged user.';
  }
  return found.uid === process.geteuid?.()
    ? `agents.user is ${found.name}, the user that svc itself runs as. Name another user, or remove agents.user.`
    : null;
}

// Only the groups of the user, no capabilities, and none through set-user-ID programs: setpriv(1).
function switchTo({ uid, gid }: SystemUser): readonly string[] {
  const ids = ['--reuid', String(uid), '--regid', String(gid), '--init-groups'];
  return [...ids, '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs', '--'];
}

async function tryOut(clock: Clock, user: AgentUser): Promise<string | null> {
  const turnId = newId();
  const helper = startFileHelper(clock, user, { SVC_TURN_ID: turnId });
  const opened = await helper.ask({ op: 'open', cwd: '/' });
  const uid = opened.ok ? opened.value.head['uid'] : null;
  const pid = String(helper.pid);
  const seen = turnIdOf(pid) === turnId;
  const endable = opened.ok && canEnd(Number(pid));
  await helper.end();
  if (!opened.ok || uid !== user.uid) {
    const why = opened.ok ? `A test process ran as ${String(uid)}.` : opened.error;
    return `agents.user is ${user.name}, but svc cannot run processes as that user. ${why} Start svc as root, or remove agents.user.`;
  }
  const missing = [...(seen ? [] : ['CAP_SYS_PTRACE']), ...(endable ? [] : ['CAP_KILL'])];
  if (missing.length === 0) return ownerFault(user);
  return `agents.user is ${user.name}, but svc cannot ${seen ? 'end' : 'see'} that user's processes, so it could not end processes that agents leave running. Give svc ${missing.join(' and ')}.`;
}

// Needed for the self-test of a runtime, and to keep the owner of files that svc rewrites.
async function ownerFault({ name, uid, gid }: AgentUser): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-user-'));
  try {
    await chown(folder, uid, gid);
    await chown(folder, process.geteuid?.() ?? 0, process.getegid?.() ?? 0);
    return null;
  } catch {
    return `agents.user is ${name}, but svc cannot give files to that user. Give svc CAP_CHOWN.`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function canEnd(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

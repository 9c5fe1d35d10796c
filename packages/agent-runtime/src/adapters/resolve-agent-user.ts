import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, failure, newId, type Result, success } from '@svc/core';
import type { AgentUser, SystemUser } from '../agent-user.ts';
import { startFileHelper } from './file-helper-process.ts';
import { hasProcessTable, turnIdOf } from './process-table.ts';
import { systemProgram } from './system-program.ts';
import { findUser } from './system-user.ts';

/** Which user agents are to run as. */
export interface AgentUserOptions {
  /** Name or number of a user of this machine. */
  readonly user: string;
  /** Text of the module `@svc/agent-runtime/file-helper`, bundled into one. */
  readonly fileHelper: string;
}

/**
 * Finds the user that agents run as, and tries once whether this process may run something as that user, see it, end it, and
 * give files to that user. Linux, with setpriv of util-linux. Fails with one sentence on the setting `agents.user`.
 */
export async function resolveAgentUser(
  deps: { readonly clock: Clock },
  { user: wanted, fileHelper }: AgentUserOptions,
): Promise<Result<AgentUser, string>> {
  if (!hasProcessTable()) {
    return failure('agents.user needs Linux with /proc: leave it out on this system.');
  }
  const found = await findUser(wanted);
  const fault = faultOf(found, wanted);
  if (found === null || fault !== null) return failure(fault ?? '');
  const setpriv = systemProgram('setpriv');
  if (setpriv === null) {
    return failure('agents.user needs the program setpriv (util-linux): install it.');
  }
  const user: AgentUser = { ...found, prefix: [setpriv, ...switchTo(found)], fileHelper };
  const trouble = await tryOut(deps.clock, user);
  return trouble === null ? success(user) : failure(trouble);
}

function faultOf(found: SystemUser | null, wanted: string): string | null {
  if (found === null) {
    return `agents.user is ${wanted}, and this machine has no such user: name one that it has, or make it with useradd.`;
  }
  if (found.uid === 0) {
    return 'agents.user must not be root: name a user without special rights.';
  }
  return found.uid === process.geteuid?.()
    ? `agents.user is ${found.name}, as whom svc itself runs: name another user, or leave it out.`
    : null;
}

// The groups of the user and no others, no capability, and no way to any by a set-user-ID program: setpriv(1).
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
    const why = opened.ok ? `What was started ran as ${String(uid)}.` : opened.error;
    return `agents.user is ${user.name}, but svc may not run anything as that user. ${why} Start svc as root, or leave agents.user out.`;
  }
  const missing = [...(seen ? [] : ['CAP_SYS_PTRACE']), ...(endable ? [] : ['CAP_KILL'])];
  if (missing.length === 0) return ownerFault(user);
  return `agents.user is ${user.name}, but svc may not ${seen ? 'end' : 'see'} that user's processes, so it could not end what agents leave behind: give it ${missing.join(' and ')}.`;
}

// For the self-test of a runtime, and so that a file that svc writes again stays with its owner.
async function ownerFault({ name, uid, gid }: AgentUser): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-user-'));
  try {
    await chown(folder, uid, gid);
    await chown(folder, process.geteuid?.() ?? 0, process.getegid?.() ?? 0);
    return null;
  } catch {
    return `agents.user is ${name}, but svc may not give files to that user: give it CAP_CHOWN.`;
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

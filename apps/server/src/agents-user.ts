import { readFile, stat } from 'node:fs/promises';
import { type AgentUser, resolveAgentUser } from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';
import type { Settings } from '@svc/settings';
import { ServerError } from './errors.ts';
import type { Home } from './home.ts';

/**
 * The user that agents run as; null if they run as the user of the service. Refuses a user that owns files which
 * control the service.
 *
 * @throws ServerError `agents_user_unusable`
 */
export async function agentsUser(
  deps: { readonly clock: Clock; readonly logger: Logger },
  home: Home,
  { user: wanted }: Settings['agents'],
): Promise<AgentUser | null> {
  if (wanted === null) return null;
  const fileHelper = await readFile(new URL('./svc-file-helper.js', import.meta.url), 'utf8');
  const user = await resolveAgentUser(deps, { user: wanted, fileHelper });
  const fault = user.ok ? await ownerFault(home, user.value) : user.error;
  if (!user.ok || fault !== null) throw new ServerError('agents_user_unusable', fault ?? '');
  const { name, uid } = user.value;
  deps.logger.info({ user: name, uid }, 'agents run as a separate user');
  return user.value;
}

async function ownerFault(home: Home, { name, uid }: AgentUser): Promise<string | null> {
  for (const path of [home.root, home.projects, home.data, home.config]) {
    const found = await stat(path).catch(() => null);
    if (found?.uid === uid) {
      return `agents.user is ${name}, who owns ${path} and could change svc there. Change its owner to the user that svc runs as.`;
    }
  }
  return null;
}

import type { Capability, NewMessage } from '@svc/records';
import type { ProjectSettings } from '@svc/trigger-schema';
import { FAILURE_MARK } from './reported-failure.ts';

const FIRST_LINE = `svc started you, unattended, in a project folder. No person is available to answer questions. If you cannot do what was asked, end your answer with a line "${FAILURE_MARK} <reason>", which marks the run as failed.`;

/** What stands before every prompt of a turn: a line of ours and, for the keeper, what its project says. */
export function instructionsFor(
  { runsAs }: Pick<Capability, 'runsAs'>,
  project: Pick<ProjectSettings, 'keeper'> | null,
): string {
  const own = runsAs === 'keeper' ? project?.keeper.instructions : undefined;
  return own === undefined ? FIRST_LINE : `${FIRST_LINE}\n\n${own}`;
}

/** How a chat shows instructions: word for word. */
export function instructionsNotice(text: string): NewMessage {
  return { role: 'system', kind: 'notice', text, tool: null };
}

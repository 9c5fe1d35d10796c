import type { Capability, NewMessage } from '@svc/records';
import type { ProjectSettings } from '@svc/trigger-schema';
import { FAILURE_MARK } from '../turns/reported-failure.ts';

const FIRST_LINE = `svc started you, unattended, in a project folder. No person is available to answer questions. If you cannot do what was asked, end your answer with a line "${FAILURE_MARK} <reason>", which marks the run as failed.`;

/** The text that precedes every prompt of a turn: a line by svc and, for the keeper, the instructions of its project. */
export function instructionsFor(
  { runsAs }: Pick<Capability, 'runsAs'>,
  project: Pick<ProjectSettings, 'keeper'> | null,
): string {
  const own = runsAs === 'keeper' ? project?.keeper.instructions : undefined;
  return own === undefined ? FIRST_LINE : `${FIRST_LINE}\n\n${own}`;
}

/** The message that shows the instructions in a chat, unchanged. */
export function instructionsNotice(text: string): NewMessage {
  return { role: 'system', kind: 'notice', text, tool: null };
}

import type { OperationResults } from '@svc/ops';
import type { Run } from '@svc/records';
import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { projectPath, withNames } from './names.ts';
import { withReach } from './reach.ts';
import { chatNamed } from './send.ts';
import { findRun } from './show.ts';

/** Cancels a run, or the running turn of a chat. */
export async function cancelVerb(context: VerbContext): Promise<ExitCode> {
  const [first, chat, ...rest] = context.arguments;
  if (first === undefined || rest.length > 0) {
    throw new UsageError('cancel takes the id of a run, or a project and a chat.');
  }
  const { terminal, options } = context;
  const { said, answer } = await withReach(context, async (reach) => {
    if (chat === undefined) {
      const { id, project } = await findRun(reach, first);
      const run = await reach.ask<Run>({
        ...{ row: 'cancel_run', method: 'POST', input: { project, run_id: id } },
        path: `${projectPath(project)}/runs/${id}/cancel`,
      });
      return { said: `run ${id} of ${project}/${run.trigger} is being cancelled.`, answer: run };
    }
    const sessionId = await withNames(reach, first, null, () => chatNamed(reach, first, chat));
    const turn = await reach.ask<OperationResults['cancel_turn']>({
      ...{ row: 'cancel_turn', method: 'POST', input: { project: first, session_id: sessionId } },
      path: `${projectPath(first)}/chats/${sessionId}/cancel`,
    });
    return { said: `the turn of chat ${sessionId} is being cancelled.`, answer: turn };
  });
  terminal.text(options['json'] === true ? JSON.stringify(answer, null, 2) : said);
  return 0;
}

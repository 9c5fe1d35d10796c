import type { OperationResults } from '@svc/ops';
import type { Run } from '@svc/records';
import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { projectPath, withNameSuggestions } from './names.ts';
import { chatNamed } from './send.ts';
import { withService } from './service-access.ts';
import { findRun } from './show.ts';

/** Cancels a run, or the running turn of a chat. */
export async function cancelVerb(context: VerbContext): Promise<ExitCode> {
  const [first, chat, ...rest] = context.arguments;
  if (first === undefined || rest.length > 0) {
    throw new UsageError('cancel takes the id of a run, or a project and a chat.');
  }
  const { terminal, options } = context;
  const { message, answer } = await withService(context, async (service) => {
    if (chat === undefined) {
      const { id, project } = await findRun(service, first);
      const run = await service.call<Run>({
        ...{ row: 'cancel_run', method: 'POST', input: { project, run_id: id } },
        path: `${projectPath(project)}/runs/${id}/cancel`,
      });
      return { message: `run ${id} of ${project}/${run.trigger} is being cancelled.`, answer: run };
    }
    const sessionId = await withNameSuggestions(service, first, null, () =>
      chatNamed(service, first, chat),
    );
    const turn = await service.call<OperationResults['cancel_turn']>({
      ...{ row: 'cancel_turn', method: 'POST', input: { project: first, session_id: sessionId } },
      path: `${projectPath(first)}/chats/${sessionId}/cancel`,
    });
    return { message: `the turn of chat ${sessionId} is being cancelled.`, answer: turn };
  });
  terminal.text(options['json'] === true ? JSON.stringify(answer, null, 2) : message);
  return 0;
}

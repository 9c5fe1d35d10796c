import type { Command } from '../command.ts';
import { withNameSuggestions } from '../names.ts';
import { printResult } from '../print-result.ts';
import { answerOf, withService } from '../service.ts';
import { chatNamed } from './chats.ts';
import { findRun } from './show.ts';

/** Cancels a run, or the running turn of a chat. */
export const cancel: Command = {
  name: 'cancel',
  group: 'Act',
  summary: 'cancel a run, or the turn of a chat',
  usage: ['RUN', 'PROJECT CHAT'],
  arguments: { PROJECT: 'project', '[CHAT]': null },
  takes: 'the id of a run, or a project and a chat.',
  isRemote: true,
  description:
    'Cancel a queued or running run, or the turn of a chat. Give RUN and CHAT as for svc show and svc send.',
  json: 'the run or the turn.',
  async run(context) {
    const [first = '', chat] = context.arguments;
    const [answer, line] = await withService(context, async ({ api }) => {
      if (chat === undefined) {
        const { id: runId, project: slug } = await findRun(api, first);
        const params = { path: { slug, runId } };
        const path = '/api/projects/{slug}/runs/{runId}/cancel';
        const run = await answerOf(api.POST(path, { params }), 'trigger');
        return [run, `run ${runId} of ${slug}/${run.trigger} is being cancelled.`] as const;
      }
      const sessionId = await withNameSuggestions(api, first, null, () =>
        chatNamed(api, first, chat),
      );
      const params = { path: { slug: first, sessionId } };
      const path = '/api/projects/{slug}/chats/{sessionId}/cancel';
      const turn = await answerOf(api.POST(path, { params }), 'turnId');
      return [turn, `the turn of chat ${sessionId} is being cancelled.`] as const;
    });
    printResult(context, answer, [line]);
    return 0;
  },
};

import { success } from '@svc/core';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { ARCHIVING, ARCHIVING_HINTS, archivingAnswer } from './shared.ts';

export const unarchiveChat = defineOperation({
  name: 'unarchive_chat',
  summary: 'Unarchive a chat.',
  policy: { effect: 'mutates', target: 'chat', gate: 'write', runsCode: false },
  ...ARCHIVING,
  http: {
    method: 'post',
    path: '/projects/:slug/chats/:sessionId/unarchive',
    tag: 'chats',
    status: 200,
    example: { response: { archived: false, ...sample.archiving } },
  },
  tool: {
    title: 'Unarchive a chat',
    description:
      'Return an archived chat to the lists so that it accepts messages again. Returns `archived: false`. Raises no event. No effect on a chat that is not archived.',
    ...ARCHIVING_HINTS,
    output: archivingAnswer,
  },
  async run({ services: { deps }, target: { chat } }) {
    const { sessionId, project } = chat;
    await deps.store.chats.unarchive(sessionId);
    deps.changes.publish({ kind: 'chat', project, id: sessionId });
    return success({ archived: false, project, sessionId });
  },
});

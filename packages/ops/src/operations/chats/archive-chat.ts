import { success } from '@svc/core';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { ARCHIVING, ARCHIVING_HINTS, archivingAnswer } from './shared.ts';

export const archiveChat = defineOperation({
  name: 'archive_chat',
  summary: 'Archive a chat.',
  policy: { effect: 'mutates', target: 'chat', gate: 'write', runsCode: false },
  ...ARCHIVING,
  http: {
    method: 'post',
    path: '/projects/:slug/chats/:sessionId/archive',
    tag: 'chats',
    status: 200,
    example: { response: { archived: true, ...sample.archiving } },
  },
  tool: {
    title: 'Archive a chat',
    description:
      'Archive a chat: it is hidden from lists and accepts no messages until unarchived. Nothing is deleted. Raises the event onArchive, which may fire triggers. No effect on a chat that is already archived.',
    ...ARCHIVING_HINTS,
    output: archivingAnswer,
  },
  async run({ services: { deps }, caller, target: { chat } }) {
    const { sessionId, project } = chat;
    const at = deps.clock.now();
    const isNew = await deps.store.chats.archive(sessionId, caller.actor, at, caller.turnId);
    deps.changes.publish({ kind: 'chat', project, id: sessionId });
    if (isNew) deps.changes.publish({ kind: 'event', project, id: null });
    return success({ archived: true, project, sessionId });
  },
});

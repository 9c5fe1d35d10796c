import { failure, success } from '@svc/core';
import { type OperationError, startedDepth } from '@svc/engine';
import type { Chat } from '@svc/records';
import { exactly, flag, id, text } from '../../common.schema.ts';
import { defineOperation, STARTING } from '../operation.ts';
import { sample } from '../samples.ts';
import { chatProject, prompt, sessionId } from '../shared-schemas.ts';
import { promptFault } from './request.ts';
import { begin, continued, openingFor, readBack, spentFault } from './turns.ts';

const sentMessageSchema = {
  $id: 'SentMessage',
  ...exactly({ sent: { const: true }, project: text, sessionId: id, prompt: text }),
} as const;

export const sendMessage = defineOperation({
  name: 'send_message',
  summary: 'Send a message to a chat and start a turn for it.',
  policy: { effect: 'starts_turn', target: 'chat', gate: 'write', runsCode: true },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['session_id', 'prompt'],
    properties: { session_id: sessionId, prompt, project: chatProject },
  },
  output: sentMessageSchema,
  http: {
    method: 'post',
    path: '/projects/:slug/chats/:sessionId/messages',
    tag: 'chats',
    status: 202,
    body: { id: 'NewMessage', fields: ['prompt'], required: true },
    errors: ['conflict'],
    example: {
      body: { prompt: sample.prompt },
      response: {
        sent: true,
        project: 'handbook',
        sessionId: sample.SESSION_ID,
        prompt: sample.prompt,
      },
    },
  },
  tool: {
    title: 'Send a message',
    description:
      'Send a message to an existing chat. This starts a real agent turn with the capabilities of that chat; it waits while an earlier turn of the chat is running. Returns at once. Follow the chat with read_chat. An archived chat must be unarchived first.',
    ...STARTING,
    output: exactly({
      sent: flag,
      project: text,
      sessionId: text,
      prompt: text,
    }),
  },
  async run({ services: { deps, settings }, caller, target }, { prompt: text }) {
    const { chat, snapshot } = target;
    const capability = continued(caller, chat);
    const fault =
      promptFault(text) ??
      archivedFault(chat) ??
      (await spentFault(deps, settings, snapshot, [{ ...chat, capability }]));
    if (fault !== null) return failure(fault);
    const { project: slug, sessionId: id } = chat;
    const depth = startedDepth(caller, target.depth);
    const turn = { project: slug, sessionId: id, capability, on: chat, depth };
    await begin(deps, [openingFor(deps, settings, caller, turn, text, null)]);
    const sent = await readBack(deps, id);
    if (!sent.ok) return sent;
    return success({ sent: true as const, project: slug, sessionId: id, prompt: text });
  },
});

function archivedFault(chat: Chat): OperationError | null {
  if (!chat.archived) return null;
  return { code: 'conflict', message: 'The chat is archived. Unarchive it first.' };
}

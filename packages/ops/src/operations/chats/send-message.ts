import { success } from '@svc/core';
import type { JsonSchema } from '@svc/schema';
import { exactly, id, text } from '../common.schema.ts';
import { defineOperation, STARTING } from '../operation.ts';
import { sample } from '../samples.ts';
import { chatProject, objectOf, prompt, RESULT, sessionId } from '../shared-schemas.ts';

const sentMessageSchema: JsonSchema = {
  $id: 'SentMessage',
  ...exactly({ sent: { const: true }, project: text, sessionId: id, prompt: text }),
};

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
    output: objectOf({
      sent: RESULT.boolean,
      project: RESULT.text,
      sessionId: RESULT.text,
      prompt: RESULT.text,
    }),
  },
  async run({ nouns, caller, target }, input) {
    const sent = await nouns.chats.send(caller, target, input.prompt);
    if (!sent.ok) return sent;
    const { project: slug, sessionId: id } = sent.value;
    return success({ sent: true, project: slug, sessionId: id, prompt: input.prompt });
  },
});

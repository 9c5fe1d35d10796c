import { failure, success } from '@svc/core';
import { notFound } from '@svc/engine';
import { chatSchema } from '@svc/records';
import { exactly, flag, text } from '../../common.schema.ts';
import { defineOperation, STARTING } from '../operation.ts';
import { sample } from '../samples.ts';
import { chatName, chatProject, model, ownSessionId, prompt } from '../shared-schemas.ts';
import { forkChats } from './forks.ts';

export const forkChat = defineOperation({
  name: 'fork_chat',
  summary: 'Copy a chat; with a prompt, start a turn in the copy.',
  policy: { effect: 'starts_turn', target: 'chat', gate: 'write', runsCode: true },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      session_id: ownSessionId,
      prompt,
      project: chatProject,
      name: {
        ...chatName,
        description: 'Name of the copy. Default: name of the source with "(fork)".',
      },
      model,
    },
  },
  output: chatSchema,
  http: {
    method: 'post',
    path: '/projects/:slug/chats/:sessionId/fork',
    tag: 'chats',
    status: 201,
    body: {
      id: 'Fork',
      description: 'Without a prompt, the copy waits for its first message.',
      fields: ['prompt', 'name', 'model'],
      required: false,
    },
    example: {
      body: { prompt: sample.prompt },
      response: { ...sample.started, forkedFrom: sample.SESSION_ID },
    },
  },
  tool: {
    title: 'Copy a chat',
    description:
      'Copy a chat with all its messages; the source is not changed. With `prompt`, the copy continues with it, which starts a real agent turn. Without `prompt`, nothing runs. Returns the `sessionId` of the copy at once.',
    ...STARTING,
    output: exactly(
      {
        forked: flag,
        project: text,
        sessionId: text,
        from: text,
        name: text,
      },
      {
        model: text,
        prompt: text,
      },
    ),
  },
  async run({ services, caller, target }, { project: _, session_id: __, ...request }) {
    const forked = await forkChats(services, caller, target, [request]);
    if (!forked.ok) return forked;
    const [copy] = forked.value;
    return copy === undefined ? failure(notFound('chat')) : success(copy);
  },
  toToolResult: (copy, { prompt: asked }) => ({
    forked: true,
    project: copy.project,
    sessionId: copy.sessionId,
    from: copy.forkedFrom,
    name: copy.name,
    ...(copy.model === null ? {} : { model: copy.model }),
    ...(asked === undefined ? {} : { prompt: asked }),
  }),
});

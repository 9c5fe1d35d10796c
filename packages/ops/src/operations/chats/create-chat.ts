import { chatSchema } from '@svc/records';
import { defineOperation, STARTING } from '../operation.ts';
import { sample } from '../samples.ts';
import { chatName, model, objectOf, project, prompt, RESULT } from '../shared-schemas.ts';

export const createChat = defineOperation({
  name: 'create_chat',
  summary: 'Start a chat with the keeper of a project.',
  policy: { effect: 'starts_turn', target: 'project', gate: 'write', runsCode: true },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['prompt'],
    properties: { prompt, project, name: chatName, model },
  },
  output: chatSchema,
  http: {
    method: 'post',
    path: '/projects/:slug/chats',
    tag: 'chats',
    status: 201,
    body: { id: 'NewChat', fields: ['prompt', 'name', 'model'], required: true },
    errors: ['run_failed'],
    example: { body: { prompt: sample.prompt }, response: sample.started },
  },
  tool: {
    title: 'Start a chat',
    description:
      'Start a chat in a project with a first prompt. This starts a real agent turn: the keeper of the project works on the prompt in the background, with all of its tools. Returns the `sessionId` at once. Follow the chat with read_chat and continue it with send_message.',
    ...STARTING,
    output: objectOf({
      created: RESULT.boolean,
      project: RESULT.text,
      sessionId: RESULT.text,
      name: RESULT.text,
      model: RESULT.textOrNull,
      prompt: RESULT.text,
    }),
  },
  run: ({ nouns, caller, target }, { project: _, ...wish }) =>
    nouns.chats.create(caller, target, wish),
  toToolResult: ({ project: slug, sessionId: id, name, model: chosen }, input) => ({
    created: true,
    project: slug,
    sessionId: id,
    name,
    model: chosen,
    prompt: input.prompt,
  }),
});

import { success } from '@svc/core';
import { chatSchema } from '@svc/records';
import { archivedChatSchema, sentMessageSchema } from './chat-answers.schema.ts';
import { defineOperation, type OperationRow, STARTING } from './operation.ts';
import {
  chatName,
  chatProject,
  model,
  objectOf,
  ownSessionId,
  project,
  prompt,
  RESULT,
  sessionId,
} from './shared-schemas.ts';

export const createChat: OperationRow<'create_chat'> = defineOperation({
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
  tool: {
    title: 'Start a chat',
    description:
      "Starts a new chat in a project with a first prompt. This starts a real agent turn: the project's keeper, with all of its tools, works on the prompt in the background. Returns at once with the `sessionId`; follow it with read_chat, go on with send_message.",
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
  told: ({ project: slug, sessionId: id, name, model: chosen }, input) => ({
    created: true,
    project: slug,
    sessionId: id,
    name,
    model: chosen,
    prompt: input.prompt,
  }),
});

export const sendMessage: OperationRow<'send_message'> = defineOperation({
  name: 'send_message',
  summary: 'Put a message into a chat and start a turn for it.',
  policy: { effect: 'starts_turn', target: 'chat', gate: 'write', runsCode: true },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['session_id', 'prompt'],
    properties: { session_id: sessionId, prompt, project: chatProject },
  },
  output: sentMessageSchema,
  tool: {
    title: 'Send a message',
    description:
      'Puts a message into an existing chat and starts a real agent turn for it, with what that chat may do. While an earlier turn of the chat is running the new one waits for it. Returns at once; follow it with read_chat. An archived chat must be unarchived first.',
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

const ARCHIVING = {
  input: {
    type: 'object',
    additionalProperties: false,
    properties: { session_id: ownSessionId, project: chatProject },
  },
  output: archivedChatSchema,
} as const;

const ARCHIVING_HINTS = { destructive: false, idempotent: true, openWorld: false } as const;

const archivingAnswer = objectOf({
  archived: RESULT.boolean,
  project: RESULT.text,
  sessionId: RESULT.text,
});

export const archiveChat: OperationRow<'archive_chat'> = defineOperation({
  name: 'archive_chat',
  summary: 'Archive a chat.',
  policy: { effect: 'mutates', target: 'chat', gate: 'write', runsCode: false },
  ...ARCHIVING,
  tool: {
    title: 'Archive a chat',
    description:
      'Archives a chat: it leaves the lists and takes no more messages until it is unarchived; nothing is deleted. Archiving is recorded as the event onArchive. A chat that is archived already stays as it is.',
    ...ARCHIVING_HINTS,
    output: archivingAnswer,
  },
  run: async ({ nouns, caller, target }) => success(await nouns.chats.archive(caller, target)),
});

export const unarchiveChat: OperationRow<'unarchive_chat'> = defineOperation({
  name: 'unarchive_chat',
  summary: 'Bring an archived chat back.',
  policy: { effect: 'mutates', target: 'chat', gate: 'write', runsCode: false },
  ...ARCHIVING,
  tool: {
    title: 'Bring a chat back',
    description:
      'Brings an archived chat back into the lists, so that it takes messages again. Returns `archived: false`. Raises no event. A chat that is not archived stays as it is.',
    ...ARCHIVING_HINTS,
    output: archivingAnswer,
  },
  run: async ({ nouns, target }) => success(await nouns.chats.unarchive(target)),
});

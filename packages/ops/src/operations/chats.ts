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
  summary: 'Send a message to a chat and start a turn for it.',
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
      'Archive a chat: it is hidden from lists and accepts no messages until unarchived. Nothing is deleted. Raises the event onArchive, which may fire triggers. No effect on a chat that is already archived.',
    ...ARCHIVING_HINTS,
    output: archivingAnswer,
  },
  run: async ({ nouns, caller, target }) => success(await nouns.chats.archive(caller, target)),
});

export const unarchiveChat: OperationRow<'unarchive_chat'> = defineOperation({
  name: 'unarchive_chat',
  summary: 'Unarchive a chat.',
  policy: { effect: 'mutates', target: 'chat', gate: 'write', runsCode: false },
  ...ARCHIVING,
  tool: {
    title: 'Unarchive a chat',
    description:
      'Return an archived chat to the lists so that it accepts messages again. Returns `archived: false`. Raises no event. No effect on a chat that is not archived.',
    ...ARCHIVING_HINTS,
    output: archivingAnswer,
  },
  run: async ({ nouns, target }) => success(await nouns.chats.unarchive(target)),
});

import { success } from '@svc/core';
import type { Chat } from '@svc/records';
import { chatSchema } from '@svc/records';
import { archivedChatSchema, chatPageSchema, sentMessageSchema } from './chat-answers.schema.ts';
import { readableText } from './message-text.ts';
import { defineOperation, type OperationRow, READING, STARTING } from './operation.ts';
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

export const listChats: OperationRow<'list_chats'> = defineOperation({
  name: 'list_chats',
  summary: 'List chats.',
  policy: { effect: 'reads', target: 'enumerates', gate: 'read', runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      project: {
        type: 'string',
        minLength: 1,
        description:
          'Slug of the project, as list_projects returns it. Default: every project that you may see.',
      },
      include_archived: { type: 'boolean', description: 'Default: false.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 200,
        description: 'Most chats to return. Default: 50.',
      },
      cursor: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        description: 'What the previous page gave as `next`.',
      },
    },
  },
  output: chatPageSchema,
  tool: {
    title: 'List chats',
    description:
      'Lists chats, those with the newest activity first: of one project, or of all that you may see. Archived chats are left out and only counted (`omittedArchived`) unless you ask for them. `next`, where there is one, goes into `cursor` for the following page. Changes nothing.',
    ...READING,
    output: objectOf(
      {
        count: RESULT.integer,
        omittedArchived: RESULT.integer,
        project: RESULT.textOrNull,
        chats: {
          type: 'array',
          items: objectOf({
            project: RESULT.text,
            sessionId: RESULT.text,
            name: RESULT.text,
            updatedAt: RESULT.text,
            running: RESULT.boolean,
            archived: RESULT.boolean,
          }),
        },
        next: RESULT.text,
      },
      ['next'],
    ),
  },
  run: ({ nouns, target }, { include_archived: includeArchived, limit, cursor }) =>
    nouns.chats.list(target.slugs, { includeArchived, limit, cursor }),
  told: ({ chats, omittedArchived, next }, { project: named = null }) => ({
    count: chats.length,
    omittedArchived,
    project: named,
    chats: chats.map(entryOf),
    ...(next === null ? {} : { next }),
  }),
});

function entryOf({ project: slug, sessionId: id, name, updatedAt, running, archived }: Chat) {
  return { project: slug, sessionId: id, name, updatedAt, running, archived };
}

export const readChat: OperationRow<'read_chat'> = defineOperation({
  name: 'read_chat',
  summary: 'Read the newest messages of a chat.',
  policy: { effect: 'reads', target: 'chat', gate: 'read', runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['session_id'],
    properties: {
      session_id: sessionId,
      project: chatProject,
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 200,
        description: 'Most messages to return, counted from the newest. Default: 30.',
      },
    },
  },
  output: null,
  tool: {
    title: 'Read a chat',
    description:
      'Returns the newest messages of a chat in reading order: what was asked, what the agent said, its tool calls and their results. Texts over 2,000 characters are cut, with a mark. `total` says how many messages there are. To wait for a turn that you started, read again until the chat is no longer running (list_chats shows that). Changes nothing.',
    ...READING,
    output: objectOf({
      project: RESULT.text,
      sessionId: RESULT.text,
      total: RESULT.integer,
      returned: RESULT.integer,
      messages: {
        type: 'array',
        items: objectOf({ role: RESULT.text, text: RESULT.text, timestamp: RESULT.text }),
      },
    }),
  },
  async run({ nouns, target }, { limit = 30 }) {
    const page = await nouns.chats.messages(target, { limit });
    if (!page.ok) return page;
    const { messages } = page.value;
    const { chat } = target;
    return success({
      project: chat.project,
      sessionId: chat.sessionId,
      // Messages are numbered without gaps; the chat itself was read a moment before them.
      total: messages.at(-1)?.seq ?? chat.messageCount,
      returned: messages.length,
      messages: messages.map((message) => ({
        role: message.role,
        text: readableText(message),
        timestamp: message.timestamp,
      })),
    });
  },
});

export const createChat: OperationRow<'create_chat'> = defineOperation({
  name: 'create_chat',
  summary: 'Start a chat with a prompt.',
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
  summary: 'Send a message to a chat.',
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

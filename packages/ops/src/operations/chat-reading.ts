import { success } from '@svc/core';
import type { Chat } from '@svc/records';
import { chatPageSchema } from './chat-answers.schema.ts';
import { readableText } from './message-text.ts';
import { defineOperation, type OperationRow, READING } from './operation.ts';
import { chatProject, objectOf, RESULT, sessionId } from './shared-schemas.ts';

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
          'Slug of the project, as returned by list_projects. Default: all visible projects.',
      },
      include_archived: { type: 'boolean', default: false, description: 'Default: false.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 200,
        default: 50,
        description: 'Maximum number of chats. Default: 50.',
      },
      cursor: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        description: '`next` of the previous page.',
      },
    },
  },
  output: chatPageSchema,
  tool: {
    title: 'List chats',
    description:
      'List the chats of one project, or of all visible projects, most recently active first. Archived chats are omitted and counted in `omittedArchived` unless `include_archived` is true. Pass `next`, if present, as `cursor` to get the next page. Read-only.',
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
        description: 'Maximum number of newest messages. Default: 30.',
      },
    },
  },
  output: null,
  tool: {
    title: 'Read a chat',
    description:
      'Return the newest messages of a chat, oldest first: prompts, answers, tool calls and their results. Texts over 2,000 characters are truncated with a mark. `total` is the number of messages. To wait for a turn, read again until list_chats shows the chat as not running. Read-only.',
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
      total:
        (messages.at(-1)?.seq ?? chat.messageCount + chat.prunedMessages) - chat.prunedMessages,
      returned: messages.length,
      messages: messages.map((message) => ({
        role: message.role,
        text: readableText(message),
        timestamp: message.timestamp,
      })),
    });
  },
});

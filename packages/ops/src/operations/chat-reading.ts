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
          'Slug of the project, as list_projects returns it. Default: every project that you may see.',
      },
      include_archived: { type: 'boolean', default: false, description: 'Default: false.' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 200,
        default: 50,
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

import { failure, success } from '@svc/core';
import { type Chat, chatSchema } from '@svc/records';
import { count, exactly, flag, integer, listOf, text, textOrNull } from '../../common.schema.ts';
import { defineOperation, READING } from '../operation.ts';
import { sample } from '../samples.ts';
import { FOREIGN_CURSOR } from './shared.ts';

const chatPageSchema = {
  $id: 'ChatPage',
  ...exactly({
    chats: { ...listOf(chatSchema), description: 'Newest first.' },
    omittedArchived: { ...count, description: 'Number of archived chats not included.' },
    next: { ...textOrNull, description: 'Pass as `cursor` to get the next page.' },
  }),
} as const;

export const listChats = defineOperation({
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
  http: {
    method: 'get',
    path: '/projects/:slug/chats',
    tag: 'chats',
    status: 200,
    query: { includeArchived: 'include_archived', limit: 'limit', cursor: 'cursor' },
    example: { response: { chats: [sample.chat], omittedArchived: 0, next: null } },
  },
  tool: {
    title: 'List chats',
    description:
      'List the chats of one project, or of all visible projects, most recently active first. Archived chats are omitted and counted in `omittedArchived` unless `include_archived` is true. Pass `next`, if present, as `cursor` to get the next page. Read-only.',
    ...READING,
    output: exactly(
      {
        count: integer,
        omittedArchived: integer,
        project: textOrNull,
        chats: {
          type: 'array',
          items: exactly({
            project: text,
            sessionId: text,
            name: text,
            updatedAt: text,
            running: flag,
            archived: flag,
          }),
        },
      },
      {
        next: text,
      },
    ),
  },
  async run({ services: { deps }, target }, { include_archived: includeArchived, limit, cursor }) {
    if (cursor !== undefined && !CURSOR.test(cursor)) return failure(FOREIGN_CURSOR);
    const page = await deps.store.chats.list({
      projects: target.slugs,
      includeArchived: includeArchived ?? false,
      limit: limit ?? 50,
      ...(cursor === undefined ? {} : { cursor }),
    });
    return success(page);
  },
  toToolResult: ({ chats, omittedArchived, next }, { project: named = null }) => ({
    count: chats.length,
    omittedArchived,
    project: named,
    chats: chats.map(chatEntry),
    ...(next === null ? {} : { next }),
  }),
});

function chatEntry({ project: slug, sessionId: id, name, updatedAt, running, archived }: Chat) {
  return { project: slug, sessionId: id, name, updatedAt, running, archived };
}

// `next` of the store: a time and an id.
const CURSOR = /^[0-9T:.Z-]{24}~[0-9a-f-]{36}$/;

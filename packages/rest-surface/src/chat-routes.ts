import type { Result } from '@svc/core';
import { type OperationError, USER } from '@svc/ops';
import { type Chat, chatSchema } from '@svc/records';
import type { FromSchema } from 'json-schema-to-ts';
import {
  archivedChatSchema,
  chatPageSchema,
  chatWithMessagesSchema,
  sentMessageSchema,
} from './chat-bodies.schema.ts';
import { body, query } from './input.ts';
import { type Reply, type Route, reply, route } from './route.ts';

const prompt = { type: 'string', minLength: 1, description: 'Instruction of the turn.' } as const;
const name = { type: 'string', minLength: 1, maxLength: 200 } as const;
const model = { type: 'string', minLength: 1, maxLength: 200 } as const;

const newChatSchema = {
  $id: 'NewChat',
  type: 'object',
  additionalProperties: false,
  required: ['prompt'],
  properties: { prompt, name, model },
} as const;

const newMessageSchema = {
  $id: 'NewMessage',
  type: 'object',
  additionalProperties: false,
  required: ['prompt'],
  properties: { prompt },
} as const;

const forkSchema = {
  $id: 'Fork',
  description: 'Without a prompt the copy waits for its first message.',
  type: 'object',
  additionalProperties: false,
  properties: { prompt, name, model },
} as const;

/** Routes that read chats. */
export function chatReadingRoutes(): Route[] {
  return [
    route({
      method: 'get',
      path: '/projects/:slug/chats',
      operation: 'list_chats',
      tag: 'chats',
      summary: 'The chats of a project, newest first.',
      status: 200,
      query: query({
        includeArchived: { type: 'boolean', default: false },
        limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
        cursor: { type: 'string', maxLength: 500, description: '`next` of the page before.' },
      }),
      response: chatPageSchema,
      handle: async (ops, { project, query }) =>
        reply(await ops.chats.list(project, query), (page) => page),
    }),
    route({
      method: 'get',
      path: '/projects/:slug/chats/:sessionId',
      operation: 'read_chat',
      tag: 'chats',
      summary: 'One chat with the newest part of its transcript.',
      status: 200,
      query: query({
        limit: { type: 'integer', minimum: 1, maximum: 1000, default: 200 },
        cursor: {
          type: 'string',
          maxLength: 500,
          description: '`next` of the page before: the messages before that page.',
        },
      }),
      response: chatWithMessagesSchema,
      handle: async (ops, { project, id, query }) =>
        reply(await ops.chats.get(project, id, query), ({ chat, ...page }) => ({
          ...chat,
          ...page,
        })),
    }),
  ];
}

/** Routes that start turns in chats. */
export function chatTurnRoutes(): Route[] {
  return [
    route({
      method: 'post',
      path: '/projects/:slug/chats',
      operation: 'create_chat',
      tag: 'chats',
      summary: 'Starts a chat with the keeper of the project.',
      changes: true,
      status: 201,
      body: body<FromSchema<typeof newChatSchema>>(newChatSchema, { required: true }),
      response: chatSchema,
      errors: ['run_failed'],
      handle: async (ops, { project, body }) =>
        chatReply(await ops.chats.create(USER, project, body)),
    }),
    route({
      method: 'post',
      path: '/projects/:slug/chats/:sessionId/messages',
      operation: 'send_message',
      tag: 'chats',
      summary: 'Puts a message into a chat and starts a turn for it.',
      changes: true,
      status: 202,
      body: body<FromSchema<typeof newMessageSchema>>(newMessageSchema, { required: true }),
      response: sentMessageSchema,
      errors: ['conflict'],
      async handle(ops, { project, id, body: { prompt } }) {
        const sent = await ops.chats.send(USER, project, id, prompt);
        return reply(sent, ({ sessionId }) => ({ sent: true, project, sessionId, prompt }));
      },
    }),
    route({
      method: 'post',
      path: '/projects/:slug/chats/:sessionId/fork',
      operation: 'fork_chat',
      tag: 'chats',
      summary: 'Copies a chat; with a prompt the copy gets a turn.',
      changes: true,
      status: 201,
      body: body<FromSchema<typeof forkSchema>>(forkSchema, { required: false }),
      response: chatSchema,
      handle: async (ops, { project, id, body }) =>
        chatReply(await ops.chats.fork(USER, project, id, body)),
    }),
  ];
}

/** Routes that put chats away and bring them back. */
export function chatArchiveRoutes(): Route[] {
  const answer = (
    result: Result<{ archived: boolean }, OperationError>,
    request: { project: string; id: string },
  ) =>
    reply(result, ({ archived }) => ({
      archived,
      project: request.project,
      sessionId: request.id,
    }));
  return [
    route({
      method: 'post',
      path: '/projects/:slug/chats/:sessionId/archive',
      operation: 'archive_chat',
      tag: 'chats',
      summary: 'Archives a chat.',
      changes: true,
      status: 200,
      response: archivedChatSchema,
      handle: async (ops, request) =>
        answer(await ops.chats.archive(USER, request.project, request.id), request),
    }),
    route({
      method: 'post',
      path: '/projects/:slug/chats/:sessionId/unarchive',
      operation: 'unarchive_chat',
      tag: 'chats',
      summary: 'Brings an archived chat back.',
      changes: true,
      status: 200,
      response: archivedChatSchema,
      handle: async (ops, request) =>
        answer(await ops.chats.unarchive(request.project, request.id), request),
    }),
  ];
}

function chatReply(result: Result<Chat, OperationError>): Result<Reply, OperationError> {
  if (!result.ok) return result;
  return { ok: true, value: { body: result.value, target: result.value.sessionId } };
}

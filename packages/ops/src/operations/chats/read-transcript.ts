import { failure, success } from '@svc/core';
import { invalidInput } from '@svc/engine';
import { chatSchema, messageSchema } from '@svc/records';
import { extended, listOf, textOrNull } from '../../common.schema.ts';
import type { OpsDeps } from '../../deps.ts';
import { defineOperation, type FoundChat } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress, sessionId } from '../shared-schemas.ts';
import { type MessagePage, messagesOf } from './shared.ts';

const chatWithMessagesSchema = {
  ...extended(chatSchema, {
    messages: {
      ...listOf(messageSchema),
      description: 'The newest messages, or the requested ones, oldest first.',
    },
    next: {
      ...textOrNull,
      description: 'Pass as `cursor` to get earlier messages, or as `after` to get later ones.',
    },
  }),
  $id: 'ChatWithMessages',
};

const BOTH_WAYS = invalidInput([
  { path: 'after', message: 'cannot be combined with cursor. Give one of them.' },
]);

export const readTranscript = defineOperation({
  name: 'read_transcript',
  summary: 'Get a chat with the newest part of its transcript.',
  policy: { effect: 'reads', target: 'chat', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'session_id'],
    properties: {
      project: projectAddress,
      session_id: sessionId,
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 200 },
      cursor: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: '`next` of the previous page, to get earlier messages.',
      },
      after: {
        type: 'integer',
        minimum: 0,
        maximum: 999_999_999_999_999,
        description:
          'Message number: return only later messages, oldest first. Pass `next` as `after` to continue. Cannot be combined with cursor.',
      },
    },
  },
  output: chatWithMessagesSchema,
  http: {
    method: 'get',
    path: '/projects/:slug/chats/:sessionId',
    id: 'read_chat',
    tag: 'chats',
    status: 200,
    query: { limit: 'limit', cursor: 'cursor', after: 'after' },
    example: {
      response: {
        ...sample.chat,
        messages: [
          {
            seq: 8,
            turnId: sample.TURN_ID,
            role: 'assistant',
            kind: 'text',
            text: 'Two links were broken. Both point to the new address now.',
            tool: null,
            by: null,
            timestamp: sample.ENDED,
          },
        ],
        next: '8',
      },
    },
  },
  tool: null,
  async run({ services: { deps }, target }, { limit = 200, cursor, after }) {
    if (after !== undefined && cursor !== undefined) return failure(BOTH_WAYS);
    const page =
      after === undefined
        ? await messagesOf(deps.store, target, { limit, cursor })
        : success(await newerMessages(deps.store, target, { limit, after }));
    return page.ok ? success({ ...target.chat, ...page.value }) : page;
  },
});

async function newerMessages(
  { chats }: OpsDeps['store'],
  { chat }: FoundChat,
  page: { readonly limit: number; readonly after: number },
): Promise<MessagePage> {
  const { messages, next } = await chats.newerMessages(chat.sessionId, page);
  return { messages, next: next === null ? null : String(next) };
}

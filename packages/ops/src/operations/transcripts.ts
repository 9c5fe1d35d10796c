import { failure, success } from '@svc/core';
import { invalidInput } from '../errors.ts';
import { chatWithMessagesSchema } from './chat-answers.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';
import { projectAddress, sessionId } from './shared-schemas.ts';

export const readTranscript: OperationRow<'read_transcript'> = defineOperation({
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
  tool: null,
  async run({ nouns, target }, { limit = 200, cursor, after }) {
    if (after !== undefined && cursor !== undefined) return failure(BOTH_WAYS);
    const page =
      after === undefined
        ? await nouns.chats.messages(target, { limit, cursor })
        : success(await nouns.chats.newerMessages(target, { limit, after }));
    return page.ok ? success({ ...target.chat, ...page.value }) : page;
  },
});

const BOTH_WAYS = invalidInput([
  { path: 'after', message: 'cannot be combined with cursor. Give one of them.' },
]);

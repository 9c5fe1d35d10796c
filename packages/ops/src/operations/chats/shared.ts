import { failure, success } from '@svc/core';
import { type Answer, invalidInput } from '@svc/engine';
import type { Message } from '@svc/records';
import { exactly, flag, id, text } from '../../common.schema.ts';
import type { OpsDeps } from '../../deps.ts';
import type { FoundChat } from '../operation.ts';
import { chatProject, ownSessionId } from '../shared-schemas.ts';

const archivedChatSchema = {
  $id: 'ArchivedChat',
  ...exactly({ archived: flag, project: text, sessionId: id }),
} as const;

export const ARCHIVING = {
  input: {
    type: 'object',
    additionalProperties: false,
    properties: { session_id: ownSessionId, project: chatProject },
  },
  output: archivedChatSchema,
} as const;

export const ARCHIVING_HINTS = { destructive: false, idempotent: true, openWorld: false } as const;

export const archivingAnswer = exactly({
  archived: flag,
  project: text,
  sessionId: text,
});

/** A page of messages, oldest first. */
export interface MessagePage {
  readonly messages: readonly Message[];
  /** Pass as `cursor` to get earlier messages, or as `after` to get later ones; null if there are none. */
  readonly next: string | null;
}

/** The newest `limit` messages of a chat, or those before a page; fewer if they are long. */
export async function messagesOf(
  { chats }: OpsDeps['store'],
  { chat }: FoundChat,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Answer<MessagePage> {
  if (cursor !== undefined && !MESSAGE_CURSOR.test(cursor)) return failure(FOREIGN_CURSOR);
  const page = { limit, ...(cursor === undefined ? {} : { cursor: Number(cursor) }) };
  const { messages, next } = await chats.messages(chat.sessionId, page);
  return success({ messages, next: next === null ? null : String(next) });
}

// The number of a message.
const MESSAGE_CURSOR = /^[1-9]\d{0,14}$/;

// A cursor that was not returned by a page is refused; otherwise paging might never end.
export const FOREIGN_CURSOR = invalidInput([
  { path: 'cursor', message: 'must be the next value of a previous page.' },
]);

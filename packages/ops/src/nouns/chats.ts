import { type Checked, failure, invalid, success } from '@svc/core';
import type { Chat, Message } from '@svc/records';
import type { ChatFilter } from '@svc/store';
import type { OpsDeps, WorkSettings } from '../deps.ts';
import { type Answer, invalidInput } from '../errors.ts';
import { type ChatWrites, createChatWrites, type FoundChat } from './chat-writes.ts';

/** Some of the chats, those with the newest activity first. */
export interface ChatPage {
  readonly chats: readonly Chat[];
  /** How many archived chats were left out. */
  readonly omittedArchived: number;
  /** Goes into `cursor` for the following page; null where there is none. */
  readonly next: string | null;
}

/** Some of the messages of a chat, in reading order. */
export interface MessagePage {
  readonly messages: readonly Message[];
  /** Goes into `cursor` for the messages before these, or into `after` for those behind them; null where there are none. */
  readonly next: string | null;
}

/** Which chats to list: by default those that are not archived, up to 50. */
export interface ChatQuery {
  readonly includeArchived?: boolean | undefined;
  /** 1 to 200. */
  readonly limit?: number | undefined;
  /** What a previous page gave as `next`. */
  readonly cursor?: string | undefined;
}

/** Working with chats. */
export interface ChatWork extends ChatWrites {
  /** Chats of these projects. */
  list(projects: readonly string[], query: ChatQuery): Answer<ChatPage>;
  /** The newest `limit` messages, or those before a page; fewer where they are long. */
  messages(
    chat: FoundChat,
    query: { readonly limit: number; readonly cursor?: string | undefined },
  ): Answer<MessagePage>;
  /** What follows the message of this number, oldest first, up to `limit`; fewer where they are long. */
  newerMessages(
    chat: FoundChat,
    query: { readonly limit: number; readonly after: number },
  ): Promise<MessagePage>;
}

export function createChatWork(deps: OpsDeps, settings: WorkSettings): ChatWork {
  const { chats } = deps.store;
  return {
    ...createChatWrites(deps, settings),
    async list(projects, query) {
      const page = pageOf(query);
      return page.ok
        ? success(await chats.list({ projects, ...page.value }))
        : failure(invalidInput(page.issues));
    },
    async messages({ chat }, { limit, cursor }) {
      if (cursor !== undefined && !MESSAGE_CURSOR.test(cursor)) return failure(FOREIGN_CURSOR);
      const page = { limit, ...(cursor === undefined ? {} : { cursor: Number(cursor) }) };
      const { messages, next } = await chats.messages(chat.sessionId, page);
      return success({ messages, next: next === null ? null : String(next) });
    },
    async newerMessages({ chat }, page) {
      const { messages, next } = await chats.newerMessages(chat.sessionId, page);
      return { messages, next: next === null ? null : String(next) };
    },
  };
}

// What the store gives as `next`: a time and an id.
const CURSOR = /^[0-9T:.Z-]{24}~[0-9a-f-]{36}$/;

// The number of a message.
const MESSAGE_CURSOR = /^[1-9]\d{0,14}$/;

const FOREIGN_CURSOR_ISSUE = {
  path: 'cursor',
  message: 'must be what a page before gave as next.',
};

const FOREIGN_CURSOR = invalidInput([FOREIGN_CURSOR_ISSUE]);

// A cursor that no page gave is refused, or the pages would never end.
function pageOf({
  includeArchived = false,
  limit = 50,
  cursor,
}: ChatQuery): Checked<Omit<ChatFilter, 'projects'>> {
  if (cursor === undefined) return success({ includeArchived, limit });
  if (CURSOR.test(cursor)) return success({ includeArchived, limit, cursor });
  return invalid(FOREIGN_CURSOR_ISSUE);
}

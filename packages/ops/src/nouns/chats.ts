import { type Checked, failure, invalid, success } from '@svc/core';
import type { ChatFilter } from '@svc/store';
import type { OpsDeps, WorkSettings } from '../deps.ts';
import { invalidInput, type OperationError } from '../errors.ts';
import type { ChatQuery, ChatWork } from '../work.ts';
import { cancelTurn } from './cancelling.ts';
import { createChatWrites } from './chat-writes.ts';

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
    async cancel(caller, { chat: { project, sessionId } }) {
      const turn = await deps.store.turns.openIn(sessionId);
      if (turn === null) return failure(NOTHING_RUNS);
      await cancelTurn(deps, caller, turn.id);
      return success({ project, sessionId, turnId: turn.id, runId: turn.runId });
    },
  };
}

const NOTHING_RUNS: OperationError = {
  code: 'conflict',
  message: 'This chat has no running or queued turn.',
};

// `next` of the store: a time and an id.
const CURSOR = /^[0-9T:.Z-]{24}~[0-9a-f-]{36}$/;

// The number of a message.
const MESSAGE_CURSOR = /^[1-9]\d{0,14}$/;

const FOREIGN_CURSOR_ISSUE = {
  path: 'cursor',
  message: 'must be the next value of a previous page.',
};

const FOREIGN_CURSOR = invalidInput([FOREIGN_CURSOR_ISSUE]);

// A cursor that was not returned by a page is refused; otherwise paging might never end.
function pageOf({
  includeArchived = false,
  limit = 50,
  cursor,
}: ChatQuery): Checked<Omit<ChatFilter, 'projects'>> {
  if (cursor === undefined) return success({ includeArchived, limit });
  if (CURSOR.test(cursor)) return success({ includeArchived, limit, cursor });
  return invalid(FOREIGN_CURSOR_ISSUE);
}

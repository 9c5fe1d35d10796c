import { type Checked, failure, invalid, isId, type Result, success } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Chat, Message } from '@svc/records';
import type { ChatFilter } from '@svc/store';
import type { Caller } from './caller.ts';
import {
  archiveChat,
  createChat,
  type FoundChat,
  forkChats,
  sendMessage,
  unarchiveChat,
} from './chat-writes.ts';
import type { OpsDeps, OpsSettings } from './deps.ts';
import { invalidInput, notFound, type OperationError } from './errors.ts';

type Answer<T> = Promise<Result<T, OperationError>>;

/** A chat with the newest part of its transcript. */
export interface ChatWithMessages {
  readonly chat: Chat;
  readonly messages: readonly Message[];
  /** Goes into `cursor` for the messages before these; null where there are none. */
  readonly next: string | null;
}

/** Which chats to list: by default those that are not archived, up to 50. */
export interface ChatQuery {
  readonly includeArchived?: boolean;
  /** 1 to 200. */
  readonly limit?: number;
  /** What a previous page gave as `next`. */
  readonly cursor?: string;
}

/** Working with chats. */
export interface ChatOperations {
  list(
    project: string,
    query: ChatQuery,
  ): Answer<{ chats: Chat[]; omittedArchived: number; next: string | null }>;
  /** The newest `limit` messages (default 200, at most 1000), or those before a page; fewer where they are long. */
  get(
    project: string,
    sessionId: string,
    query: { limit?: number; cursor?: string },
  ): Answer<ChatWithMessages>;
  /** Starts a chat as the project's keeper, with a first turn. */
  create(
    caller: Caller,
    project: string,
    chat: { prompt: string; name?: string; model?: string },
  ): Answer<Chat>;
  /** Puts a message into a chat and starts a turn for it. */
  send(caller: Caller, project: string, sessionId: string, prompt: string): Answer<Chat>;
  archive(caller: Caller, project: string, sessionId: string): Answer<{ archived: boolean }>;
  unarchive(project: string, sessionId: string): Answer<{ archived: boolean }>;
  /** Copies a chat; with a prompt the copy gets a turn. */
  fork(
    caller: Caller,
    project: string,
    sessionId: string,
    fork: { prompt?: string; name?: string; model?: string },
  ): Answer<Chat>;
}

export function createChatOperations(deps: OpsDeps, settings: OpsSettings): ChatOperations {
  const { store } = deps;
  const known = (project: string): Answer<ProjectSnapshot> => projectOf(deps, project);
  const find = async (project: string, sessionId: string): Answer<FoundChat> => {
    const snapshot = await known(project);
    if (!snapshot.ok) return snapshot;
    const detail = isId(sessionId) ? await store.chats.get(sessionId) : null;
    const here = detail !== null && detail.chat.project === project;
    return here ? success({ snapshot: snapshot.value, ...detail }) : failure(notFound('chat'));
  };
  return {
    async list(project, query) {
      const snapshot = await known(project);
      if (!snapshot.ok) return snapshot;
      const page = pageOf(query);
      return page.ok
        ? success(await store.chats.list({ projects: [project], ...page.value }))
        : failure(invalidInput(page.issues));
    },
    async get(project, sessionId, { limit = 200, cursor }) {
      const found = await find(project, sessionId);
      if (!found.ok) return found;
      if (cursor !== undefined && !MESSAGE_CURSOR.test(cursor)) return failure(FOREIGN_CURSOR);
      const page = { limit, ...(cursor === undefined ? {} : { cursor: Number(cursor) }) };
      const { messages, next } = await store.chats.messages(sessionId, page);
      const { chat } = found.value;
      return success({ chat, messages, next: next === null ? null : String(next) });
    },
    async create(caller, project, chat) {
      const snapshot = await known(project);
      return snapshot.ok ? createChat(deps, settings, caller, snapshot.value, chat) : snapshot;
    },
    async send(caller, project, sessionId, prompt) {
      const found = await find(project, sessionId);
      return found.ok ? sendMessage(deps, settings, caller, found.value, prompt) : found;
    },
    async archive(caller, project, sessionId) {
      const found = await find(project, sessionId);
      return found.ok ? success(await archiveChat(deps, caller, found.value)) : found;
    },
    async unarchive(project, sessionId) {
      const found = await find(project, sessionId);
      return found.ok ? success(await unarchiveChat(deps, found.value)) : found;
    },
    async fork(caller, project, sessionId, fork) {
      const found = await find(project, sessionId);
      if (!found.ok) return found;
      const forked = await forkChats(deps, settings, caller, found.value, [fork]);
      return forked.ok ? success(forked.value[0] as Chat) : forked;
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

/** A page of chats as the store takes it; a cursor that no page gave is refused, or the pages would never end. */
export function pageOf({
  includeArchived = false,
  limit = 50,
  cursor,
}: ChatQuery): Checked<Omit<ChatFilter, 'projects'>> {
  if (cursor === undefined) return success({ includeArchived, limit });
  if (CURSOR.test(cursor)) return success({ includeArchived, limit, cursor });
  return invalid(FOREIGN_CURSOR_ISSUE);
}

/** A project that exists, whatever the state of its file. */
export async function projectOf(deps: OpsDeps, project: string): Answer<ProjectSnapshot> {
  const snapshot = await deps.projects.snapshot(project);
  return snapshot === null ? failure(notFound('project')) : success(snapshot);
}

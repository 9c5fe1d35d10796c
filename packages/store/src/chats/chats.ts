import { isoTime } from '@svc/core';
import type { Actor, Chat, Message, SessionId, Slug, TurnId } from '@svc/records';
import type { Kysely } from 'kysely';
import { chatOf } from '../database/records.ts';
import type { Tables } from '../database/schema.ts';
import {
  CHAT_CAPABILITY,
  type ChatFilter,
  type ListedChats,
  listChats,
  RUNNING,
} from './chat-list.ts';
import { archiveChat, forkChat, type NewChat } from './chat-writes.ts';
import { readHistory } from './history.ts';
import {
  type MessagePage,
  type MessagesRead,
  type NewerMessages,
  readMessages,
  readNewer,
} from './message-pages.ts';

/** The chat that a `resume` trigger continues. */
export interface OwnedChat {
  readonly sessionId: SessionId;
  readonly runtime: string;
}

/** A chat with the facts that a new turn needs. */
export interface ChatDetail {
  readonly chat: Chat;
  readonly depth: number;
}

/** Chats and their transcripts. */
export interface Chats {
  get(sessionId: SessionId): Promise<ChatDetail | null>;
  /** Most recently active first. */
  list(filter: ChatFilter): Promise<ListedChats>;
  /** The newest messages, or those before a page, oldest first. */
  messages(sessionId: SessionId, page: MessagePage): Promise<MessagesRead>;
  /** The messages after a given one, oldest first. */
  newerMessages(sessionId: SessionId, page: NewerMessages): Promise<MessagesRead>;
  /**
   * Archives a chat and stores its event, unless the turn that archives it was itself started by an event. False if it
   * is already archived or does not exist.
   */
  archive(
    sessionId: SessionId,
    by: Actor,
    at: number,
    causedByTurn: TurnId | null,
  ): Promise<boolean>;
  /** Unarchives a chat; false if it is not archived or does not exist. */
  unarchive(sessionId: SessionId): Promise<boolean>;
  /** Copies the messages of one chat into a new one. */
  fork(from: SessionId, chat: NewChat, at: number): Promise<void>;
  /** The chat that a `resume` trigger continues; null if there is none, or it is archived. */
  ownedBy(project: Slug, source: string, name: string): Promise<OwnedChat | null>;
  /** Records the session that the runtime has for a chat. */
  setRuntimeRef(sessionId: SessionId, ref: string): Promise<void>;
  /**
   * The messages of ended turns, in the order in which the turns ran: the newest whole turns that fit into `mostBytes`,
   * at most 5,000 messages. If the newest turn alone does not fit, its last messages.
   */
  history(sessionId: SessionId, mostBytes: number): Promise<readonly Message[]>;
}

export function createChats(db: Kysely<Tables>): Chats {
  return {
    async get(sessionId) {
      const row = await db
        .selectFrom('chat')
        .selectAll()
        .select([RUNNING.as('running'), CHAT_CAPABILITY.as('capability')])
        .where('session_id', '=', sessionId)
        .executeTakeFirst();
      return row === undefined ? null : { chat: chatOf(row), depth: row.depth };
    },
    list: (filter) => listChats(db, filter),
    messages: (sessionId, page) => readMessages(db, sessionId, page),
    newerMessages: (sessionId, page) => readNewer(db, sessionId, page),
    archive: (sessionId, by, at, causedByTurn) =>
      db
        .transaction()
        .execute((tx) => archiveChat(tx, sessionId, { by, at: isoTime(at), causedByTurn })),
    async unarchive(sessionId) {
      const changed = await db
        .updateTable('chat')
        .set({ archived_at: null, archived_by: null })
        .where('session_id', '=', sessionId)
        .where('archived_at', 'is not', null)
        .executeTakeFirst();
      return changed.numUpdatedRows > 0n;
    },
    async fork(from, chat, at) {
      await db.transaction().execute((tx) => forkChat(tx, from, chat, isoTime(at)));
    },
    async ownedBy(project, source, name) {
      const row = await db
        .selectFrom('trigger_state')
        .innerJoin('chat', 'chat.session_id', 'trigger_state.owned_session')
        .select(['chat.session_id', 'chat.runtime'])
        .where('trigger_state.project', '=', project)
        .where('trigger_state.source', '=', source)
        .where('trigger_state.name', '=', name)
        .where('chat.archived_at', 'is', null)
        .executeTakeFirst();
      return row === undefined ? null : { sessionId: row.session_id, runtime: row.runtime };
    },
    async setRuntimeRef(sessionId, ref) {
      await db
        .updateTable('chat')
        .set({ runtime_ref: ref })
        .where('session_id', '=', sessionId)
        .execute();
    },
    history: (sessionId, mostBytes) => readHistory(db, sessionId, mostBytes),
  };
}

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

/** The chat that a trigger goes on in. */
export interface OwnedChat {
  readonly sessionId: SessionId;
  readonly runtime: string;
}

/** A chat with what a new turn in it needs to know. */
export interface ChatDetail {
  readonly chat: Chat;
  readonly depth: number;
}

/** The chats and their transcripts. */
export interface Chats {
  get(sessionId: SessionId): Promise<ChatDetail | null>;
  /** Newest activity first. */
  list(filter: ChatFilter): Promise<ListedChats>;
  /** The newest messages, or those before a page, in reading order. */
  messages(sessionId: SessionId, page: MessagePage): Promise<MessagesRead>;
  /** What follows a message, oldest first. */
  newerMessages(sessionId: SessionId, page: NewerMessages): Promise<MessagesRead>;
  /**
   * Archives a chat and stores its event, unless the turn that does it descends from an event itself; false when it was
   * archived already or is unknown.
   */
  archive(
    sessionId: SessionId,
    by: Actor,
    at: number,
    causedByTurn: TurnId | null,
  ): Promise<boolean>;
  /** Brings a chat back; false when it was not archived or is unknown. */
  unarchive(sessionId: SessionId): Promise<boolean>;
  /** Copies the messages of one chat into a new one. */
  fork(from: SessionId, chat: NewChat, at: number): Promise<void>;
  /** Chat that a `resume` trigger owns; null when there is none, or it is archived. */
  ownedBy(project: Slug, source: string, name: string): Promise<OwnedChat | null>;
  /** Notes the session that the runtime keeps for a chat. */
  setRuntimeRef(sessionId: SessionId, ref: string): Promise<void>;
  /**
   * What was said in the turns of a chat that have ended, in the order in which they ran: whole turns, the newest, as
   * many as fit into `mostBytes`, 5,000 messages at most. Of a newest turn that does not fit alone, its last messages.
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

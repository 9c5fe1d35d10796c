import { isoTime } from '@svc/core';
import type { Actor, Capability, Chat, Message, SessionId, Slug, TurnId } from '@svc/records';
import { actorText } from '@svc/records';
import { type Kysely, sql, type Transaction } from 'kysely';
import { raiseArchived } from './event-writes.ts';
import { readHistory } from './history.ts';
import { textHash } from './instructions.ts';
import {
  type MessagePage,
  type MessagesRead,
  type NewerMessages,
  readMessages,
  readNewer,
} from './message-pages.ts';
import { chatOf } from './records.ts';
import type { Tables } from './schema.ts';

/** A chat to be created. */
export interface NewChat {
  readonly sessionId: SessionId;
  readonly project: Slug;
  readonly name: string;
  readonly origin: 'trigger' | 'user' | 'keeper' | 'client' | 'fork';
  readonly triggerName: string | null;
  readonly by: Actor | null;
  readonly capability: Capability;
  readonly model: string | null;
  readonly runtime: string;
  readonly forkedFrom: SessionId | null;
  readonly depth: number;
  /** The instructions that its first messages tell; absent for a copy, and where none do. */
  readonly instructions?: string;
}

/** The chat that a trigger goes on in. */
export interface OwnedChat {
  readonly sessionId: SessionId;
  readonly runtime: string;
}

/** Which chats to list. */
export interface ChatFilter {
  /** Chats of these projects. */
  readonly projects: readonly Slug[];
  readonly includeArchived: boolean;
  /** At most so many, 1 to 200. */
  readonly limit: number;
  /** What a previous page gave as `next`. */
  readonly cursor?: string;
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
  list(
    filter: ChatFilter,
  ): Promise<{ chats: Chat[]; omittedArchived: number; next: string | null }>;
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

const RUNNING = sql<number>`exists(select 1 from turn where turn.session_id = chat.session_id and turn.state <> 'ended')`;

export function createChats(db: Kysely<Tables>): Chats {
  return {
    async get(sessionId) {
      const row = await db
        .selectFrom('chat')
        .selectAll()
        .select(RUNNING.as('running'))
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

/** Writes the row of a new chat. */
export async function insertChat(
  tx: Transaction<Tables>,
  chat: NewChat,
  at: string,
): Promise<void> {
  await tx
    .insertInto('chat')
    .values({
      session_id: chat.sessionId,
      project: chat.project,
      name: chat.name,
      origin: chat.origin,
      trigger_name: chat.triggerName,
      by_kind: chat.by?.kind ?? null,
      by_id: chat.by?.id ?? null,
      agent_name: chat.capability.agentName,
      capability: JSON.stringify(chat.capability),
      model: chat.model,
      runtime: chat.runtime,
      runtime_ref: null,
      forked_from: chat.forkedFrom,
      instructions_hash: chat.instructions === undefined ? null : textHash(chat.instructions),
      depth: chat.depth,
      spawn_limit: chat.capability.maxSpawnDepth,
      created_at: at,
      updated_at: at,
      archived_at: null,
      archived_by: null,
      message_count: 0,
    })
    .execute();
}

async function listChats(
  db: Kysely<Tables>,
  filter: ChatFilter,
): Promise<{ chats: Chat[]; omittedArchived: number; next: string | null }> {
  let query = db
    .selectFrom('chat')
    .selectAll()
    .select(RUNNING.as('running'))
    .where('project', 'in', filter.projects);
  if (!filter.includeArchived) query = query.where('archived_at', 'is', null);
  const [time, id] = (filter.cursor ?? '').split('~');
  if (time !== undefined && id !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('updated_at', '<', time),
        eb.and([eb('updated_at', '=', time), eb('session_id', '<', id)]),
      ]),
    );
  }
  const rows = await query
    .orderBy('updated_at', 'desc')
    .orderBy('session_id', 'desc')
    .limit(filter.limit + 1)
    .execute();
  const page = rows.slice(0, filter.limit);
  const last = page.at(-1);
  const more = rows.length > filter.limit && last !== undefined;
  return {
    chats: page.map(chatOf),
    omittedArchived: filter.includeArchived ? 0 : await countArchived(db, filter.projects),
    next: more ? `${last.updated_at}~${last.session_id}` : null,
  };
}

async function countArchived(db: Kysely<Tables>, projects: readonly Slug[]): Promise<number> {
  const row = await db
    .selectFrom('chat')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project', 'in', projects)
    .where('archived_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

async function archiveChat(
  tx: Transaction<Tables>,
  sessionId: SessionId,
  archive: { by: Actor; at: string; causedByTurn: TurnId | null },
): Promise<boolean> {
  const by = actorText(archive.by);
  const chat = await tx
    .updateTable('chat')
    .set({ archived_at: archive.at, archived_by: by })
    .where('session_id', '=', sessionId)
    .where('archived_at', 'is', null)
    .returning(['project', 'name', 'message_count'])
    .executeTakeFirst();
  if (chat === undefined) return false;
  await raiseArchived(tx, {
    project: chat.project,
    sessionId,
    name: chat.name,
    messages: Number(chat.message_count),
    at: archive.at,
    by,
    causedByTurn: archive.causedByTurn,
  });
  return true;
}

/** Writes the row of a copy, with the messages of the chat that it is a copy of. */
export async function forkChat(
  tx: Transaction<Tables>,
  from: SessionId,
  chat: NewChat,
  at: string,
): Promise<void> {
  await insertChat(tx, chat, at);
  await sql`insert into message(session_id, seq, turn_id, role, kind, body, bytes, created_at)
    select ${chat.sessionId}, seq, turn_id, role, kind, body, bytes, created_at from message
    where session_id = ${from}`.execute(tx);
  const source = await tx
    .selectFrom('chat')
    .select(['runtime_ref', 'fork_ref', 'instructions_hash'])
    .where('session_id', '=', from)
    .executeTakeFirst();
  await tx
    .updateTable('chat')
    .set((eb) => ({
      // A copy that has not gone on yet has no session of its own to be copied.
      fork_ref: source?.runtime_ref ?? source?.fork_ref ?? null,
      instructions_hash: source?.instructions_hash ?? null,
      message_count: eb
        .selectFrom('message')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .where('message.session_id', '=', chat.sessionId),
    }))
    .where('session_id', '=', chat.sessionId)
    .execute();
}

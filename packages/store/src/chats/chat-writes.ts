import {
  type Actor,
  actorText,
  type Capability,
  type SessionId,
  type Slug,
  type TurnId,
} from '@svc/records';
import { sql, type Transaction } from 'kysely';
import { keepText } from '../database/contents.ts';
import { only, prepared } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';
import { raiseArchived } from '../events/event-writes.ts';
import { instructionsMark } from '../turns/instructions.ts';

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
  /** Instructions in its first messages; absent for a copy, or if there are none. */
  readonly instructions?: string;
}

type ChatFacts = Omit<NewChat, 'by' | 'capability' | 'instructions'>;

interface ChatValues extends ChatFacts {
  readonly byKind: string | null;
  readonly byId: string | null;
  readonly capability: number;
  readonly hash: string | null;
  readonly spawnLimit: number;
  readonly messages: number;
  readonly at: string;
}

const insertRow = prepared((db, chat: ChatValues) =>
  db
    .insertInto('chat')
    .values({
      session_id: chat.sessionId,
      project: chat.project,
      name: chat.name,
      origin: chat.origin,
      trigger_name: chat.triggerName,
      by_kind: chat.byKind,
      by_id: chat.byId,
      capability: chat.capability,
      model: chat.model,
      runtime: chat.runtime,
      runtime_ref: null,
      forked_from: chat.forkedFrom,
      instructions_hash: chat.hash,
      depth: chat.depth,
      spawn_limit: chat.spawnLimit,
      created_at: chat.at,
      updated_at: chat.at,
      archived_at: null,
      archived_by: null,
      message_count: chat.messages,
    })
    .returning('nr')
    .compile(),
);

interface Beginning {
  /** Number of the content that holds the capability. */
  readonly capability: number;
  /** Number of its first messages, which are inserted next. */
  readonly messages: number;
  /** UTC ISO text. */
  readonly at: string;
}

/** Inserts the row of a new chat and returns its number. */
export async function insertChat(
  tx: Transaction<Tables>,
  { by, capability, instructions, ...chat }: NewChat,
  beginning: Beginning,
): Promise<number> {
  const rows = await insertRow(tx, {
    ...chat,
    byKind: by?.kind ?? null,
    byId: by?.id ?? null,
    hash: instructions === undefined ? null : instructionsMark(instructions),
    spawnLimit: capability.maxSpawnDepth,
    ...beginning,
  });
  return only(rows, `the chat ${chat.sessionId}`).nr;
}

/** Archives a chat and stores its event; false if it is already archived or does not exist. */
export async function archiveChat(
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
    .returning(['project', 'name', 'message_count', 'pruned_count'])
    .executeTakeFirst();
  if (chat === undefined) return false;
  await raiseArchived(tx, {
    project: chat.project,
    sessionId,
    name: chat.name,
    messages: Number(chat.message_count) - Number(chat.pruned_count),
    at: archive.at,
    by,
    causedByTurn: archive.causedByTurn,
  });
  return true;
}

/** Inserts the row of a copy, with the messages of the source chat. */
export async function forkChat(
  tx: Transaction<Tables>,
  from: SessionId,
  chat: NewChat,
  at: string,
): Promise<void> {
  const capability = await keepText(tx, 'capability', JSON.stringify(chat.capability));
  await insertChat(tx, chat, { capability, messages: 0, at });
  const source = await tx
    .selectFrom('chat')
    .select(['nr', 'runtime_ref', 'fork_ref', 'instructions_hash'])
    .select(['message_count', 'pruned_count'])
    .where('session_id', '=', from)
    .executeTakeFirst();
  if (source === undefined) return;
  const nr = sql`(select nr from chat where session_id = ${chat.sessionId})`;
  await sql`insert into message_ref(chat, seq, turn, content, call_id, created_at)
    select ${nr}, seq, turn, content, call_id, created_at from message_ref where chat = ${source.nr}`.execute(
    tx,
  );
  await sql`update content set refs = refs + copied.count
    from (select content, count(*) as count from message_ref where chat = ${source.nr} group by content) as copied
    where content.id = copied.content`.execute(tx);
  await tx
    .updateTable('chat')
    .set({
      // A copy without a turn of its own has no session that could be copied.
      fork_ref: source.runtime_ref ?? source.fork_ref,
      instructions_hash: source.instructions_hash,
      message_count: source.message_count,
      pruned_count: source.pruned_count,
    })
    .where('session_id', '=', chat.sessionId)
    .execute();
}

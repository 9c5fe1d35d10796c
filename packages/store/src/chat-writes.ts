import {
  type Actor,
  actorText,
  type Capability,
  type SessionId,
  type Slug,
  type TurnId,
} from '@svc/records';
import { sql, type Transaction } from 'kysely';
import { raiseArchived } from './event-writes.ts';
import { textHash } from './instructions.ts';
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

/** Archives a chat and raises its event; false when it was archived already or is unknown. */
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

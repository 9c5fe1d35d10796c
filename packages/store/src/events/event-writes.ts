import { newId } from '@svc/core';
import type { EventName, SessionId, Slug, TurnId } from '@svc/records';
import type { Transaction } from 'kysely';
import type { Tables } from '../database/schema.ts';

interface ArchivedChat {
  readonly project: Slug;
  readonly sessionId: SessionId;
  readonly name: string;
  readonly messages: number;
  /** UTC ISO text. */
  readonly at: string;
  readonly by: string;
  readonly causedByTurn: TurnId | null;
}

/** Stores the event of an archived chat, unless the turn that archived it was started by an event. */
export async function raiseArchived(tx: Transaction<Tables>, chat: ArchivedChat): Promise<void> {
  const { project, sessionId, name, messages, at, by, causedByTurn } = chat;
  if (causedByTurn !== null && (await isOfEvent(tx, causedByTurn))) return;
  const payload = { sessionId, name, archivedAt: at, archivedBy: by, messages };
  await insertEvent(tx, { kind: 'onArchive', project, sessionId, payload, causedByTurn, at });
}

interface EndedTurn {
  readonly id: TurnId;
  readonly project: Slug;
  readonly sessionId: SessionId;
  readonly depth: number;
  readonly parentTurn: TurnId | null;
  /** UTC ISO text. */
  readonly at: string;
}

/** Stores the event of a turn that a person or a client started in a chat without a trigger. Other turns have no event. */
export async function raiseTurnEnded(tx: Transaction<Tables>, turn: EndedTurn): Promise<void> {
  const { id, project, sessionId, depth, parentTurn, at } = turn;
  if (parentTurn !== null || depth !== 0) return;
  const chat = await tx
    .selectFrom('chat')
    .select('name')
    .where('session_id', '=', sessionId)
    .where('origin', '<>', 'trigger')
    .executeTakeFirst();
  if (chat === undefined) return;
  const payload = { turnId: id, name: chat.name };
  await insertEvent(tx, { kind: 'afterTurn', project, sessionId, payload, causedByTurn: id, at });
}

/** Whether a turn was started by an event, directly or through other turns. */
export async function isOfEvent(tx: Transaction<Tables>, id: TurnId): Promise<boolean> {
  const row = await tx
    .selectFrom('turn')
    .select('of_event')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.of_event === 1;
}

interface NewEvent {
  readonly kind: EventName;
  readonly project: Slug;
  readonly sessionId: SessionId;
  readonly payload: unknown;
  readonly causedByTurn: TurnId | null;
  readonly at: string;
}

async function insertEvent(tx: Transaction<Tables>, event: NewEvent): Promise<void> {
  await tx
    .insertInto('event')
    .values({
      id: newId(),
      kind: event.kind,
      project: event.project,
      session_id: event.sessionId,
      payload: JSON.stringify(event.payload),
      caused_by_turn: event.causedByTurn,
      created_at: event.at,
      dispatched_at: null,
    })
    .execute();
}

import type { TurnId } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import { isThere } from '../cluster/nodes.ts';
import type { Tables } from '../database/schema.ts';
import type { TurnTicket } from './fair-queue.ts';
import { openTurns } from './open-turns.ts';

/**
 * Takes the turn that has waited longest, of the project with the fewest taken turns; null if none may start now. Only
 * one process writes at a time, so the limit is exact for any number of servers.
 */
export async function takeTurn(
  db: Kysely<Tables>,
  node: string,
  perProject: number,
): Promise<TurnTicket | null> {
  // A first look without a write transaction, which would block other writers.
  if ((await nextTurn(db, perProject)) === null) return null;
  return db.transaction().execute(async (tx) => {
    const next = await nextTurn(tx, perProject);
    if (next === null) return null;
    return (await takeOut(tx, node, next.id)) ? next : null;
  });
}

async function nextTurn(db: Kysely<Tables>, perProject: number): Promise<TurnTicket | null> {
  const { rows } = await sql<TurnTicket>`
    with taken as (
      select project, session_id from turn where state <> 'ended' and owner_node is not null
    ), busy as (
      select project, count(*) as turns from taken group by project
    )
    select turn.id as id, turn.project as project, turn.session_id as "sessionId"
    from turn left join busy on busy.project = turn.project
    where turn.state <> 'ended' and turn.state = 'queued' and turn.owner_node is null
      and coalesce(busy.turns, 0) < ${perProject} and turn.session_id not in (select session_id from taken)
    order by coalesce(busy.turns, 0), turn.nr limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Takes a queued turn regardless of limits, so that no server starts it; false if it is no longer queued. */
export async function takeOut(db: Kysely<Tables>, node: string, id: TurnId): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('turn')
    .set({ owner_node: node })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('owner_node', 'is', null)
    .where(isThere(node))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Queues a turn again that was taken and not started. */
export async function putBack(db: Kysely<Tables>, node: string, id: TurnId): Promise<void> {
  await db
    .updateTable('turn')
    .set({ owner_node: null })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('owner_node', '=', node)
    .execute();
}

/** Turns that a server has taken and not started. */
export async function readTaken(db: Kysely<Tables>, node: string): Promise<TurnId[]> {
  const rows = await openTurns(db, 'queued').select('id').where('owner_node', '=', node).execute();
  return rows.map(({ id }) => id);
}

/** Those of the given turns with a request to stop, and who made it. */
export async function readUnwanted(
  db: Kysely<Tables>,
  ids: readonly TurnId[],
): Promise<{ id: TurnId; by: string | null }[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('turn')
    .select(['id', 'cancel_by'])
    .where('id', 'in', ids)
    .where('cancel_requested_at', 'is not', null)
    .execute();
  return rows.map((row) => ({ id: row.id, by: row.cancel_by }));
}

/** Number of queued turns that no server has taken. */
export async function countWaiting(db: Kysely<Tables>): Promise<number> {
  const { count } = await openTurns(db, 'queued')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_node', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

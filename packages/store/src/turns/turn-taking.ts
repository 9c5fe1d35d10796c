import type { TurnId } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import { isThere } from '../cluster/nodes.ts';
import type { Tables } from '../database/schema.ts';
import type { TurnTicket } from './fair-queue.ts';
import { openTurns } from './open-turns.ts';

/**
 * Gives a process the turn that has waited longest, of the project that has the fewest taken; null where none may be started
 * now. One at a time writes to a database, so that the limit holds exactly, however many processes ask.
 */
export async function takeTurn(
  db: Kysely<Tables>,
  node: string,
  perProject: number,
): Promise<TurnTicket | null> {
  // Whoever finds nothing has kept nobody from writing.
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

/** Takes one turn that waits, whatever the limits, so that nobody starts it; false where it does not wait any more. */
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

/** Has a turn that was taken and not started wait again. */
export async function putBack(db: Kysely<Tables>, node: string, id: TurnId): Promise<void> {
  await db
    .updateTable('turn')
    .set({ owner_node: null })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('owner_node', '=', node)
    .execute();
}

/** Turns that a process has taken and that are not started. */
export async function readTaken(db: Kysely<Tables>, node: string): Promise<TurnId[]> {
  const rows = await openTurns(db, 'queued').select('id').where('owner_node', '=', node).execute();
  return rows.map(({ id }) => id);
}

/** Of these turns those that somebody wants stopped, with who it is. */
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

/** How many turns wait that nobody has taken. */
export async function countWaiting(db: Kysely<Tables>): Promise<number> {
  const { count } = await openTurns(db, 'queued')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_node', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

import { type Kysely, sql } from 'kysely';
import type { TurnTicket } from './fair-queue.ts';
import type { Tables } from './schema.ts';

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
    await tx.updateTable('turn').set({ owner_node: node }).where('id', '=', next.id).execute();
    return next;
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

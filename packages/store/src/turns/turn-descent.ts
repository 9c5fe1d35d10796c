import type { RunId, Slug, TurnId } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';

// For each unfinished turn, follows the turns that started it up to one that belongs to a run.
const OF_TRIGGERS = sql<{ id: TurnId }>`
  with recursive line(id, parent, run) as (
    select id, parent_turn, run_id from turn where state <> 'ended'
    union
    select line.id, turn.parent_turn, turn.run_id from line join turn on turn.id = line.parent
  )
  select distinct id from line where run is not null order by id`;

/** Queued and running turns of triggers, and turns that they started directly or indirectly. */
export async function readOfTriggers(db: Kysely<Tables>): Promise<readonly TurnId[]> {
  const { rows } = await OF_TRIGGERS.execute(db);
  return rows.map(({ id }) => id);
}

/** The run that a turn descends from, if the turn that started it has ended; null otherwise. */
export async function readLeftBy(
  db: Kysely<Tables>,
  id: TurnId,
): Promise<{ readonly project: Slug; readonly runId: RunId } | null> {
  const { rows } = await sql<{ project: Slug; runId: RunId }>`
    with recursive line(parent, run, project) as (
      select parent.parent_turn, parent.run_id, parent.project
      from turn join turn as parent on parent.id = turn.parent_turn
      where turn.id = ${id} and turn.run_id is null and parent.state = 'ended'
      union all
      select turn.parent_turn, turn.run_id, turn.project
      from line join turn on turn.id = line.parent
      where line.run is null
    )
    select project, run as "runId" from line where run is not null limit 1`.execute(db);
  return rows[0] ?? null;
}

import type { EndedRun, RunOutcome, Source } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** Ended runs without an alert so far, ordered by id. */
export async function readPendingRuns(
  db: Kysely<Tables>,
  most: number,
): Promise<readonly EndedRun[]> {
  const rows = await db
    .selectFrom('run')
    // A pause starts at the end of the run that caused it.
    .leftJoin('trigger_state as state', (join) =>
      join
        .onRef('state.project', '=', 'run.project')
        .onRef('state.source', '=', 'run.source')
        .onRef('state.name', '=', 'run.name')
        .onRef('state.paused_at', '=', 'run.ended_at'),
    )
    .select(['run.id', 'run.project', 'run.source', 'run.name', 'run.outcome', 'run.reason'])
    .select(['run.ended_at', 'run.slot_count', 'state.paused_reason'])
    // A literal, so that the partial index applies.
    .where('run.state', '=', sql.lit('ended'))
    .where('run.notified', '=', sql.lit(0))
    .orderBy('run.id')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    project: row.project,
    source: row.source as Source,
    trigger: row.name,
    outcome: row.outcome as RunOutcome,
    reason: row.reason,
    endedAt: Date.parse(row.ended_at ?? ''),
    slots: Number(row.slot_count),
    pausedReason: row.paused_reason,
  }));
}

import type { Run, RunId, Slug } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** The least that there is to know of a run. */
export interface RecentRun {
  readonly id: RunId;
  readonly state: Run['state'];
  readonly outcome: Run['outcome'];
  /** Why it did not succeed, its first 300 characters; null where it did, or goes on. */
  readonly reason: string | null;
  /** When it was due; without a slot, when it was claimed. */
  readonly at: string;
}

/** The newest runs of every trigger of a project, newest first, by `source/name`, in one query. */
export async function readRecent(
  db: Kysely<Tables>,
  project: Slug,
  most: number,
): Promise<ReadonlyMap<string, readonly RecentRun[]>> {
  // Every trigger with a run has a state; from there each one's end of the index is read, and no more of it.
  const { rows } = await sql<RecentRun & { readonly of: string }>`
    select run.source || '/' || run.name as "of", run.id, run.state, run.outcome,
      case run.outcome when 'succeeded' then null else substr(run.reason, 1, 300) end as reason,
      coalesce(run.scheduled_for, run.claimed_at) as at
    from trigger_state as known cross join run
    where known.project = ${project} and known.last_run_id is not null
      and run.project = known.project and run.source = known.source and run.name = known.name
      and run.id >= coalesce((select id from run as older
        where older.project = known.project and older.source = known.source and older.name = known.name
        order by id desc limit 1 offset ${most - 1}), '')`.execute(db);
  const found = new Map<string, RecentRun[]>();
  for (const { of, ...run } of rows) {
    const others = found.get(of);
    if (others === undefined) found.set(of, [run]);
    else others.push(run);
  }
  // Cheaper than having all of them sorted at once.
  for (const runs of found.values()) runs.sort((a, b) => (a.id < b.id ? 1 : -1));
  return found;
}

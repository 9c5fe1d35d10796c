import { isoTime } from '@svc/core';
import { FAILURE_OUTCOMES, type Source } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import type { RunSum } from './alert-rows.ts';
import type { Tables } from './schema.ts';

// Ids sort by the time of the claim, and nothing waits and runs for longer.
const LONGEST_MS = 14 * 86_400_000;

/** What the runs of each trigger came to that ended from one instant until before another. */
export async function readRunSums(
  db: Kysely<Tables>,
  from: number,
  to: number,
): Promise<readonly RunSum[]> {
  const failures = sql.join(FAILURE_OUTCOMES.map((outcome) => sql.lit(outcome)));
  const rows = await db
    .selectFrom('run')
    .select(['project', 'source', 'name'])
    .select([
      sql<number>`sum(turn_id is not null)`.as('runs'),
      sql<number>`sum(outcome in (${failures}))`.as('failures'),
      sql<number>`sum(case when outcome = 'missed' then max(slot_count, 1) else 0 end)`.as(
        'missed',
      ),
      sql<number>`sum(case when outcome like 'skipped%' then max(slot_count, 1) else 0 end)`.as(
        'skipped',
      ),
      sql<number | null>`sum(cost_microusd)`.as('cost'),
    ])
    .where('id', '>=', lowestIdAt(from - LONGEST_MS))
    .where('state', '=', 'ended')
    .where('ended_at', '>=', isoTime(from))
    .where('ended_at', '<', isoTime(to))
    .groupBy(['project', 'source', 'name'])
    .execute();
  return rows.map((row) => ({
    ...{ project: row.project, source: row.source as Source, trigger: row.name },
    ...{ runs: Number(row.runs), failures: Number(row.failures) },
    ...{ missed: Number(row.missed), skipped: Number(row.skipped) },
    costMicrousd: row.cost === null ? null : Number(row.cost),
  }));
}

// The first 48 bits of an id are milliseconds.
function lowestIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

import { localDay } from '@svc/core';
import { FAILURE_OUTCOMES, type RunOutcome, type TriggerKey } from '@svc/records';
import { type Kysely, sql, type Transaction } from 'kysely';
import { ofKey } from '../claims/trigger-columns.ts';
import type { Tables } from '../database/schema.ts';
import type { RunSum } from './alert-rows.ts';

const FAILURES: readonly RunOutcome[] = FAILURE_OUTCOMES;

type Column = 'failures' | 'missed' | 'skipped';

function columnOf(outcome: RunOutcome): Column | null {
  if (FAILURES.includes(outcome)) return 'failures';
  if (outcome === 'missed') return 'missed';
  return outcome.startsWith('skipped_') ? 'skipped' : null;
}

/** The outcome of one or more slots. */
export interface CountedOutcome {
  readonly key: TriggerKey;
  readonly outcome: RunOutcome;
  readonly slots: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Counts unsuccessful outcomes per day, in the time zone of the host. Rows of runs cannot answer this: consecutive
 * slots of different days share one row, and old rows are removed.
 */
export async function countOutcome(
  tx: Transaction<Tables>,
  { key: { project, source, name }, outcome, slots, at }: CountedOutcome,
): Promise<void> {
  const column = columnOf(outcome);
  if (column === null) return;
  const count = column === 'failures' ? 1 : Math.max(1, slots);
  await tx
    .insertInto('outcome_day')
    .values({ day: localDay(at), project, source, name, [column]: count })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'project', 'source', 'name'])
        .doUpdateSet({ [column]: sql`${sql.ref(`outcome_day.${column}`)} + ${count}` }),
    )
    .execute();
}

/** Subtracts what was counted for slots that occur again after the clock was set back. */
export async function uncountOutcome(
  tx: Transaction<Tables>,
  { key, outcome, slots, at }: CountedOutcome,
): Promise<void> {
  const column = columnOf(outcome);
  if (column === null) return;
  const left = sql<number>`case when ${sql.ref(column)} > ${slots} then ${sql.ref(column)} - ${slots} else 0 end`;
  const day = tx
    .updateTable('outcome_day')
    .set({ [column]: left })
    .where('day', '=', localDay(at));
  await ofKey(day, key).execute();
}

/** Outcomes of each trigger on the days from `from` (inclusive) to `to` (exclusive). */
export async function readOutcomes(
  db: Kysely<Tables>,
  from: string,
  to: string,
): Promise<readonly RunSum[]> {
  const { rows } = await sql<RunSum>`
    select project, source, name as trigger, sum(runs) as runs, sum(failures) as failures, sum(missed) as missed,
      sum(skipped) as skipped, sum(cost) as "costMicrousd"
    from (
      select project, source, name, runs, 0 as failures, 0 as missed, 0 as skipped, cost_microusd as cost
      from usage_day where day >= ${from} and day < ${to} and source <> 'chat'
      union all
      select project, source, name, 0, failures, missed, skipped, null
      from outcome_day where day >= ${from} and day < ${to}) as both_tables
    group by project, source, name`.execute(db);
  return rows;
}

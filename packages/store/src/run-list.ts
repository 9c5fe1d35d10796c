import type { Run, RunId, RunOutcome, Slug } from '@svc/records';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { runOf } from './records.ts';
import type { Tables } from './schema.ts';

/** Which runs to list. */
export interface RunFilter {
  readonly trigger?: string;
  /** Only runs that ended in one of these ways. */
  readonly outcomes?: readonly RunOutcome[];
  /** Only runs claimed at or after this instant (UTC ISO text). */
  readonly from?: string;
  /** What a previous page gave as `next`. */
  readonly cursor?: RunId;
  /** At most so many, 1 to 500. */
  readonly limit: number;
}

/** Runs of a project, newest first; `next` goes into `cursor`. */
export async function listRuns(
  db: Kysely<Tables>,
  project: Slug,
  filter: RunFilter,
): Promise<{ runs: Run[]; next: RunId | null }> {
  const rows = await db
    .selectFrom('run')
    .selectAll()
    .where('id', 'in', newestIds(project, filter))
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute();
  const page = rows.slice(0, filter.limit);
  const more = rows.length > filter.limit;
  return { runs: page.map(runOf), next: more ? (page.at(-1)?.id ?? null) : null };
}

const SOURCES = ['trigger', 'schedule'] as const;

// One end of one index for each source and outcome: together they hold the newest, and none reads what it does not tell.
function newestIds(project: Slug, filter: RunFilter): RawBuilder<RunId> {
  const { trigger, outcomes, from, cursor, limit } = filter;
  const always = [
    sql`project = ${project}`,
    ...(from === undefined ? [] : [sql`claimed_at >= ${from}`]),
    ...(cursor === undefined ? [] : [sql`id < ${cursor}`]),
  ];
  const named =
    trigger === undefined
      ? [[]]
      : SOURCES.map((source) => [sql`source = ${source} and name = ${trigger}`]);
  const ended = outcomes === undefined ? [[]] : [...new Set(outcomes)].map((one) => [isEnd(one)]);
  const branches = named.flatMap((some) =>
    ended.map((others) => {
      const where = sql.join([...always, ...some, ...others], sql` and `);
      return sql`select * from (select id from run where ${where} order by id desc limit ${limit + 1}) as newest`;
    }),
  );
  return sql<RunId>`(${sql.join(branches, sql` union all `)})`;
}

// In words, so that the index of runs that did not succeed serves.
function isEnd(outcome: RunOutcome): RawBuilder<unknown> {
  return outcome === 'succeeded'
    ? sql`outcome = ${outcome}`
    : sql`outcome = ${outcome} and outcome <> 'succeeded'`;
}

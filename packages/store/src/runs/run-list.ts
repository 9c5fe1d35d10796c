import type { Run, RunId, RunOutcome, Slug } from '@svc/records';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { runOf } from '../database/records.ts';
import type { RunRow, Tables } from '../database/schema.ts';

/** Which runs to list. */
export interface RunFilter {
  readonly trigger?: string;
  /** Only runs with one of these outcomes. */
  readonly outcomes?: readonly RunOutcome[];
  /** Only runs claimed at or after this instant (UTC ISO text). */
  readonly from?: string;
  /** `next` of the previous page. */
  readonly cursor?: RunId;
  /** Maximum number, 1 to 500. */
  readonly limit: number;
}

/** Runs of a project, newest first; pass `next` as `cursor`. */
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

/** Which runs of all projects to list; `slugs` are the visible projects. */
export interface AllRunsFilter extends Omit<RunFilter, 'trigger'> {
  readonly slugs: ReadonlySet<Slug>;
}

const LEAST_READ = 100;
const MOST_READ = 5_000;

/**
 * Runs of many projects, newest first; pass `next` as `cursor`. If most runs are not visible, a page may have fewer
 * than `limit` although there is a `next`.
 */
export async function listAllRuns(
  db: Kysely<Tables>,
  { slugs, limit, ...filter }: AllRunsFilter,
): Promise<{ runs: Run[]; next: RunId | null }> {
  const runs: Run[] = [];
  const batch = Math.max(limit + 1, LEAST_READ);
  let cursor = filter.cursor;
  for (let read = 0; read < MOST_READ; ) {
    const rows = await newestOfAll(db, { ...filter, cursor, limit: batch });
    for (const row of rows) {
      if (runs.length === limit) return { runs, next: cursor ?? null };
      if (slugs.has(row.project)) runs.push(runOf(row));
      cursor = row.id;
    }
    if (rows.length < batch) return { runs, next: null };
    read += rows.length;
  }
  return { runs, next: cursor ?? null };
}

interface NewestOfAll {
  readonly outcomes?: readonly RunOutcome[] | undefined;
  readonly from?: string | undefined;
  readonly cursor: RunId | undefined;
  readonly limit: number;
}

// Ids are in the order of claims, so the primary key applies, or the index of unsuccessful runs, which is also by id.
function newestOfAll(
  db: Kysely<Tables>,
  { outcomes, from, cursor, limit }: NewestOfAll,
): Promise<RunRow[]> {
  let query = db.selectFrom('run').selectAll().orderBy('id', 'desc').limit(limit);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  if (from !== undefined) query = query.where('claimed_at', '>=', from);
  if (outcomes !== undefined) query = query.where('outcome', 'in', [...outcomes]);
  if (outcomes !== undefined && !outcomes.includes('succeeded')) {
    query = query.where('outcome', '<>', sql.lit('succeeded'));
  }
  return query.execute();
}

const SOURCES = ['trigger', 'schedule'] as const;

// Reads one end of one index for each source and outcome; together they contain the newest runs.
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

// Literals, so that the index of unsuccessful runs applies.
function isEnd(outcome: RunOutcome): RawBuilder<unknown> {
  return outcome === 'succeeded'
    ? sql`outcome = ${outcome}`
    : sql`outcome = ${outcome} and outcome <> 'succeeded'`;
}

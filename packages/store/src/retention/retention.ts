import { isoTime } from '@svc/core';
import { FAILURE_OUTCOMES, type RunId, type Slug, type TriggerKey } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import { ofKey } from '../claims/trigger-columns.ts';
import { isEmbedded } from '../database/dialect.ts';
import type { Tables } from '../database/schema.ts';
import { firstIdAt, pruneRuns } from './pruning.ts';
import type { PrunedStep, PruningPlace, RetentionRule } from './retention-rule.ts';

/** Removed runs of a trigger. */
export interface PrunedRuns {
  readonly count: number;
  /** Claim time of the newest of them (UTC ISO text). */
  readonly until: string;
}

/** Size of the database, in bytes. */
export interface DatabaseSize {
  readonly bytes: number;
  /** Unused part. */
  readonly free: number;
}

/** Position in the list of triggers, and how many to examine. */
export interface LookPlace {
  readonly after: TriggerKey | null;
  readonly limit: number;
}

/** Result of examining triggers. */
export interface LookedAt {
  /** Triggers that may have runs to remove. */
  readonly due: readonly TriggerKey[];
  /** The last examined trigger; null at the end. */
  readonly last: TriggerKey | null;
}

/** Removes old runs with their transcripts, in small steps. */
export interface Retention {
  /** Examines some triggers in order of names, including removed ones. */
  look(rule: Pick<RetentionRule, 'runs' | 'since'>, place: LookPlace): Promise<LookedAt>;
  /** Where pruning of a trigger starts. */
  place(key: TriggerKey, rule: RetentionRule): Promise<PruningPlace>;
  /** Examines up to `limit` runs, and removes those that the rule does not keep, in one transaction. */
  prune(
    key: TriggerKey,
    rule: RetentionRule,
    place: PruningPlace,
    limit: number,
  ): Promise<PrunedStep>;
  /** Removed runs of a trigger name, or of the whole project; null if there are none. */
  pruned(project: Slug, trigger?: string): Promise<PrunedRuns | null>;
  /** Whether something with this id may have been removed from a project. */
  mayHaveHad(project: Slug, id: string): Promise<boolean>;
  size(): Promise<DatabaseSize>;
  /** Returns up to `bytes` unused bytes to the disk; false if there are none, or a server manages its own space. */
  shrink(bytes: number): Promise<boolean>;
  /** Moves the content of the log into the database file. */
  settle(): Promise<void>;
}

export function createRetention(db: Kysely<Tables>): Retention {
  return {
    look: (rule, place) => lookAtTriggers(db, rule, place),
    async place(key, { runs, keepsFailure, now }) {
      const surplus = runs === null ? null : await readSurplus(db, key, runs, now);
      const failure = keepsFailure ? await readNewestFailure(db, key, now) : null;
      return { surplus, failure, after: null };
    },
    prune: (key, rule, place, limit) =>
      db.transaction().execute((tx) => pruneRuns(tx, key, rule, { place, limit })),
    async pruned(project, trigger) {
      const row = await db
        .selectFrom('trigger_state')
        .select(({ fn }) => [
          fn.sum<number>('pruned_runs').as('count'),
          fn.max('pruned_until').as('until'),
        ])
        .where('project', '=', project)
        .where('pruned_runs', '>', 0)
        .$if(trigger !== undefined, (query) => query.where('name', '=', trigger ?? ''))
        .executeTakeFirst();
      if (row === undefined || row.until === null) return null;
      return { count: Number(row.count), until: row.until };
    },
    async mayHaveHad(project, id) {
      const query = db.selectFrom('trigger_state').select('name').where('project', '=', project);
      return (await query.where('pruned_id', '>=', id).limit(1).executeTakeFirst()) !== undefined;
    },
    size: () => readSize(db),
    async shrink(bytes) {
      if (!isEmbedded(db)) return false;
      const { free } = await readSize(db);
      if (free === 0) return false;
      const pages = Math.max(1, Math.floor(bytes / (await pragma(db, 'page_size'))));
      await sql.raw(`pragma incremental_vacuum(${pages})`).execute(db);
      const left = await readSize(db);
      return left.free > 0 && left.free < free;
    },
    async settle() {
      if (!isEmbedded(db)) return;
      await sql.raw('pragma wal_checkpoint(truncate)').execute(db);
    },
  };
}

/** Every trigger with a run has a state; for most of them only the end of an index is read. */
async function lookAtTriggers(
  db: Kysely<Tables>,
  { runs, since }: Pick<RetentionRule, 'runs' | 'since'>,
  { after, limit }: LookPlace,
): Promise<LookedAt> {
  const ended = sql`run.project = known.project and run.source = known.source
    and run.name = known.name and run.outcome is not null`;
  const isMany =
    runs === null
      ? sql`1 = 0`
      : sql`exists (select 1 from run where ${ended} order by run.id desc limit 1 offset ${runs})`;
  const isOld =
    since === null
      ? sql`1 = 0`
      : sql`exists (select 1 from run where ${ended} and run.id <= ${firstIdAt(since)})`;
  const { project, source, name } = after ?? { project: '', source: '', name: '' };
  const { rows } = await sql<TriggerKey & { isDue: number }>`
    select known.project, known.source, known.name, (${isMany} or ${isOld}) as "isDue"
    from trigger_state as known
    where (known.project, known.source, known.name) > (${project}, ${source}, ${name})
    order by known.project, known.source, known.name limit ${limit}`.execute(db);
  const keys = rows.map(({ isDue, ...key }) => ({ key, isDue: isDue === 1 }));
  return {
    due: keys.filter(({ isDue }) => isDue).map(({ key }) => key),
    last: keys.length < limit ? null : (keys.at(-1)?.key ?? null),
  };
}

// Runs from while the clock was ahead have later ids than current ones, and do not count toward the maximum.
async function readSurplus(
  db: Kysely<Tables>,
  key: TriggerKey,
  kept: number,
  now: number,
): Promise<RunId | null> {
  const all = db.selectFrom('run').select('id').where('claimed_at', '<=', isoTime(now));
  const ended = ofKey(all.where('outcome', 'is not', null), key);
  const row = await ended.orderBy('id', 'desc').limit(1).offset(kept).executeTakeFirst();
  return row?.id ?? null;
}

const FAILED = sql.raw(FAILURE_OUTCOMES.map((outcome) => `'${outcome}'`).join(', '));

// Without the named index SQLite would scan all runs of a trigger that has never failed.
async function readNewestFailure(
  db: Kysely<Tables>,
  { project, source, name }: TriggerKey,
  now: number,
): Promise<RunId | null> {
  const index = isEmbedded(db) ? sql`indexed by run_failed` : sql``;
  const { rows } = await sql<{ id: RunId }>`
    select id from run ${index}
    where project = ${project} and source = ${source} and name = ${name} and outcome in (${FAILED})
      and claimed_at <= ${isoTime(now)}
    order by id desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

async function pragma(db: Kysely<Tables>, name: string): Promise<number> {
  const { rows } = await sql.raw<Record<string, number>>(`pragma ${name}`).execute(db);
  return Number(rows[0]?.[name] ?? 0);
}

async function readSize(db: Kysely<Tables>): Promise<DatabaseSize> {
  if (!isEmbedded(db)) return readServerSize(db);
  const page = await pragma(db, 'page_size');
  const pages = await pragma(db, 'page_count');
  return { bytes: pages * page, free: (await pragma(db, 'freelist_count')) * page };
}

// The server reuses its free space, so there is nothing to return.
async function readServerSize(db: Kysely<Tables>): Promise<DatabaseSize> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database()) as bytes`.execute(db);
  return { bytes: rows[0]?.bytes ?? 0, free: 0 };
}

const MOST_BYTES_MADE_ANEW = 1024 ** 3;
const INCREMENTAL = 2;

/**
 * Converts a file of an earlier version so that it can return space in small steps. This rewrites it once, and is
 * skipped if that would take long. Returns the size before and after; null if nothing was done.
 */
export async function makeShrinkable(
  db: Kysely<Tables>,
): Promise<{ readonly before: number; readonly after: number } | null> {
  if ((await pragma(db, 'auto_vacuum')) === INCREMENTAL) return null;
  const { bytes, free } = await readSize(db);
  if (bytes - free > MOST_BYTES_MADE_ANEW) return null;
  await sql.raw(`pragma auto_vacuum=incremental`).execute(db);
  await sql.raw('vacuum').execute(db);
  await sql.raw('pragma wal_checkpoint(truncate)').execute(db);
  return { before: bytes, after: (await readSize(db)).bytes };
}

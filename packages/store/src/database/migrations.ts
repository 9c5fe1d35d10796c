import type { Logger } from '@svc/core';
import { type Kysely, type Migration, type MigrationProvider, Migrator, sql } from 'kysely';
import { StoreError } from '../errors.ts';
import { isEmbedded, type SchemaWords, schemaWordsOf } from './dialect.ts';
import type { Tables } from './schema.ts';

/** Migration steps by name; the names are in order. */
export type Steps = Readonly<Record<string, Migration>>;

// Steps since both databases have the same schema. Each step is written once, with the SQL fragments of
// `schemaWordsOf(db)`.
export const COMMON: Steps = {
  '016_nodes': stepOf(({ text }) => [
    `alter table node add column host ${text}`,
    `alter table node add column gone_at ${text}`,
    'create index node_there on node(id) where gone_at is null',
  ]),
  '017_node_traits': stepOf(({ text }) => [`alter table node add column traits ${text}`]),
  '018_gone_nodes': stepOf(({ text, integer }) => [
    `alter table node add column url ${text}`,
    `alter table node add column home ${text}`,
    `alter table node add column buried_by ${text}`,
    `alter table node add column projects ${integer}`,
    'create index node_gone on node(gone_at) where gone_at is not null',
  ]),
  '019_runs_of_all': stepOf(() => [
    `create index run_not_succeeded_by_id on run(id) where outcome <> 'succeeded'`,
  ]),
  '020_run_tool_errors': stepOf(({ integer }) => [
    `alter table run add column tool_errors ${integer}`,
  ]),
  '021_bound_at': stepOf(({ text }) => [`alter table trigger_bound add column bound_at ${text}`]),
  '022_plain_names': stepOf([
    'alter table said rename to message_ref',
    'alter table alert_told rename to alert_state',
    'alter table alert_state rename column told_at to notified_at',
    'alter table run rename column told to notified',
    'alter table node rename column buried_by to evicted_by',
  ]),
  '023_arming_cache': stepOf([
    'drop table kept_file',
    'alter table kept_arming rename to arming_cache',
  ]),
  '024_run_sandbox': stepOf(({ text }) => [
    `alter table run add column sandbox ${text}`,
    `alter table run add column network ${text}`,
  ]),
};

// Steps after which earlier versions no longer work with the database.
const BREAKING: readonly string[] = ['022_plain_names'];

// A server that has sent no heartbeat for this long is no longer running.
const SILENT_SECONDS = 60;

/** A step that runs statements, given as a list or as a function of the SQL fragments, and then converts existing data. */
export function stepOf(
  statements: readonly string[] | ((words: SchemaWords) => readonly string[]),
  convert?: (db: Kysely<Tables>) => Promise<void>,
): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const all = typeof statements === 'function' ? statements(schemaWordsOf(db)) : statements;
      for (const statement of all) await sql.raw(statement).execute(db);
      await convert?.(db as Kysely<Tables>);
    },
  };
}

/**
 * Migrates a database to the schema of this version.
 *
 * @param logger logs before anything is changed.
 * @param earlier the steps of this kind of database, up to the common ones.
 * @param keep saves a copy of a database with content before the migration to the step of this name, and returns its
 * path. Default: no copy.
 * @throws StoreError `newer_schema` if a later version has written the database; `older_schema` if a version before
 * 0.1.0 has; `in_use` if a step renames what
 * running servers of an earlier version still use.
 */
export async function migrate(
  db: Kysely<Tables>,
  logger: Logger,
  earlier: Steps,
  keep?: (to: string) => Promise<string>,
): Promise<void> {
  const provider: MigrationProvider = { getMigrations: async () => ({ ...earlier, ...COMMON }) };
  const migrator = new Migrator({ db, provider });
  const steps = await missingSteps(migrator);
  requireReleased(steps, earlier);
  const newest = steps.at(-1);
  if (newest !== undefined) {
    if (!isEmbedded(db) && BREAKING.some((step) => steps.includes(step))) await requireAlone(db);
    const copy = (await keep?.(newest)) ?? null;
    // It may take a while, during which the service does not respond.
    logger.info({ steps, copy }, 'migrating database schema');
  }
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const text = error instanceof Error ? error.message : String(error);
  if (/corrupted migrations/i.test(text)) {
    throw new StoreError(
      'newer_schema',
      newerSchemaText(isEmbedded(db) ? 'home folder' : 'database'),
      { cause: error },
    );
  }
  throw error;
}

// Only a version before the first release left some of the earlier steps out, and had none of the common ones.
function requireReleased(missing: readonly string[], earlier: Steps): void {
  const first = Object.keys(earlier);
  const isPartial =
    first.some((step) => missing.includes(step)) && !missing.includes(first[0] ?? '');
  if (!isPartial || !Object.keys(COMMON).every((step) => missing.includes(step))) return;
  throw new StoreError(
    'older_schema',
    'The database was written by a version before 0.1.0. Start it once with svc 0.1.0, then with this version.',
  );
}

// Servers of an earlier version would fail while they run.
async function requireAlone(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from node where serving_from is not null and stopped_at is null and heartbeat_at > to_char(
      (clock_timestamp() - make_interval(secs => ${SILENT_SECONDS})) at time zone 'utc',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.execute(db);
  const [first] = rows;
  if (first === undefined) return;
  throw new StoreError(
    'in_use',
    `Servers of an earlier version of svc use the database (${first.id}${rows.length > 1 ? ' and others' : ''}). Stop them, then start this version; a killed server counts for ${SILENT_SECONDS} s.`,
  );
}

/**
 * Whether a later version has written a database.
 *
 * @param names the applied steps.
 * @param earlier the steps of this kind of database, up to the common ones
 */
export function isNewerSchema(names: readonly string[], earlier: Steps): boolean {
  return names.some((name) => !(name in earlier || name in COMMON));
}

/** The error for a database with steps that this version does not have. */
export function newerSchemaText(instead: 'home folder' | 'database'): string {
  return `The database was written by a newer version of svc. Start that version, or use another ${instead}.`;
}

// Empty for an empty database.
async function missingSteps(migrator: Migrator): Promise<readonly string[]> {
  const known = await migrator.getMigrations();
  const missing = known.filter(({ executedAt }) => executedAt === undefined);
  return missing.length === known.length ? [] : missing.map(({ name }) => name);
}

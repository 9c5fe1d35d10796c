import { type Clock, isoTime, type Logger } from '@svc/core';
import { Kysely, sql, type Transaction } from 'kysely';
import { FOLDER_KEYS } from '../cluster/projects-folder.ts';
import type { Tables } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { openRows, type StoredRows } from '../sqlite/sqlite-rows.ts';
import { openStore } from '../store.ts';

/** Source and target of a copy. */
export interface CopyOptions {
  /** File of an embedded database that no process has open. */
  readonly file: string;
  /** Address of an empty PostgreSQL database. */
  readonly url: string;
  /** Name of the setting with the address, for errors. Default: `database.url`. */
  readonly setting?: string | undefined;
  /** Version of svc. */
  readonly version: string;
  /** Called after every few hundred rows. Default: none. */
  readonly onProgress?: (progress: { readonly table: string; readonly rows: number }) => void;
}

/** Result of a copy. */
export interface CopiedStore {
  /** False if the server already had a copy of this database. */
  readonly isNew: boolean;
  /** Number of copied rows by table, or, if the server already had them, of existing rows. */
  readonly rows: Readonly<Record<string, number>>;
}

type Table = Exclude<keyof Tables, 'message' | 'arming_cache'>;

// Caches of project files are not copied; the new database rebuilds them.
const COPIED: readonly Table[] = [
  'content',
  'run',
  'chat',
  'turn',
  'message_ref',
  'event',
  'trigger_state',
  'trigger_bound',
  'trigger_change',
  'trigger_known',
  'change_note',
  'pruned_slot',
  'usage_day',
  'outcome_day',
  'alert_state',
  'delivery',
  'session',
  'node',
  'instance',
];

/** Tables with generated numbers: the next number must be greater than the copied ones. */
const NUMBERED: readonly (readonly [Table, string])[] = [
  ['content', 'id'],
  ['chat', 'nr'],
  ['turn', 'nr'],
  ['trigger_change', 'seq'],
];

/** Key of the record of which database was copied. */
const MARK = 'copied_from';
const PAGE = 500;

/**
 * Copies an embedded database to an empty database on a PostgreSQL server, completely or not at all. The file does not
 * change. If the server already has a copy, nothing is changed.
 *
 * @throws StoreError `not_empty` if the target has other content, with the fact `rows` (numbers by table); also the
 * errors of `openStore`
 */
export async function copyStore(
  deps: { readonly clock: Clock; readonly logger?: Logger },
  { file, url, setting, version, onProgress = () => {} }: CopyOptions,
): Promise<CopiedStore> {
  // Both are migrated to the schema of this version, as at a start.
  await (await openStore(deps, { file, version })).close();
  const { openServer } = await import('./postgres.ts');
  const listener = { failed() {}, setting };
  const to = new Kysely<Tables>({ dialect: openServer(url, listener, deps.clock).dialect });
  const from = openRows(file);
  try {
    const id = idIn(from);
    if ((await markOf(to)) === id) return { isNew: false, rows: await countRows(to) };
    await (await openStore(deps, { url, setting, version })).close();
    await requireEmpty(to);
    const rows: Record<string, number> = {};
    await to.transaction().execute(async (tx) => {
      const folder = await folderIn(tx);
      await sql`delete from instance`.execute(tx);
      await sql`delete from node`.execute(tx);
      for (const table of COPIED) rows[table] = await copyTable(from, tx, table, onProgress);
      await numberOn(tx);
      await sql`update node set gone_at = ${isoTime(deps.clock.now())} where gone_at is null`.execute(
        tx,
      );
      await tx
        .insertInto('instance')
        .values([{ key: MARK, value: id }, ...folder])
        .execute();
    });
    return { isNew: true, rows };
  } finally {
    from.close();
    await to.destroy();
  }
}

function idIn(from: StoredRows): string {
  const id = from.idOf();
  if (id === null) throw new Error('The database has lost its id.');
  return id;
}

async function markOf(to: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{
    name: string | null;
  }>`select to_regclass('instance') as name`.execute(to);
  if (rows[0]?.name == null) return null;
  const query = to.selectFrom('instance').select('value').where('key', '=', MARK);
  return (await query.executeTakeFirst())?.value ?? null;
}

// If the projects folder already has a mark, it is kept.
function folderIn(tx: Transaction<Tables>): Promise<{ key: string; value: string }[]> {
  return tx.selectFrom('instance').selectAll().where('key', 'in', FOLDER_KEYS).execute();
}

async function requireEmpty(to: Kysely<Tables>): Promise<void> {
  const counts = await countRows(to);
  const filled = COPIED.filter((table) => !['instance', 'node'].includes(table) && counts[table]);
  if (filled.length === 0) return;
  throw new StoreError(
    'not_empty',
    `The target database is not empty (it has rows in ${filled.join(', ')}). Use an empty one.`,
    { facts: { rows: Object.fromEntries(filled.map((table) => [table, counts[table]])) } },
  );
}

async function countRows(db: Kysely<Tables>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of COPIED) counts[table] = await countOf(db, table);
  return counts;
}

async function countOf(db: Kysely<Tables>, table: Table): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

async function copyTable(
  from: StoredRows,
  tx: Transaction<Tables>,
  table: Table,
  onProgress: NonNullable<CopyOptions['onProgress']>,
): Promise<number> {
  const columns = sql.join(from.columnsOf(table).map((column) => sql.ref(column)));
  let done = 0;
  const write = async (page: readonly unknown[][]): Promise<void> => {
    if (page.length === 0) return;
    const values = sql.join(page.map((cells) => sql`(${sql.join(cells)})`));
    await sql`insert into ${sql.table(table)} (${columns}) values ${values}`.execute(tx);
    done += page.length;
    onProgress({ table, rows: done });
  };
  let page: unknown[][] = [];
  for (const cells of from.rowsOf(table, table === 'content' ? ['hash'] : [])) {
    page.push(cells);
    if (page.length < PAGE) continue;
    await write(page);
    page = [];
  }
  await write(page);
  const [here, there] = [from.countOf(table), await countOf(tx, table)];
  if (here !== there) throw new Error(`Only ${there} of ${here} rows of ${table} were copied.`);
  return there;
}

async function numberOn(tx: Transaction<Tables>): Promise<void> {
  for (const [table, column] of NUMBERED) {
    const last = sql`coalesce(max(${sql.ref(column)}), 1), count(*) > 0`;
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last}) from ${sql.table(table)}`.execute(
      tx,
    );
  }
}

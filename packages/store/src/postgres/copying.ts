import type { Clock, Logger } from '@svc/core';
import { isoTime } from '@svc/core';
import { Kysely, sql, type Transaction } from 'kysely';
import { FOLDER_KEYS } from '../cluster/projects-folder.ts';
import type { Tables } from '../database/schema.ts';
import { StoreError } from '../errors.ts';
import { openRows, type StoredRows } from '../sqlite/sqlite-rows.ts';
import { openStore } from '../store.ts';

/** From where to where everything is copied. */
export interface CopyOptions {
  /** The file of an embedded database, which nobody has open. */
  readonly file: string;
  /** Address of a PostgreSQL database in which nothing is yet. */
  readonly url: string;
  /** What the address is called by those who can correct it. Default: `database.url`. */
  readonly setting?: string | undefined;
  /** Version of the program. */
  readonly version: string;
  /** Told after every few hundred rows. Default: nobody is. */
  readonly onProgress?: (progress: { readonly table: string; readonly rows: number }) => void;
}

/** What has been copied. */
export interface CopiedStore {
  /** False where the server had all of it already, from an earlier time. */
  readonly isNew: boolean;
  /** How many rows of each table came from the file; where nothing is new, how many there are. */
  readonly rows: Readonly<Record<string, number>>;
}

type Table = Exclude<keyof Tables, 'message' | 'kept_arming' | 'kept_file'>;

// What the files of projects came to is found out again where the database is new.
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

/** Tables whose rows get a number by themselves: the next one comes after those that are copied. */
const NUMBERED: readonly (readonly [Table, string])[] = [
  ['content', 'id'],
  ['chat', 'nr'],
  ['turn', 'nr'],
  ['trigger_change', 'seq'],
];

/** What tells that a database was copied, and from which one. */
const MARK = 'copied_from';
const PAGE = 500;

/**
 * Copies everything that an embedded database keeps to an empty one on a PostgreSQL server, as a whole or not at all. The
 * file stays as it is. Where the server has it already nothing is changed.
 *
 * @throws StoreError `not_empty` where the server's has something else, with the fact `rows`, how many by table, and whatever `openStore` does
 */
export async function copyStore(
  deps: { readonly clock: Clock; readonly logger?: Logger },
  { file, url, setting, version, onProgress = () => {} }: CopyOptions,
): Promise<CopiedStore> {
  // Both are brought to the form of this program, as a start would; one that has everything is left alone.
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

// The folder of projects may have its mark already, which stays.
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

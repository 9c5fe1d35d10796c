import { DatabaseSync } from '@photostructure/sqlite';
import { decode } from './value-encoding.ts';

/** A snapshot of the rows of an embedded database that no process has open. */
export interface StoredRows {
  columnsOf(table: string): string[];
  countOf(table: string): number;
  hasAny(table: string): boolean;
  /** Id of the database; null if there is none. */
  idOf(): string | null;
  /** Whether all triggers are paused. */
  isPaused(): boolean;
  /** The cells of each row, in the order of `columnsOf`; columns in `bytes` as bytes, all others as decoded texts. */
  rowsOf(table: string, bytes: readonly string[]): Iterable<unknown[]>;
  close(): void;
}

/** Opens a file for reading; it cannot be written until it is closed. */
export function openRows(file: string): StoredRows {
  const db = new DatabaseSync(file, { readOnly: true });
  db.exec('begin; select count(*) from sqlite_schema');
  const named = (table: string): string => `"${table.replaceAll('"', '""')}"`;
  const columnsOf = (table: string): string[] =>
    db
      .prepare(`pragma table_info(${named(table)})`)
      .all()
      .map(({ name }) => String(name));
  // An iterator of the driver does not keep a reference to its statement, and a statement collected during iteration
  // frees the memory in use.
  const reading = new Set<object>();
  return {
    columnsOf,
    countOf: (table) =>
      Number(db.prepare(`select count(*) as count from ${named(table)}`).get()?.['count'] ?? 0),
    hasAny: (table) => db.prepare(`select 1 from ${named(table)} limit 1`).get() !== undefined,
    idOf() {
      const row = db.prepare(`select value from instance where key = 'id'`).get();
      return row === undefined ? null : String(decode(row['value']));
    },
    isPaused: () => db.prepare(`select 1 from instance where key = 'paused'`).get() !== undefined,
    *rowsOf(table, bytes) {
      const columns = columnsOf(table);
      const statement = db.prepare(`select * from ${named(table)}`);
      reading.add(statement);
      try {
        for (const row of statement.iterate()) {
          const cells = row as Readonly<Record<string, unknown>>;
          yield columns.map((name) => (bytes.includes(name) ? cells[name] : decode(cells[name])));
        }
      } finally {
        reading.delete(statement);
      }
    },
    close() {
      // Otherwise the driver releases the lock late.
      db.exec('rollback');
      db.close();
    },
  };
}

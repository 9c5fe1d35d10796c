import { DatabaseSync } from '@photostructure/sqlite';
import { decode } from './value-encoding.ts';

/** The rows of an embedded database that nobody has open, as they were when they were opened. */
export interface StoredRows {
  columnsOf(table: string): string[];
  countOf(table: string): number;
  hasAny(table: string): boolean;
  /** Id of the database; null where it has none. */
  idOf(): string | null;
  /** Whether everything is paused in it. */
  isPaused(): boolean;
  /** The cells of each row, in the order of `columnsOf`; those of `bytes` as bytes, all others as the texts that they stand for. */
  rowsOf(table: string, bytes: readonly string[]): Iterable<unknown[]>;
  close(): void;
}

/** Opens a file for reading; nobody can write it until it is closed. */
export function openRows(file: string): StoredRows {
  const db = new DatabaseSync(file, { readOnly: true });
  db.exec('begin; select count(*) from sqlite_schema');
  const named = (table: string): string => `"${table.replaceAll('"', '""')}"`;
  const columnsOf = (table: string): string[] =>
    db
      .prepare(`pragma table_info(${named(table)})`)
      .all()
      .map(({ name }) => String(name));
  // An iterator of the driver does not keep its statement: one that is collected in the middle takes the memory with it.
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
      // The driver gives a lock back late, unless it is told to.
      db.exec('rollback');
      db.close();
    },
  };
}

import type { DatabaseSync } from '@photostructure/sqlite';

type Database = InstanceType<typeof DatabaseSync>;

const MOST_PREPARED = 500;
const READS = /^\s*(select|with|pragma)\b|\breturning\b/i;

/** A prepared statement. */
interface Prepared {
  readonly statement: ReturnType<Database['prepare']>;
  /** Names of the result columns; null if there are none. */
  readonly columns: readonly string[] | null;
}

/** A cache of prepared statements: preparing costs more than running, and the same few dozen texts recur. */
export interface PreparedStatements {
  of(text: string): Prepared;
  clear(): void;
}

export function createPrepared(db: Database): PreparedStatements {
  const prepared = new Map<string, Prepared>();
  return {
    of(text) {
      const known = prepared.get(text);
      if (known !== undefined) return known;
      const made = prepareOne(db, text);
      const [oldest] = prepared.size < MOST_PREPARED ? [] : prepared.keys();
      if (oldest !== undefined) prepared.delete(oldest);
      prepared.set(text, made);
      return made;
    },
    clear: () => prepared.clear(),
  };
}

// Rows are read as arrays, because the driver takes longer to create an object than to read the row.
function prepareOne(db: Database, text: string): Prepared {
  const statement = db.prepare(text);
  if (!READS.test(text)) return { statement, columns: null };
  statement.setReturnArrays(true);
  return { statement, columns: statement.columns().map(({ name }) => name) };
}

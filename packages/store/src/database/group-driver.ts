import { createSemaphore } from '@svc/core';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';

/** A database as the driver uses it; all calls are synchronous. */
export interface Statements {
  /** False once an error has ended the transaction. */
  readonly isTransaction: boolean;
  run(text: string, values: readonly unknown[]): QueryResult<unknown>;
  close(): void;
}

/** Work that shares one commit. */
interface Group {
  /** Settles with the commit; results are held back until then. */
  readonly settled: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
  /** Why the whole group failed. */
  fault: { readonly error: unknown } | null;
  /** Whether it should be committed as soon as no transaction is in progress. */
  isDue: boolean;
}

// These are refused inside a transaction, or behave differently there.
const ALONE = /^\s*(pragma|vacuum)\b/i;
/** Statements that write. */
export const WRITES: RegExp = /\b(insert|update|delete|replace|create|alter|drop|reindex)\b/i;

// Matching the text takes as long as running a short statement, and the same few dozen statements recur.
const MOST_KNOWN = 500;

/**
 * Merges transactions and single statements that arrive within one turn of the event loop into one SQLite transaction,
 * so that they share one disk write. Each has its own savepoint, so a rollback does not affect the others. Results,
 * including those of reads, are returned after the commit, so that no caller sees what a crash could still undo.
 */
export class GroupDriver implements Driver {
  private readonly db: Statements;
  private readonly writer = createSemaphore();
  private readonly known = new Map<string, 'alone' | 'writing' | 'reading'>();
  private group: Group | null = null;

  constructor(db: Statements) {
    this.db = db;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.writer.acquire();
    return new Connection(this);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    connection.group = this.openGroup();
    this.db.run('savepoint one', []);
  }

  async commitTransaction(connection: Connection): Promise<void> {
    const { group } = connection;
    if (group === null) return;
    if (group.fault !== null) throw group.fault.error;
    this.db.run('release one', []);
    connection.group = null;
    this.leave(connection);
    await group.settled;
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    const { group } = connection;
    connection.group = null;
    if (group === null || group.fault !== null || !this.db.isTransaction) return;
    this.db.run('rollback to one', []);
    this.db.run('release one', []);
  }

  async releaseConnection(connection: Connection): Promise<void> {
    this.leave(connection);
  }

  async destroy(): Promise<void> {
    await this.writer.acquire();
    this.commit();
    this.db.close();
  }

  /** Runs a statement of a transaction. */
  runInside(group: Group, query: CompiledQuery): QueryResult<unknown> {
    if (group.fault !== null) throw group.fault.error;
    return this.run(query);
  }

  /** Runs a statement that is a transaction of its own. */
  async runAlone(connection: Connection, query: CompiledQuery): Promise<QueryResult<unknown>> {
    for (;;) {
      if (!connection.isInside) await this.writer.acquire();
      connection.isInside = true;
      const kind = this.kindOf(query.sql);
      if (kind === 'alone') this.commit();
      const isWriting = kind === 'writing';
      const group = isWriting ? this.openGroup() : this.group;
      const result = this.run(query);
      this.leave(connection);
      if (group === null) return result;
      const isDone = await group.settled.then(
        () => true,
        (error: unknown) => {
          if (isWriting) throw error;
          return false;
        },
      );
      if (isDone) return result;
      // The data that was read may have been rolled back with the others.
    }
  }

  private kindOf(text: string): 'alone' | 'writing' | 'reading' {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const kind = ALONE.test(text) ? 'alone' : WRITES.test(text) ? 'writing' : 'reading';
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.set(text, kind);
    return kind;
  }

  private run({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    try {
      return this.db.run(sql, parameters);
    } catch (error) {
      if (this.group !== null && !this.db.isTransaction) this.lose(this.group, error);
      throw error;
    }
  }

  private openGroup(): Group {
    if (this.group !== null) return this.group;
    this.db.run('begin', []);
    const group = createGroup();
    this.group = group;
    setImmediate(() => {
      group.isDue = true;
      if (this.writer.isIdle && this.group === group) this.commit();
    });
    return group;
  }

  private leave(connection: Connection): void {
    if (!connection.isInside) return;
    connection.isInside = false;
    if (this.group?.isDue) this.commit();
    this.writer.release();
  }

  private commit(): void {
    const { group } = this;
    if (group === null) return;
    try {
      this.db.run('commit', []);
      this.group = null;
      group.resolve();
    } catch (error) {
      this.lose(group, error);
    }
  }

  private lose(group: Group, error: unknown): void {
    this.group = null;
    group.fault = { error };
    group.reject(error);
    try {
      // Some errors end a transaction.
      if (this.db.isTransaction) this.db.run('rollback', []);
    } catch {
      // A damaged database accepts no further statements; all members of the group get the error.
    }
  }
}

class Connection implements DatabaseConnection {
  isInside = true;
  /** The group of its transaction; null outside of one. */
  group: Group | null = null;
  private readonly driver: GroupDriver;

  constructor(driver: GroupDriver) {
    this.driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result =
      this.group === null
        ? await this.driver.runAlone(this, query)
        : this.driver.runInside(this.group, query);
    return result as QueryResult<R>;
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are not streamed.');
  }
}

function createGroup(): Group {
  let resolve = (): void => {};
  let reject = (_error: unknown): void => {};
  const settled = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // All members receive the rejection; without this handler it would be unhandled if there are none.
  settled.catch(() => {});
  return { settled, resolve, reject, fault: null, isDue: false };
}

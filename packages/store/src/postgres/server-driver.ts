import { createSemaphore, type Semaphore } from '@svc/core';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { OWN_ROW } from '../database/dialect.ts';
import { WRITES } from '../database/group-driver.ts';
import { StoreError } from '../errors.ts';
import { EPOCH, FLUSH, ID, type Inquiry, type ServerTransaction } from './server-inquiry.ts';
import type { Sockets } from './server-sockets.ts';
import type { ServerWatch } from './server-watch.ts';

// Any number will do that nobody else locks in this database.
const WRITER = '7307175930317105011';

/**
 * The lock is taken by a statement of its own: each one after it looks anew, and finds what all before have left. Whoever
 * stops in the middle of writing, or is cut off, keeps the others waiting no longer than the timeout.
 */
const BEGIN = `begin isolation level read committed;
  set local idle_in_transaction_session_timeout = '5s';
  set local synchronous_commit = off;
  select pg_advisory_xact_lock(${WRITER})`;

const NEXT_BEGIN = `${BEGIN}; select ${ID}`;
// A crash ends each connection: what tells one server from the next is the same for as long as one lasts.
const FIRST_BEGIN = `${BEGIN}; select ${ID}, ${EPOCH} from pg_stat_wal`;

/** What a driver needs besides a pool. */
export interface ServerFaults {
  /** The error to be thrown for one that the server, or the way to it, has given, perhaps while it was being connected to. */
  mapped(error: unknown, isConnecting: boolean): unknown;
  /** Throws why the server is away, while it is. */
  insist(): void;
}

/** What a driver works with; it ends all of it. */
export interface ServerParts {
  readonly pool: Pool;
  /** How many connections it has. */
  readonly most: number;
  readonly watch: Pick<ServerWatch, 'start' | 'heard'>;
  closeWatch(): Promise<void>;
  readonly faults: ServerFaults;
  readonly inquiry: Inquiry;
  /** Those of the pool, and of the inquiry. */
  readonly sockets: Sockets;
}

/** A connection in the middle of a transaction. */
interface Writer {
  readonly client: PoolClient;
  readonly transaction: ServerTransaction;
}

/**
 * Lets one transaction write at a time, of all processes that use the database, and single statements as transactions of
 * their own: what is read in one of them holds until it is committed, as it does in SQLite, so that whatever counts up,
 * takes the next number or looks whether something is there needs no locks of its own, and nothing is tried twice. Reads
 * wait for nobody.
 *
 * Serializable transactions in place of the lock would have most of them fail and start over: all that begin a turn write
 * the same few rows (the count of the day, texts that are kept once).
 */
export class ServerDriver implements Driver {
  private readonly parts: ServerParts;
  private readonly epochs = new WeakMap<PoolClient, string>();
  // Of one process a single writer waits for the others, so that its reads still find a connection.
  private readonly writer: Semaphore = createSemaphore();

  // Waiting for a connection is none that does not come about.
  private readonly places: Semaphore;

  constructor(parts: ServerParts) {
    this.parts = parts;
    this.places = createSemaphore(parts.most);
  }

  async init(): Promise<void> {
    this.parts.watch.start();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Connection(this);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    connection.writer = await this.begin();
  }

  async commitTransaction(connection: Connection): Promise<void> {
    const { writer } = connection;
    connection.writer = null;
    if (writer !== null) await this.commit(writer);
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    const { writer } = connection;
    connection.writer = null;
    if (writer !== null) await this.rollback(writer);
  }

  async releaseConnection(connection: Connection): Promise<void> {
    await this.rollbackTransaction(connection);
  }

  async destroy(): Promise<void> {
    const { pool, inquiry, sockets, closeWatch } = this.parts;
    inquiry.close();
    const closePool = async (): Promise<void> => {
      await this.writer.acquire();
      await pool.end();
      this.writer.release();
    };
    await Promise.all([sockets.close(closePool), closeWatch()]);
  }

  /** Runs a statement that is no part of a transaction. */
  async runAlone(query: CompiledQuery): Promise<QueryResult<unknown>> {
    if (!WRITES.test(query.sql) || query.sql.includes(OWN_ROW)) return this.runUnlocked(query);
    const writer = await this.begin();
    const result = await this.run(writer.client, query).catch(async (error: unknown) => {
      await this.rollback(writer);
      throw error;
    });
    await this.commit(writer);
    return result;
  }

  private async runUnlocked(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const client = await this.connect();
    let isSound = true;
    try {
      return await this.run(client, query);
    } catch (error) {
      // One that does not answer may do so when somebody else has asked it something.
      isSound = !(error instanceof StoreError);
      throw error;
    } finally {
      this.release(client, !isSound);
    }
  }

  async run(on: PoolClient, { sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> {
    try {
      const { command, rowCount, rows } = await on.query(sql, parameters.map(asKept));
      this.parts.watch.heard();
      if (command === 'SELECT') return { rows };
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    } catch (error) {
      throw this.parts.faults.mapped(error, false);
    }
  }

  private async begin(): Promise<Writer> {
    await this.writer.acquire();
    let client: PoolClient | undefined;
    try {
      client = await this.connect();
      return { client, transaction: await this.beginOn(client) };
    } catch (error) {
      if (client !== undefined) this.release(client, true);
      this.writer.release();
      throw client === undefined ? error : this.parts.faults.mapped(error, false);
    }
  }

  private async beginOn(client: PoolClient): Promise<ServerTransaction> {
    const known = this.epochs.get(client);
    const answers: unknown = await client.query(known === undefined ? FIRST_BEGIN : NEXT_BEGIN);
    this.parts.watch.heard();
    const last = (answers as readonly QueryResult<ServerTransaction>[]).at(-1);
    const { id = '', epoch = known ?? '' } = last?.rows[0] ?? {};
    this.epochs.set(client, epoch);
    return { id, epoch };
  }

  private async connect(): Promise<PoolClient> {
    const { pool, faults, watch } = this.parts;
    await this.places.acquire();
    try {
      faults.insist();
      const client = await pool.connect();
      watch.heard();
      return client;
    } catch (error) {
      this.places.release();
      throw error instanceof StoreError ? error : faults.mapped(error, true);
    }
  }

  private release(client: PoolClient, isBroken: boolean): void {
    client.release(isBroken);
    this.places.release();
  }

  private async commit({ client, transaction }: Writer): Promise<void> {
    const { faults, inquiry } = this.parts;
    try {
      const { command } = await client.query('commit').finally(() => this.writer.release());
      // Otherwise it has rolled back, as a statement had failed before.
      if (command === 'COMMIT') await client.query(FLUSH);
      else throw new RolledBack('A transaction with a failed statement was rolled back.');
    } catch (error) {
      this.release(client, true);
      const mapped = faults.mapped(error, false);
      // What the server was told may be done although its answer is lost.
      if (error instanceof RolledBack || !(await inquiry.isOnDisk(transaction))) throw mapped;
      return;
    }
    this.release(client, false);
  }

  private async rollback({ client }: Writer): Promise<void> {
    // The server rolls back what it hears no more of.
    const isBroken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    this.release(client, isBroken);
    this.writer.release();
  }
}

class RolledBack extends Error {}

class Connection implements DatabaseConnection {
  /** In which its transaction is; null outside of one. */
  writer: Writer | null = null;
  private readonly driver: ServerDriver;

  constructor(driver: ServerDriver) {
    this.driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { driver, writer } = this;
    const result = await (writer === null
      ? driver.runAlone(query)
      : driver.run(writer.client, query));
    return result as QueryResult<R>;
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are not streamed.');
  }
}

// A text on a server holds every character but this one.
function asKept(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\uFFFD')
    : value;
}

import { createSemaphore, type Semaphore } from '@svc/core';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { OWN_ROW } from '../database/dialect.ts';
import { WRITES } from '../database/group-driver.ts';
import { StoreError } from '../errors.ts';
import { EPOCH, FLUSH, ID, type Inquiry, type ServerTransaction } from './server-inquiry.ts';
import type { Sockets } from './server-sockets.ts';
import type { ServerWatch } from './server-watch.ts';

// Any number that no other software locks in this database.
const WRITER = '7307175930317105011';

/**
 * The lock is taken by a statement of its own, so that later statements see everything that earlier holders committed.
 * A holder that stops or disconnects blocks others no longer than the timeout.
 */
const BEGIN = `begin isolation level read committed;
  set local idle_in_transaction_session_timeout = '5s';
  set local synchronous_commit = off;
  select pg_advisory_xact_lock(${WRITER})`;

const NEXT_BEGIN = `${BEGIN}; select ${ID}`;
// A crash ends every connection, so the identity of a server instance does not change within one.
const FIRST_BEGIN = `${BEGIN}; select ${ID}, ${EPOCH} from pg_stat_wal`;

/** How the driver maps and raises server errors. */
export interface ServerFaults {
  /** The error to throw for an error of the server or the network, which may have occurred while connecting. */
  mapped(error: unknown, isConnecting: boolean): unknown;
  /** Throws the reason while the server is unreachable. */
  throwIfUnreachable(): void;
}

/** Dependencies of the driver, which closes all of them. */
export interface ServerParts {
  readonly pool: Pool;
  /** Maximum number of connections. */
  readonly most: number;
  readonly watch: Pick<ServerWatch, 'start' | 'heard'>;
  closeWatch(): Promise<void>;
  readonly faults: ServerFaults;
  readonly inquiry: Inquiry;
  /** Sockets of the pool and of the inquiry. */
  readonly sockets: Sockets;
}

/** A connection in a transaction. */
interface Writer {
  readonly client: PoolClient;
  readonly transaction: ServerTransaction;
}

/**
 * Allows one write transaction at a time among all processes that use the database, and treats single statements as
 * transactions. What a transaction reads stays valid until it commits, as in SQLite, so counters, numbering and
 * existence checks need no further locks or retries. Reads never wait. Serializable transactions would mostly fail and
 * retry: all transactions that start a turn write the same few rows (daily count, shared contents).
 */
export class ServerDriver implements Driver {
  private readonly parts: ServerParts;
  private readonly epochs = new WeakMap<PoolClient, string>();
  // Within a process, writers wait for each other before they take a connection, so that reads still find one.
  private readonly writer: Semaphore = createSemaphore();

  // Waiting for a free connection must not count as a connection failure.
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

  /** Runs a statement outside a transaction. */
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
      // A connection that did not respond may deliver its response to a later statement.
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
      faults.throwIfUnreachable();
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
      // Otherwise the server rolled back, because an earlier statement had failed.
      if (command === 'COMMIT') await client.query(FLUSH);
      else throw new RolledBack('A transaction with a failed statement was rolled back.');
    } catch (error) {
      this.release(client, true);
      const mapped = faults.mapped(error, false);
      // The server may have committed although the response was lost.
      if (error instanceof RolledBack || !(await inquiry.isOnDisk(transaction))) throw mapped;
      return;
    }
    this.release(client, false);
  }

  private async rollback({ client }: Writer): Promise<void> {
    // The server rolls back when the connection ends.
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
  /** The transaction it is in; null outside of one. */
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

// PostgreSQL texts can hold every character except NUL.
function asKept(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\uFFFD')
    : value;
}

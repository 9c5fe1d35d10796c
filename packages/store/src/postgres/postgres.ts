import type { Socket } from 'node:net';
import { type Clock, createSystemClock } from '@svc/core';
import {
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type PrimitiveValueListNode,
} from 'kysely';
import pg from 'pg';
import type { OpenLocks } from '../cluster/locks.ts';
import type { Fault } from '../database/health.ts';
import { StoreError } from '../errors.ts';
import { driverAddress } from './server-address.ts';
import { ServerDriver, type ServerFaults } from './server-driver.ts';
import { faultOfServer, type ServerPlace, silenceOf } from './server-faults.ts';
import { Inquiry } from './server-inquiry.ts';
import { createServerLine } from './server-line.ts';
import { createServerLocks } from './server-locks.ts';
import { isHandedOn, type Session } from './server-pooler.ts';
import { createSockets, type Sockets } from './server-sockets.ts';
import { createServerWatch, type ServerWatch } from './server-watch.ts';

const CONNECTIONS = 10;
const CONNECT_MS = 10_000;
// A server that does not respond for this long is given up, so longer work is split into steps.
const ANSWER_MS = 60_000;
const INQUIRY_MS = 10_000;

/** Receives problems of a database server. */
export interface ServerListener {
  /** The server is reachable, but does not do what was requested. */
  failed(fault: Fault): void;
  /** Name of the setting with the address, for errors. Default: `database.url`. */
  readonly setting?: string | undefined;
}

/** A database on a PostgreSQL server. */
export interface OpenServer {
  readonly dialect: Dialect;
  /** Whether the server is reachable; monitored from the first statement on. */
  readonly watch: ServerWatch;
  /**
   * Refuses an address behind which connections are not permanent, because locks and notifications depend on the
   * connection.
   *
   * @throws StoreError `pooled`; `unavailable` if no connection can be made
   */
  requireSessions(): Promise<void>;
  /** Locks, with connections of their own, because locks may wait for each other and statements must not. */
  openLocks(): OpenLocks;
}

/**
 * Opens a database on a PostgreSQL server for many connections of many processes. Failures of the server or the network
 * become a StoreError `unavailable` that names host, port and database, without the password. While the server is
 * unreachable, every call fails at once.
 *
 * @throws StoreError `no_address` for an invalid address
 */
export function openServer(given: string, listener: ServerListener, clock: Clock): OpenServer {
  const url = driverAddress(given);
  const place = placeOf(url, listener.setting ?? 'database.url');
  const lines = createSockets(clock);
  const watch = createServerWatch({
    // Time limits for the server are in real time.
    clock: createSystemClock(),
    openLine: () => createServerLine(settingsOf(url, lines.create), lines.create),
    faultOf(error) {
      const fault = faultOfServer(error, place, true);
      return fault?.isAway === true ? fault : null;
    },
    silent: silenceOf(place),
  });
  const faults = faultsOf(place, listener, watch);
  const watched = (): Sockets => {
    const sockets = createSockets(clock);
    watch.subscribe((away) => sockets.cut(away !== null));
    return sockets;
  };
  const sockets = watched();
  const pool = openPool(url, 'svc', sockets);
  const inquiry = new Inquiry(
    () => new pg.Client({ ...settingsOf(url, sockets.create), query_timeout: INQUIRY_MS }),
    clock,
  );
  const parts = { pool, most: CONNECTIONS, faults, watch };
  return {
    watch,
    dialect: {
      createDriver: () =>
        new ServerDriver({
          ...{ ...parts, inquiry, sockets },
          closeWatch: () => lines.close(() => watch.close()),
        }),
      createQueryCompiler: () => new ServerQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    },
    requireSessions: () => requireSessions(url, place, sockets, faults),
    openLocks() {
      const own = watched();
      const locks = { ...parts, pool: openPool(url, 'svc locks', own) };
      return createServerLocks({ ...locks, sockets: own, clock });
    },
  };
}

async function requireSessions(
  url: string,
  { setting }: ServerPlace,
  sockets: Sockets,
  faults: ServerFaults,
): Promise<void> {
  const open = async (): Promise<Session> => {
    const settings = { ...settingsOf(url, sockets.create), query_timeout: INQUIRY_MS };
    const client = new pg.Client(settings);
    client.on('error', () => {});
    await client.connect();
    return {
      // The types of the driver omit it.
      announced: (client as { readonly processID?: number | null }).processID ?? null,
      async process() {
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        return Number(rows[0]?.pid);
      },
      async begin() {
        await client.query('begin');
      },
      async commit() {
        await client.query('commit');
      },
      close: () => client.end().catch(() => {}),
    };
  };
  const isPooled = await isHandedOn(open).catch((error: unknown) => {
    throw faults.mapped(error, true);
  });
  if (!isPooled) return;
  const message = `${setting} is a transaction pooler such as PgBouncer. Use the PostgreSQL server itself, or set pool_mode = session.`;
  throw new StoreError('pooled', message);
}

function settingsOf(url: string, createSocket: () => Socket): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
    application_name: 'svc',
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    stream: createSocket,
  };
}

function openPool(url: string, name: string, sockets: Sockets): pg.Pool {
  const pool = new pg.Pool({
    ...settingsOf(url, sockets.create),
    application_name: name,
    max: CONNECTIONS,
  });
  // A connection that breaks while idle is replaced by the pool; a connection in use reports the error to its
  // statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  return pool;
}

function faultsOf(place: ServerPlace, listener: ServerListener, watch: ServerWatch): ServerFaults {
  const { host, port, database } = place;
  // The listener reports each problem of the server.
  const facts = { host, port, database, isReported: true };
  const unavailable = ({ sentence }: Fault, cause?: unknown): StoreError =>
    new StoreError('unavailable', sentence, { cause, facts });
  return {
    mapped(error, isConnecting) {
      if (error instanceof pg.DatabaseError) watch.heard();
      const fault = faultOfServer(error, place, isConnecting);
      if (fault === null) return error;
      if (fault.isAway !== true) listener.failed(fault);
      // One broken connection does not mean that the server is down.
      else watch.doubted();
      return unavailable(watch.away ?? fault, error);
    },
    throwIfUnreachable() {
      if (watch.away !== null) throw unavailable(watch.away);
    },
  };
}

// The cause is omitted, because it contains the whole address.
function placeOf(url: string, setting: string): ServerPlace {
  try {
    if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('another protocol');
    const { host, port, database, user } = new pg.Client({ connectionString: url });
    return { host, port, database: database ?? '', user: user ?? '', setting };
  } catch {
    const message = `${setting} must be a PostgreSQL address: postgres://USER:PASSWORD@HOST:5432/NAME.`;
    throw new StoreError('no_address', message);
  }
}

const { builtins } = pg.types;

// Numbers are integers of at most 53 bits, and true is 1, as in SQLite.
function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number;
  if (oid === builtins.BOOL) return (value: string) => (value === 't' ? 1 : 0);
  return pg.types.getTypeParser(oid, format as 'text');
}

class ServerQueryCompiler extends PostgresQueryCompiler {
  // PostgreSQL does not accept an empty list.
  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (node.values.length === 0) this.append('(null)');
    else super.visitPrimitiveValueList(node);
  }
}

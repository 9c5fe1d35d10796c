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
// A server that is gone without a word is given up; whatever takes longer is done in smaller steps.
const ANSWER_MS = 60_000;
const INQUIRY_MS = 10_000;

/** Who is told of what befalls a database on a server. */
export interface ServerListener {
  /** The server does not do what it is asked for, although it is there. */
  failed(fault: Fault): void;
  /** What the address is called by those who can correct it. Default: `database.url`. */
  readonly setting?: string | undefined;
}

/** A database on a PostgreSQL server. */
export interface OpenServer {
  readonly dialect: Dialect;
  /** Whether the server is there; asked for from the first statement on. */
  readonly watch: ServerWatch;
  /**
   * Refuses an address behind which connections do not last, as locks are held on them, and signals heard.
   *
   * @throws StoreError `pooled`; `unavailable` where it cannot be connected to
   */
  requireSessions(): Promise<void>;
  /** Locks, over connections of their own: they wait for each other, which statements must not. */
  openLocks(): OpenLocks;
}

/**
 * Opens a database on a PostgreSQL server for many connections of many processes. What fails for a reason of the server,
 * or of the way to it, fails with a StoreError `unavailable` in a sentence with host, port and database, without the
 * password. While the server is away everything does so at once.
 *
 * @throws StoreError `no_address` for what is none
 */
export function openServer(given: string, listener: ServerListener, clock: Clock): OpenServer {
  const url = driverAddress(given);
  const place = placeOf(url, listener.setting ?? 'database.url');
  const lines = createSockets(clock);
  const watch = createServerWatch({
    // Patience with a server takes the time that it takes.
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
      // Its types leave it out.
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
  // A connection that breaks while nobody uses it is replaced by the next one; whoever uses it is told by its statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  return pool;
}

function faultsOf(place: ServerPlace, listener: ServerListener, watch: ServerWatch): ServerFaults {
  const { host, port, database } = place;
  // Each fault of a server is told of by whoever listens.
  const facts = { host, port, database, isReported: true };
  const unavailable = ({ sentence }: Fault, cause?: unknown): StoreError =>
    new StoreError('unavailable', sentence, { cause, facts });
  return {
    mapped(error, isConnecting) {
      if (error instanceof pg.DatabaseError) watch.heard();
      const fault = faultOfServer(error, place, isConnecting);
      if (fault === null) return error;
      if (fault.isAway !== true) listener.failed(fault);
      // One connection that breaks says little of the server.
      else watch.doubted();
      return unavailable(watch.away ?? fault, error);
    },
    insist() {
      if (watch.away !== null) throw unavailable(watch.away);
    },
  };
}

// The cause is left out: it tells the whole address.
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

// Numbers are whole and of 53 bits at most, and what is true is 1, as in SQLite.
function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number;
  if (oid === builtins.BOOL) return (value: string) => (value === 't' ? 1 : 0);
  return pg.types.getTypeParser(oid, format as 'text');
}

class ServerQueryCompiler extends PostgresQueryCompiler {
  // An empty list is none to PostgreSQL.
  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (node.values.length === 0) this.append('(null)');
    else super.visitPrimitiveValueList(node);
  }
}

import type { Clock } from '@svc/core';
import {
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type PrimitiveValueListNode,
} from 'kysely';
import pg from 'pg';
import { StoreError } from '../errors.ts';
import type { Fault } from '../health.ts';
import type { OpenLocks } from '../locks.ts';
import { ServerDriver, type ServerFaults } from './server-driver.ts';
import { faultOfServer, type ServerPlace } from './server-faults.ts';
import { Inquiry } from './server-inquiry.ts';
import { createServerLocks } from './server-locks.ts';
import { createSockets, type Sockets } from './server-sockets.ts';

const CONNECTIONS = 10;
const CONNECT_MS = 10_000;
// A server that is gone without a word is given up; whatever takes longer is done in smaller steps.
const ANSWER_MS = 60_000;
const INQUIRY_MS = 10_000;

/** Who is told of what befalls a database on a server. */
export interface ServerListener {
  /** The server does not answer, or does not do what it is asked for. */
  failed(fault: Fault): void;
  /** What the address is called by those who can correct it. Default: `database.url`. */
  readonly setting?: string | undefined;
}

/**
 * Opens a database on a PostgreSQL server for many connections of many processes. What fails for a reason of the server,
 * or of the way to it, fails with a StoreError `unavailable` in a sentence with host, port and database, without the
 * password.
 *
 * @throws StoreError `no_address` for what is none
 */
export function openServer(url: string, listener: ServerListener, clock: Clock): Dialect {
  const faults = faultsOf(url, listener);
  const sockets = createSockets(clock);
  const pool = openPool(url, 'svc', sockets);
  const createClient = (): pg.Client =>
    new pg.Client({ ...settingsOf(url, 'svc', sockets), query_timeout: INQUIRY_MS });
  const inquiry = new Inquiry(createClient, clock);
  return {
    createDriver: () => new ServerDriver({ pool, faults, inquiry, sockets }),
    createQueryCompiler: () => new ServerQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  };
}

/**
 * Locks of a server, over connections of their own: they wait for each other, which statements must not.
 *
 * @throws StoreError `no_address` for what is none
 */
export function openServerLocks(url: string, listener: ServerListener, clock: Clock): OpenLocks {
  const sockets = createSockets(clock);
  const pool = openPool(url, 'svc locks', sockets);
  const faults = faultsOf(url, listener);
  return createServerLocks({ pool, most: CONNECTIONS, faults, sockets, clock });
}

function settingsOf(url: string, name: string, sockets: Sockets): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
    application_name: name,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    stream: () => sockets.create(),
  };
}

function openPool(url: string, name: string, sockets: Sockets): pg.Pool {
  const pool = new pg.Pool({ ...settingsOf(url, name, sockets), max: CONNECTIONS });
  // A connection that breaks while nobody uses it is replaced by the next one; whoever uses it is told by its statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  return pool;
}

function faultsOf(url: string, listener: ServerListener): ServerFaults {
  const place = placeOf(url, listener.setting ?? 'database.url');
  return {
    told(error, isConnecting) {
      const fault = faultOfServer(error, place, isConnecting);
      if (fault === null) return error;
      listener.failed(fault);
      const { host, port, database } = place;
      const facts = { host, port, database };
      return new StoreError('unavailable', fault.sentence, { cause: error, facts });
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
    const message = `${setting} is no address of a PostgreSQL database: postgres://USER:PASSWORD@HOST:5432/NAME would be one.`;
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

import { randomBytes } from 'node:crypto';
import {
  type Clock,
  diskFaultOf,
  isoTime,
  type Logger,
  messageOf,
  newId,
  silentLogger,
  startSentenceOf,
} from '@svc/core';
import { Kysely, sql } from 'kysely';
import { type Alerts, createAlerts } from './alerts/alerts.ts';
import { type Changes, createChanges } from './changes/changes.ts';
import { createServiceSpans, type ServiceSpans } from './changes/service-spans.ts';
import { type Chats, createChats } from './chats/chats.ts';
import { type ArmingCache, createArmingCache } from './claims/arming-cache.ts';
import { type Claims, createClaims } from './claims/claims.ts';
import { createTriggerMemory, type TriggerMemory } from './claims/triggers.ts';
import { createGoodTexts, type GoodTexts } from './cluster/good-texts.ts';
import { createNameLocks, type NameLocks, NO_LOCKS, type OpenLocks } from './cluster/locks.ts';
import { createNodes, type Nodes } from './cluster/nodes.ts';
import { createProjectsFolder, type ProjectsFolder } from './cluster/projects-folder.ts';
import { NO_SIGNALS, type OpenSignals, type Signals } from './cluster/signals.ts';
import { EMBEDDED_STEPS, SERVER_STEPS } from './database/baseline.ts';
import { ALWAYS_CONNECTED, type Connectivity, connectivityOf } from './database/connectivity.ts';
import { isEmbedded } from './database/dialect.ts';
import { createHealth, type Fault, type Health } from './database/health.ts';
import { migrate } from './database/migrations.ts';
import type { Tables } from './database/schema.ts';
import { StoreError } from './errors.ts';
import { createEvents, type Events } from './events/events.ts';
import { createRetention, makeShrinkable, type Retention } from './retention/retention.ts';
import { createPausing, type Pausing } from './runs/pausing.ts';
import { createRuns, type Runs } from './runs/runs.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createCopies, type DatabaseCopy } from './sqlite/copies.ts';
import { noteDatabase } from './sqlite/database-files.ts';
import { keepEarlier } from './sqlite/earlier-copy.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import { createTurns, type Turns } from './turns/turns.ts';
import { createUsage, type Usage } from './usage/usage.ts';

/** Everything that must survive a restart. */
export interface Store {
  readonly claims: Claims;
  readonly runs: Runs;
  readonly chats: Chats;
  readonly events: Events;
  readonly turns: Turns;
  readonly triggers: TriggerMemory;
  readonly pausing: Pausing;
  readonly changes: Changes;
  readonly armingCache: ArmingCache;
  readonly goodTexts: GoodTexts;
  readonly spans: ServiceSpans;
  readonly nodes: Nodes;
  readonly projectsFolder: ProjectsFolder;
  readonly signals: Signals;
  readonly locks: NameLocks;
  readonly sessions: Sessions;
  readonly alerts: Alerts;
  readonly connectivity: Connectivity;
  /** Id of the database, created once and stored in it. */
  readonly id: string;
  readonly usage: Usage;
  readonly retention: Retention;
  /** Id of this server in the database. */
  readonly nodeId: string;
  /**
   * Checks whether another program damaged the files of the database. Returns why it cannot be used until svc restarts,
   * in one sentence; null if there is no problem, and for a database server.
   */
  examine(): string | null;
  /**
   * Copies an embedded database while it is in use; null for a database server, which has its own tools.
   *
   * @throws StoreError `unavailable` while another copy is in progress
   */
  copy(): Promise<DatabaseCopy | null>;
  /** Rejects if the database does not respond, and, with `unavailable`, while it cannot be written. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Which database to open. */
export type StoreOptions =
  | {
      /** Path of the file of an embedded database; its folder must exist. */
      readonly file: string;
      readonly version: string;
      /** Host name, recorded with the server. Default: none. */
      readonly host?: string;
    }
  | {
      /** Address of a PostgreSQL database: `postgres://USER:PASSWORD@HOST:PORT/NAME`. */
      readonly url: string;
      /** Name of the setting with the address, for errors. Default: `database.url`. */
      readonly setting?: string | undefined;
      readonly version: string;
      readonly host?: string;
    };

/**
 * Opens a database, and creates or migrates its tables: an embedded database for this process only, or a PostgreSQL
 * database (15 or newer) for any number of processes.
 *
 * @param deps.clock time source for records of this server and for the interval of checks of a database that cannot be
 * written.
 * @param deps.logger logs when the database fails and recovers. Default: none.
 * @param options.version version of svc, recorded with the server.
 * @throws StoreError `in_use`, `newer_schema`, `unreadable`, `unavailable`, `no_address`, `pooled`
 */
export function openStore(
  deps: { readonly clock: Clock; readonly logger?: Logger },
  options: StoreOptions,
): Promise<Store> {
  const watching = { clock: deps.clock, logger: deps.logger ?? silentLogger };
  return 'url' in options ? openOnServer(watching, options) : openEmbedded(watching, options);
}

interface Program {
  readonly version: string;
  readonly host?: string | undefined;
}

interface Watching {
  readonly clock: Clock;
  readonly logger: Logger;
}

async function openEmbedded(
  deps: Watching,
  { file, ...program }: Program & { readonly file: string },
): Promise<Store> {
  const health = createHealth(deps, () => probeWrite(db));
  const { dialect, examine, reading } = openSqlite(file, {
    failed: (fault) => health.failed(fault),
    noticed: (remark) => deps.logger.warn({ file }, remark),
  });
  const db = new Kysely<Tables>({ dialect });
  const copies = createCopies(db, reading);
  try {
    await migrate(db, deps.logger, EMBEDDED_STEPS, (to) => keepEarlier(copies, file, to));
    await shrinkOnce(db, deps.logger);
    // Otherwise SQLite writes savepoint data to a file again and again. Set only after the last full pass over the
    // database, which may need more space than there is memory.
    await sql`pragma temp_store=memory`.execute(db);
    const id = await idOf(db);
    await createRetention(db).settle();
    noteDatabase(file, id);
    const nodeId = await noteNode(db, deps.clock, program);
    const look = async (): Promise<void> => {
      await db.selectFrom('instance').select('key').limit(1).execute();
    };
    const alone = { signals: NO_SIGNALS, locks: NO_LOCKS, look, connectivity: ALWAYS_CONNECTED };
    const store = storeOver(db, { id, nodeId }, health, alone);
    const close = async (): Promise<void> => {
      await copies.stop();
      await store.close();
    };
    return { ...store, examine, copy: () => copies.open(), close };
  } catch (error) {
    health.close();
    await db.destroy();
    throw startError(error);
  }
}

// The PostgreSQL driver is loaded only if a server is configured.
async function openOnServer(
  deps: Watching,
  {
    url,
    setting,
    ...program
  }: Program & { readonly url: string; readonly setting?: string | undefined },
): Promise<Store> {
  const { openServer } = await import('./postgres/postgres.ts');
  const { openServerSignals } = await import('./postgres/server-signals.ts');
  const health = createHealth(deps, () => probeWrite(db));
  // An error reports what prevents opening.
  let isOpen = false;
  const listener = {
    failed(fault: Fault) {
      if (isOpen) health.failed(fault);
    },
    setting,
  };
  const { dialect, watch, openLocks, requireSessions } = openServer(url, listener, deps.clock);
  watch.subscribe((away) => {
    if (away === null) health.look();
    else listener.failed(away);
  });
  const db = new Kysely<Tables>({ dialect });
  try {
    // The first statement starts the monitor, which gives up on an unresponsive server within seconds.
    await sql`select 1`.execute(db);
    await requireSessions();
    await migrate(db, deps.logger, SERVER_STEPS);
    const id = await idOf(db);
    const nodeId = await noteNode(db, deps.clock, program);
    const others = {
      signals: openServerSignals(url, deps.clock, nodeId),
      locks: openLocks(),
      look: () => watch.look(),
      connectivity: connectivityOf(watch),
    };
    isOpen = true;
    const store = storeOver(db, { id, nodeId }, health, others);
    return { ...store, examine: () => null, copy: async () => null };
  } catch (error) {
    health.close();
    await db.destroy();
    throw error;
  }
}

async function noteNode(
  db: Kysely<Tables>,
  clock: Clock,
  { version, host }: Program,
): Promise<string> {
  const id = newId();
  const at = isoTime(clock.now());
  const node = { id, started_at: at, heartbeat_at: at, version, host: host ?? null };
  await db.insertInto('node').values(node).execute();
  return id;
}

// Queued work of a failed start must not continue.
function startError(error: unknown): unknown {
  const fault = diskFaultOf(error instanceof StoreError ? error.cause : error);
  if (fault === null) return error;
  const message = fault.kind === 'damaged' ? messageOf(error) : startSentenceOf(fault);
  return new StoreError('unavailable', message, { cause: error });
}

// Without space for a second copy, it is tried again at the next start.
async function shrinkOnce(db: Kysely<Tables>, logger: Logger): Promise<void> {
  try {
    const made = await makeShrinkable(db);
    if (made !== null) logger.info(made, 'database compacted');
  } catch (error) {
    logger.warn({ error: messageOf(error) }, 'cannot compact database');
  }
}

async function idOf(db: Kysely<Tables>): Promise<string> {
  const made = { key: 'id', value: newId() };
  const { value } = await db
    .insertInto('instance')
    .values(made)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key: made.key }))
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

const PROBE = { key: 'write_probe', value: 'x'.repeat(64 * 1024) };

// The row must be large: a small one may fit into a partly filled page even if the disk is full.
async function probeWrite(db: Kysely<Tables>): Promise<void> {
  if (!isEmbedded(db)) await probeRoom(db);
  await db
    .insertInto('instance')
    .values(PROBE)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: PROBE.value }))
    .execute();
  await db.deleteFrom('instance').where('key', '=', PROBE.key).execute();
}

const ROOM_BYTES = 512 * 1024;
const UNDONE = new Error('Only tried.');

// A server has free pages in its tables even if its disk is full, and it compresses repetitive data, so the check
// creates a new table.
async function probeRoom(db: Kysely<Tables>): Promise<void> {
  const may = sql<{ may: number }>`select has_schema_privilege(current_schema(), 'create') as may`;
  if ((await may.execute(db)).rows[0]?.may !== 1) return;
  const attempt = db.transaction().execute(async (tx) => {
    await sql`create table write_probe (filler bytea)`.execute(tx);
    await sql`insert into write_probe values (${randomBytes(ROOM_BYTES)})`.execute(tx);
    throw UNDONE;
  });
  await attempt.catch((error: unknown) => {
    if (error !== UNDONE) throw error;
  });
}

/** What differs between an embedded database and a database server. */
interface BackendServices {
  readonly signals: OpenSignals;
  readonly locks: OpenLocks;
  /** Rejects if it does not respond. */
  look(): Promise<void>;
  readonly connectivity: Connectivity;
}

function storeOver(
  db: Kysely<Tables>,
  ids: { readonly id: string; readonly nodeId: string },
  health: Health,
  { signals, locks, look, connectivity }: BackendServices,
): Omit<Store, 'examine' | 'copy'> {
  return {
    ...ids,
    claims: createClaims(db),
    runs: createRuns(db),
    chats: createChats(db),
    events: createEvents(db),
    turns: createTurns(db, ids.nodeId),
    triggers: createTriggerMemory(db),
    pausing: createPausing(db),
    changes: createChanges(db, ids.nodeId),
    armingCache: createArmingCache(db),
    goodTexts: createGoodTexts(db),
    spans: createServiceSpans(db, ids.nodeId),
    nodes: createNodes(db, ids.nodeId, isEmbedded(db)),
    projectsFolder: createProjectsFolder(db),
    signals,
    locks: createNameLocks(locks),
    connectivity,
    sessions: createSessions(db),
    alerts: createAlerts(db),
    usage: createUsage(db),
    retention: createRetention(db),
    async ping() {
      if (health.fault !== null) throw new StoreError('unavailable', health.fault);
      await look();
    },
    async close() {
      health.close();
      await Promise.all([signals.close(), locks.close()]);
      await db.destroy();
    },
  };
}

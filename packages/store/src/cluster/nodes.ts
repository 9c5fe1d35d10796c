import { isoTime } from '@svc/core';
import type { TurnId } from '@svc/records';
import {
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely';
import { OWN_ROW } from '../database/dialect.ts';
import type { Tables } from '../database/schema.ts';
import { openTurns } from '../turns/open-turns.ts';
import { type GoneNode, type NodePlace, readGone, readPlaces } from './gone-nodes.ts';

/** A server that uses the database. */
export interface ServiceNode {
  readonly id: string;
  /** Host name; null if unknown. */
  readonly host: string | null;
  /** Version of svc. */
  readonly version: string;
  readonly startedAt: string;
  /** Its last heartbeat. */
  readonly heartbeatAt: string;
  /** Whether it fires triggers; false while it starts and while it shuts down. */
  readonly isServing: boolean;
  /** Number of running turns. */
  readonly running: number;
  /** Values that must match on all servers, by name; empty if it has not reported them. */
  readonly traits: Traits;
}

/** Values that must match on all servers, by name. */
export type Traits = Readonly<Record<string, string>>;
/** A server without a heartbeat since the given one. */
export interface SilentNode extends Pick<ServiceNode, 'id' | 'heartbeatAt'> {
  /** Number of projects it owned. Default: unknown. */
  readonly projects?: number | undefined;
}

/** Result of an eviction. */
export interface GoneNodes {
  /** Ids of the servers that are now evicted. */
  readonly ids: readonly string[];
  /** Number of turns that they had taken and not started, which are queued again. */
  readonly released: number;
}

/**
 * The servers that use the database, including this one. A server that stopped or was evicted never returns under the
 * same id.
 */
export interface Nodes {
  /** Time of the database server in milliseconds since the epoch; null for an embedded database. */
  time(): Promise<number | null>;
  /** Live servers, oldest first. */
  list(): Promise<readonly ServiceNode[]>;
  /** Records when this server started, once the time of the database is known. */
  started(at: number): Promise<void>;
  /** Records a heartbeat of this server; false if it was evicted, so that its turns are no longer its own. */
  beat(at: number): Promise<boolean>;
  /** Records the values of this server that must match on all servers. */
  describe(traits: Traits): Promise<void>;
  /**
   * Evicts servers without a heartbeat since the given one, or, with `others`, all but this one, whose database is
   * embedded. Turns that they had taken and not started are queued again.
   */
  evict(silent: readonly SilentNode[] | 'others', at: number): Promise<GoneNodes>;
  /** Servers that fired triggers and have stopped or were evicted since an instant: the newest 20, most recent first. */
  gone(since: number): Promise<readonly GoneNode[]>;
  /** Records the address and home of this server. */
  locate(place: NodePlace): Promise<void>;
  /** Address and home of each live server that has reported them, by id. */
  places(): Promise<ReadonlyMap<string, NodePlace>>;
  /** Running turns of this server, according to the database. */
  own(): Promise<readonly TurnId[]>;
  /** Running turns of servers that have stopped or were evicted. */
  orphans(): Promise<readonly TurnId[]>;
  /** This server stops: turns that it has taken and not started are queued again. */
  leave(at: number): Promise<void>;
}

export function createNodes(db: Kysely<Tables>, nodeId: string, isAlone: boolean): Nodes {
  return {
    time: () => (isAlone ? Promise.resolve(null) : readTime(db)),
    list: () => readNodes(db, isAlone ? nodeId : null),
    async started(at) {
      const now = { started_at: isoTime(at), heartbeat_at: isoTime(at) };
      await db.updateTable('node').set(now).where('id', '=', nodeId).execute();
    },
    async beat(at) {
      // Only this server writes the row, so the heartbeat never waits for another writer; a late heartbeat would be
      // useless.
      const { rows } = await sql`
        ${sql.raw(OWN_ROW)} update node set heartbeat_at = ${isoTime(at)}
        where id = ${nodeId} and gone_at is null returning id`.execute(db);
      return rows.length > 0;
    },
    async describe(traits) {
      await sql`
        ${sql.raw(OWN_ROW)} update node set traits = ${JSON.stringify(traits)}
        where id = ${nodeId}`.execute(db);
    },
    evict: (silent, at) => db.transaction().execute((tx) => evict(tx, nodeId, silent, at)),
    gone: (since) => readGone(db, since),
    async locate({ url, home }) {
      await sql`
        ${sql.raw(OWN_ROW)} update node set url = ${url}, home = ${home}
        where id = ${nodeId}`.execute(db);
    },
    places: () => readPlaces(db),
    async own() {
      const running = openTurns(db, 'running').select('id').where('owner_node', '=', nodeId);
      return (await running.execute()).map(({ id }) => id);
    },
    async orphans() {
      const rows = await openTurns(db, 'running')
        .select('id')
        .where((eb) => eb.or([eb('owner_node', 'is', null), eb('owner_node', 'not in', there(db))]))
        .orderBy('nr')
        .execute();
      return rows.map(({ id }) => id);
    },
    async leave(at) {
      await db.transaction().execute(async (tx) => {
        await tx
          .updateTable('node')
          .set({ gone_at: isoTime(at), heartbeat_at: isoTime(at) })
          .where('id', '=', nodeId)
          .where('gone_at', 'is', null)
          .execute();
        await release(tx);
      });
    },
  };
}

async function readTime(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint) as ms`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The database did not return its time.');
  return Number(row.ms);
}

async function evict(
  tx: Transaction<Tables>,
  nodeId: string,
  silent: Parameters<Nodes['evict']>[0],
  at: number,
): Promise<GoneNodes> {
  const dead: string[] = [];
  const mark = tx
    .updateTable('node')
    .set({ gone_at: isoTime(at), evicted_by: silent === 'others' ? null : nodeId })
    .where('gone_at', 'is', null)
    .where('id', '<>', nodeId)
    .returning('id');
  if (silent === 'others') dead.push(...(await mark.execute()).map(({ id }) => id));
  else {
    for (const { id, heartbeatAt, projects = null } of silent) {
      const rows = await mark
        .set({ projects })
        .where('id', '=', id)
        .where('heartbeat_at', '=', heartbeatAt)
        .execute();
      dead.push(...rows.map((row) => row.id));
    }
  }
  return { ids: dead, released: await release(tx) };
}

// Releases turns that stopped or evicted servers had taken and not started.
async function release(tx: Transaction<Tables>): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('turn')
    .set({ owner_node: null })
    .where('state', '<>', sql.lit('ended'))
    .where('state', '=', 'queued')
    .where('owner_node', 'is not', null)
    .where('owner_node', 'not in', there(tx))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Whether a server has neither stopped nor been evicted. */
export function isThere(id: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from node where node.id = ${id} and node.gone_at is not null)`;
}

/** Ids of the live servers. */
export function there(db: Kysely<Tables>): SelectQueryBuilder<Tables, 'node', { id: string }> {
  return db.selectFrom('node').select('id').where('gone_at', 'is', null);
}

async function readNodes(db: Kysely<Tables>, only: string | null): Promise<ServiceNode[]> {
  const rows = await db
    .selectFrom('node')
    .select([
      'id',
      'host',
      'version',
      'started_at',
      'heartbeat_at',
      'serving_from',
      'stopped_at',
      'traits',
    ])
    .select((eb) =>
      eb
        .selectFrom('turn')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('turn.state', '<>', sql.lit('ended'))
        .where('turn.state', '=', 'running')
        .whereRef('turn.owner_node', '=', 'node.id')
        .as('running'),
    )
    .where('gone_at', 'is', null)
    .$if(only !== null, (query) => query.where('id', '=', only))
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    version: row.version,
    startedAt: row.started_at,
    heartbeatAt: row.heartbeat_at,
    isServing: row.serving_from !== null && row.stopped_at === null,
    running: Number(row.running),
    traits: row.traits === null ? {} : (JSON.parse(row.traits) as Traits),
  }));
}

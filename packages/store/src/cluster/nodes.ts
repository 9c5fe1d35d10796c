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

/** A process that uses the database. */
export interface ServiceNode {
  readonly id: string;
  /** Name of its machine; null where that is not known. */
  readonly host: string | null;
  /** Version of its program. */
  readonly version: string;
  readonly startedAt: string;
  /** Its last sign of life. */
  readonly heartbeatAt: string;
  /** Whether it fires what is due; false while it starts, and once it is about to stop. */
  readonly isServing: boolean;
  /** How many turns it runs. */
  readonly running: number;
  /** What is to be the same on all processes, by name, as it is on this one; empty while it has not told. */
  readonly traits: Traits;
}

/** What is to be the same on all processes, by name. */
export type Traits = Readonly<Record<string, string>>;
/** A process that has given no sign of life since the one that is named. */
export interface SilentNode extends Pick<ServiceNode, 'id' | 'heartbeatAt'> {
  /** How many projects it looked after. Default: that is not known. */
  readonly projects?: number | undefined;
}

/** What was found out about processes that are not heard of any more. */
export interface GoneNodes {
  /** Those that are held for dead from now on. */
  readonly ids: readonly string[];
  /** How many turns they had taken and not started: these wait again. */
  readonly released: number;
}

/** The processes that use the database, this one among them. A process that left, or is held for dead, never comes back. */
export interface Nodes {
  /** What the clock of the database says, in milliseconds since the epoch; null where it has none but that of this process. */
  time(): Promise<number | null>;
  /** Those that are there, the one that has been there longest first. */
  list(): Promise<readonly ServiceNode[]>;
  /** Notes when this process started, once it knows the time that counts. */
  started(at: number): Promise<void>;
  /** This process gives a sign of life; false where it is held for dead, so that nothing it runs is its own any more. */
  beat(at: number): Promise<boolean>;
  /** This process tells what is to be the same on all. */
  describe(traits: Traits): Promise<void>;
  /**
   * Holds processes for dead that have given no sign of life since the one that is named; with `others` all but this one, which
   * has the database for itself. What they had taken and not started waits again.
   */
  evict(silent: readonly SilentNode[] | 'others', at: number): Promise<GoneNodes>;
  /** Those that fired what was due and have gone since an instant: the newest 20, the one that went last first. */
  gone(since: number): Promise<readonly GoneNode[]>;
  /** This process tells where it is found. */
  locate(place: NodePlace): Promise<void>;
  /** Where those are found that are there and have told; by id. */
  places(): Promise<ReadonlyMap<string, NodePlace>>;
  /** Turns that run, as far as anybody knows, of this process. */
  own(): Promise<readonly TurnId[]>;
  /** The same of processes that are not there any more. */
  orphans(): Promise<readonly TurnId[]>;
  /** This process leaves: what it has taken and not started waits again. */
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
      // Nobody else writes the row, so it waits for nobody who writes: a sign of life that is late is none.
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

// What processes have taken and not started that are not there any more.
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

/** That a process is not held for dead, nor has left. */
export function isThere(id: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (select 1 from node where node.id = ${id} and node.gone_at is not null)`;
}

/** Ids of the processes that are there. */
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

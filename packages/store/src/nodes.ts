import { isoTime } from '@svc/core';
import type { TurnId } from '@svc/records';
import { type Kysely, sql } from 'kysely';
import type { Tables } from './schema.ts';

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
  /** Those that are there, the one that has been there longest first. */
  list(): Promise<readonly ServiceNode[]>;
  /** This process gives a sign of life; false where it is held for dead, so that nothing it runs is its own any more. */
  beat(at: number): Promise<boolean>;
  /**
   * Holds processes for dead that have given no sign of life since `before`; in an embedded database, which this process has
   * for itself, all others. What they had taken and not started waits again.
   */
  bury(before: number, at: number): Promise<GoneNodes>;
  /** Turns that run, as far as anybody knows, of processes that are not there any more. */
  orphans(): Promise<readonly TurnId[]>;
  /** This process leaves. */
  leave(at: number): Promise<void>;
}

export function createNodes(db: Kysely<Tables>, nodeId: string, isAlone: boolean): Nodes {
  return {
    list: () => readNodes(db),
    async beat(at) {
      const { numUpdatedRows } = await db
        .updateTable('node')
        .set({ heartbeat_at: isoTime(at) })
        .where('id', '=', nodeId)
        .where('gone_at', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async bury(before, at) {
      return db.transaction().execute(async (tx) => {
        const dead = await tx
          .updateTable('node')
          .set({ gone_at: isoTime(at) })
          .where('gone_at', 'is', null)
          .where('id', '<>', nodeId)
          .$if(!isAlone, (query) => query.where('heartbeat_at', '<', isoTime(before)))
          .returning('id')
          .execute();
        const { numUpdatedRows } = await tx
          .updateTable('turn')
          .set({ owner_node: null })
          .where('state', '<>', sql.lit('ended'))
          .where('state', '=', 'queued')
          .where('owner_node', 'is not', null)
          .where('owner_node', 'not in', there(tx))
          .executeTakeFirstOrThrow();
        return { ids: dead.map(({ id }) => id), released: Number(numUpdatedRows) };
      });
    },
    async orphans() {
      const rows = await db
        .selectFrom('turn')
        .select('id')
        .where('state', '<>', sql.lit('ended'))
        .where('state', '=', 'running')
        .where((eb) => eb.or([eb('owner_node', 'is', null), eb('owner_node', 'not in', there(db))]))
        .orderBy('nr')
        .execute();
      return rows.map(({ id }) => id);
    },
    async leave(at) {
      await db
        .updateTable('node')
        .set({ gone_at: isoTime(at), heartbeat_at: isoTime(at) })
        .where('id', '=', nodeId)
        .where('gone_at', 'is', null)
        .execute();
    },
  };
}

function there(db: Kysely<Tables>) {
  return db.selectFrom('node').select('id').where('gone_at', 'is', null);
}

async function readNodes(db: Kysely<Tables>): Promise<ServiceNode[]> {
  const rows = await db
    .selectFrom('node')
    .select(['id', 'host', 'version', 'started_at', 'heartbeat_at', 'serving_from', 'stopped_at'])
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
  }));
}

import { isoTime } from '@svc/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** A process that used the database, and is not there any more. */
export interface GoneNode {
  readonly id: string;
  /** Name of its machine; null where that is not known. */
  readonly host: string | null;
  readonly version: string;
  /** Where it answered, and its home; null where it has not told. */
  readonly url: string | null;
  readonly home: string | null;
  readonly startedAt: string;
  /** Its last sign of life. */
  readonly heartbeatAt: string;
  /** When it left, or was held for dead. */
  readonly goneAt: string;
  /** Whether it was held for dead; false for one that left by itself. */
  readonly isLost: boolean;
  /** How many projects it looked after when it was held for dead; null where that is not known. */
  readonly projects: number | null;
}

const MOST = 20;

/** Processes that fired what was due and have gone since an instant: the newest 20, the one that went last first. */
export async function readGone(db: Kysely<Tables>, since: number): Promise<GoneNode[]> {
  const rows = await db
    .selectFrom('node')
    .select(['id', 'host', 'version', 'url', 'home', 'started_at', 'heartbeat_at', 'gone_at'])
    .select(['evicted_by', 'projects'])
    .where('gone_at', '>=', isoTime(since))
    .where('serving_from', 'is not', null)
    // One that had its database for itself has left no server behind.
    .where((eb) => eb.or([eb('url', 'is not', null), eb('evicted_by', 'is not', null)]))
    .orderBy('gone_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, host: row.host, version: row.version, url: row.url, home: row.home },
    startedAt: row.started_at,
    heartbeatAt: row.heartbeat_at,
    goneAt: row.gone_at ?? '',
    isLost: row.evicted_by !== null,
    projects: row.projects === null ? null : Number(row.projects),
  }));
}

/** Where a process is found. */
export interface NodePlace {
  readonly url: string;
  readonly home: string;
}

/** Where each process is found that is there and has told; by id. */
export async function readPlaces(db: Kysely<Tables>): Promise<ReadonlyMap<string, NodePlace>> {
  const rows = await db
    .selectFrom('node')
    .select(['id', 'url', 'home'])
    .where('gone_at', 'is', null)
    .execute();
  return new Map(
    rows.flatMap(({ id, url, home }) =>
      url === null || home === null ? [] : [[id, { url, home }]],
    ),
  );
}

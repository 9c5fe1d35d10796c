import { isoTime } from '@svc/core';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** A server that stopped or was evicted. */
export interface GoneNode {
  readonly id: string;
  /** Host name; null if unknown. */
  readonly host: string | null;
  readonly version: string;
  /** Its address and home; null if it did not report them. */
  readonly url: string | null;
  readonly home: string | null;
  readonly startedAt: string;
  /** Its last heartbeat. */
  readonly heartbeatAt: string;
  /** When it stopped or was evicted. */
  readonly goneAt: string;
  /** Whether it was evicted; false if it stopped. */
  readonly isLost: boolean;
  /** Number of projects it owned when it was evicted; null if unknown. */
  readonly projects: number | null;
}

const MOST = 20;

/** Servers that fired triggers and have stopped or were evicted since an instant: the newest 20, most recent first. */
export async function readGone(db: Kysely<Tables>, since: number): Promise<GoneNode[]> {
  const rows = await db
    .selectFrom('node')
    .select(['id', 'host', 'version', 'url', 'home', 'started_at', 'heartbeat_at', 'gone_at'])
    .select(['evicted_by', 'projects'])
    .where('gone_at', '>=', isoTime(since))
    .where('serving_from', 'is not', null)
    // A server with an embedded database is not part of a cluster.
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

/** Address and home of a server. */
export interface NodePlace {
  readonly url: string;
  readonly home: string;
}

/** Address and home of each live server that has reported them, by id. */
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

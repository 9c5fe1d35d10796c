import { isoTime } from '@svc/core';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** A time in which the service fired what was due. */
export interface ServiceSpan {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** When it stopped, or was last known to be at work; null while it is. */
  readonly until: number | null;
  /** Whether it stopped by itself; false for one that was killed, and while it is at work. */
  readonly isClean: boolean;
}

/** When the service was at work. */
export interface ServiceSpans {
  /** This process begins to fire what is due. */
  begin(at: number): Promise<void>;
  /** It is still at work. */
  beat(at: number): Promise<void>;
  /** It has stopped. */
  end(at: number): Promise<void>;
  /** The spans that begin at or before an instant, the newest two, and the first one after it; oldest first. */
  around(at: number): Promise<readonly ServiceSpan[]>;
  /** Removes those of processes that were last at work before an instant, but for the newest; returns how many. */
  prune(before: number, limit: number): Promise<number>;
}

export function createServiceSpans(db: Kysely<Tables>, nodeId: string): ServiceSpans {
  // One that is held for dead may still be at work, after it stood still: when it was last heard of stays as it is.
  const set = async (values: Readonly<Record<string, string>>): Promise<void> => {
    const own = db.updateTable('node').set(values).where('id', '=', nodeId);
    await own.where('gone_at', 'is', null).execute();
  };
  return {
    begin: (at) => set({ serving_from: isoTime(at), heartbeat_at: isoTime(at) }),
    beat: (at) => set({ heartbeat_at: isoTime(at) }),
    end: (at) => set({ stopped_at: isoTime(at), heartbeat_at: isoTime(at) }),
    async around(at) {
      const spans = db
        .selectFrom('node')
        .select(['serving_from', 'heartbeat_at', 'stopped_at', 'gone_at'])
        .where('serving_from', 'is not', null);
      const before = spans.where('serving_from', '<=', isoTime(at));
      const after = spans.where('serving_from', '>', isoTime(at));
      const rows = [
        // Of several at once the one that lasts longest tells.
        ...(
          await before
            .orderBy(
              sql`case when stopped_at is null and gone_at is null then 1 else 0 end`,
              'desc',
            )
            .orderBy(sql`coalesce(stopped_at, heartbeat_at)`, 'desc')
            .limit(2)
            .execute()
        ).reverse(),
        ...(await after.orderBy('serving_from').limit(1).execute()),
      ];
      return rows.map((row) => {
        const isNow = row.gone_at === null && row.stopped_at === null;
        return {
          from: Date.parse(row.serving_from ?? ''),
          until: isNow ? null : Date.parse(row.stopped_at ?? row.heartbeat_at),
          isClean: row.stopped_at !== null,
        };
      });
    },
    async prune(before, limit) {
      const newest = db.selectFrom('node').select('id').orderBy('id', 'desc').limit(2);
      const old = db
        .selectFrom('node')
        .select('id')
        .where('heartbeat_at', '<', isoTime(before))
        .where('id', '<>', nodeId)
        .where('id', 'not in', newest)
        .limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom('node')
        .where('id', 'in', old)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

import { isoTime } from '@svc/core';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** A period in which the service fired triggers. */
export interface ServiceSpan {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** When it stopped, or its last heartbeat; null while it is running. */
  readonly until: number | null;
  /** Whether it shut down cleanly; false if it was killed, and while it is running. */
  readonly isClean: boolean;
}

/** When the service was running. */
export interface ServiceSpans {
  /** Records that this process starts to fire triggers. */
  begin(at: number): Promise<void>;
  /** Records a heartbeat. */
  beat(at: number): Promise<void>;
  /** Records that it stopped. */
  end(at: number): Promise<void>;
  /** The two newest spans that begin at or before an instant, and the first one after it; oldest first. */
  around(at: number): Promise<readonly ServiceSpan[]>;
  /** Removes spans whose last heartbeat was before an instant, except the newest; returns how many. */
  prune(before: number, limit: number): Promise<number>;
}

export function createServiceSpans(db: Kysely<Tables>, nodeId: string): ServiceSpans {
  // An evicted process may resume after it was suspended. The recorded time of its last heartbeat must not change.
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
        // Of several servers at once, the span that lasts longest counts.
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

import type { Kysely } from 'kysely';
import type { Tables } from './database/schema.ts';

/** A sign-in as it is kept: digests, and when it ends (UTC ISO text with milliseconds). */
export interface SessionRow {
  readonly digest: string;
  readonly tokenDigest: string;
  readonly expiresAt: string;
}

/** The sessions of people at the page. */
export interface Sessions {
  /** Keeps a session, and forgets those that have expired by `now`. */
  add(session: SessionRow, now: string): Promise<void>;
  /** Those of these digests that are kept, in any order; at least one digest has to be given. */
  find(digests: readonly string[]): Promise<readonly SessionRow[]>;
  /** Forgets a session; one that is not there is no fault. */
  remove(digest: string): Promise<void>;
}

export function createSessions(db: Kysely<Tables>): Sessions {
  return {
    async add({ digest, tokenDigest, expiresAt }, now) {
      await db.deleteFrom('session').where('expires_at', '<=', now).execute();
      await db
        .insertInto('session')
        .values({ digest, token_digest: tokenDigest, expires_at: expiresAt, created_at: now })
        .execute();
    },
    async find(digests) {
      const rows = await db
        .selectFrom('session')
        .selectAll()
        .where('digest', 'in', digests)
        .execute();
      return rows.map(({ digest, token_digest, expires_at }) => ({
        digest,
        tokenDigest: token_digest,
        expiresAt: expires_at,
      }));
    },
    async remove(digest) {
      await db.deleteFrom('session').where('digest', '=', digest).execute();
    },
  };
}

import type { Kysely } from 'kysely';
import type { Tables } from './database/schema.ts';

/** A stored sign-in: digests, and when it expires (UTC ISO text with milliseconds). */
export interface SessionRow {
  readonly digest: string;
  readonly tokenDigest: string;
  readonly expiresAt: string;
}

/** Sign-in sessions of people. */
export interface Sessions {
  /** Stores a session, and deletes those that have expired by `now`. */
  add(session: SessionRow, now: string): Promise<void>;
  /** The stored sessions with these digests, in any order; requires at least one digest. */
  find(digests: readonly string[]): Promise<readonly SessionRow[]>;
  /** Deletes a session, if it exists. */
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

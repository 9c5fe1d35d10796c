import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

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
  find(digest: string): Promise<SessionRow | null>;
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
    async find(digest) {
      const row = await db
        .selectFrom('session')
        .selectAll()
        .where('digest', '=', digest)
        .executeTakeFirst();
      if (row === undefined) return null;
      return { digest, tokenDigest: row.token_digest, expiresAt: row.expires_at };
    },
    async remove(digest) {
      await db.deleteFrom('session').where('digest', '=', digest).execute();
    },
  };
}

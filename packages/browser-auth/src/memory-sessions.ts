import type { SessionStore, StoredSession } from './sessions.ts';

/** Creates a session store in memory. */
export function createMemorySessions(): SessionStore {
  const sessions = new Map<string, StoredSession>();
  return {
    async add(session, now) {
      for (const { digest, expiresAt } of [...sessions.values()]) {
        if (expiresAt <= now) sessions.delete(digest);
      }
      sessions.set(session.digest, session);
    },
    find: async (digests) => digests.flatMap((digest) => sessions.get(digest) ?? []),
    async remove(digest) {
      sessions.delete(digest);
    },
  };
}

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, isoTime } from '@svc/core';
import { clearingCookie, sessionCookie, sessionIdsOf } from './cookies.ts';
import type { GateRequest } from './request.ts';

/** A session as it is stored. It contains nothing that grants access. */
export interface StoredSession {
  /** SHA-256 of its id, hexadecimal. */
  readonly digest: string;
  /**
   * HMAC-SHA-256 of the access token with the id as key, hexadecimal. Without the cookie it reveals nothing about
   * the token.
   */
  readonly tokenDigest: string;
  /** Instant, as UTC ISO text with milliseconds. */
  readonly expiresAt: string;
}

/** Where sessions are stored. */
export interface SessionStore {
  /** Stores a session, and removes those that have expired by `now`. */
  add(session: StoredSession, now: string): Promise<void>;
  /** The stored sessions with these digests, in any order. */
  find(digests: readonly string[]): Promise<readonly StoredSession[]>;
  /** Removes a session. Does nothing if it does not exist. */
  remove(digest: string): Promise<void>;
}

/** The sessions of users who signed in with the access token. */
export interface Sessions {
  /** Whether a cookie of the request names an active session. */
  has(request: GateRequest): Promise<boolean>;
  /** Starts a session that replaces those of the request, and returns the value of `Set-Cookie`. */
  begin(request: GateRequest, secure: boolean): Promise<string>;
  /** Ends the sessions of the request, and returns the value of `Set-Cookie`. */
  end(request: GateRequest, secure: boolean): Promise<string>;
}

/** Milliseconds from sign-in until a session expires: a week. */
const LIFETIME_MS = 7 * 86_400_000;

export function createSessions(
  { clock, store }: { readonly clock: Pick<Clock, 'now'>; readonly store: SessionStore },
  { token, cookieName }: { readonly token: string; readonly cookieName: string },
): Sessions {
  const endAll = async (request: GateRequest): Promise<void> => {
    for (const id of sessionIdsOf(request, cookieName)) await store.remove(digestOf(id));
  };
  return {
    async has(request) {
      const now = isoTime(clock.now());
      const ids = new Map(sessionIdsOf(request, cookieName).map((id) => [digestOf(id), id]));
      const kept = ids.size === 0 ? [] : await store.find([...ids.keys()]);
      return kept.some(
        (session) => session.expiresAt > now && isOf(token, ids.get(session.digest) ?? '', session),
      );
    },
    async begin(request, secure) {
      await endAll(request);
      const id = randomBytes(32).toString('base64url');
      const now = clock.now();
      const session = {
        digest: digestOf(id),
        tokenDigest: tokenDigestOf(token, id),
        expiresAt: isoTime(now + LIFETIME_MS),
      };
      await store.add(session, isoTime(now));
      return sessionCookie(cookieName, { id, lifetimeMs: LIFETIME_MS, secure });
    },
    async end(request, secure) {
      await endAll(request);
      return clearingCookie(cookieName, secure);
    },
  };
}

function isOf(token: string, id: string, { tokenDigest }: StoredSession): boolean {
  const [given, kept] = [tokenDigestOf(token, id), tokenDigest].map((text) => Buffer.from(text));
  return (
    given !== undefined && given.length === kept?.length && timingSafeEqual(given, kept as Buffer)
  );
}

function tokenDigestOf(token: string, id: string): string {
  return createHmac('sha256', id).update(token).digest('hex');
}

function digestOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

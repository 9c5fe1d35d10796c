import type { GateRequest } from './request.ts';

/** Default name of the session cookie. */
export const SESSION_COOKIE = 'svc_session';

// More than fit into a request head of 16 KiB.
const MOST_IDS = 256;
const ID = /^[A-Za-z0-9_-]{43}$/;

/**
 * The distinct session ids in the cookies of this name, at most 256. A browser may send several, set for different
 * paths and domains.
 */
export function sessionIdsOf({ headers }: Pick<GateRequest, 'headers'>, name: string): string[] {
  const cookies = [headers['cookie'] ?? []].flat().join(';').split(';');
  const ids = cookies.flatMap((cookie) => {
    const at = cookie.indexOf('=');
    const value = cookie.slice(at + 1).trim();
    return cookie.slice(0, at).trim() === name && ID.test(value) ? [value] : [];
  });
  return [...new Set(ids)].slice(0, MOST_IDS);
}

/**
 * Value of `Set-Cookie` (RFC 6265) that sets the session cookie, inaccessible to scripts and not sent with
 * cross-site requests.
 */
export function sessionCookie(
  name: string,
  { id, lifetimeMs, secure }: { id: string; lifetimeMs: number; secure: boolean },
): string {
  const maxAge = Math.floor(lifetimeMs / 1000);
  const parts = [`${name}=${id}`, 'Path=/', `Max-Age=${maxAge}`, 'HttpOnly'];
  return [...parts, 'SameSite=Strict', ...(secure ? ['Secure'] : [])].join('; ');
}

/** Value of `Set-Cookie` that removes the session cookie. */
export function clearingCookie(name: string, secure: boolean): string {
  return sessionCookie(name, { id: '', lifetimeMs: 0, secure });
}

const SIGN_IN = '/sign-in';

/**
 * Returns the path, query and hash of a local address; null for foreign addresses, invalid paths and the sign-in itself.
 * Characters that browsers drop or rewrite (tabs, backslashes, dot segments) are normalized first.
 */
export function localPath(next: unknown, origin: string): string | null {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, origin)) return null;
  const url = new URL(next, origin);
  const isOwn = url.origin === new URL(origin).origin && !url.pathname.startsWith('//');
  if (!isOwn || url.pathname === SIGN_IN) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

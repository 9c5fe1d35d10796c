const SIGN_IN = '/sign-in';

/**
 * The path, query and hash that a text names within this page; null for addresses of others, for what is no path, and for
 * the sign-in itself. What a browser would drop or turn on the way (tabs, backslashes, dots) is dropped and turned first.
 */
export function ownPath(next: unknown, origin: string): string | null {
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, origin)) return null;
  const url = new URL(next, origin);
  const isOwn = url.origin === new URL(origin).origin && !url.pathname.startsWith('//');
  if (!isOwn || url.pathname === SIGN_IN) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

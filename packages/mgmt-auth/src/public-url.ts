import { isLoopbackName } from '@svc/core';

/** A usable URL, or its problem. */
export type PublicUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly problem: string };

/** Checks an absolute URL: https, or http on a loopback host; no userinfo, query or fragment. */
export function parsePublicUrl(raw: unknown): PublicUrl {
  if (raw === undefined || raw === null || raw === '') return wrong('is missing');
  // URL silently drops line breaks and tabs.
  if (typeof raw !== 'string' || /[\s\p{Cc}]/u.test(raw) || !URL.canParse(raw)) {
    return wrong('is not a URL such as https://svc.example.com');
  }
  if (!/^https?:\/\//i.test(raw)) return wrong('must start with https://');
  if (/[?#]/.test(raw)) return wrong('must not have a query or fragment');
  const url = new URL(raw);
  if (url.username !== '' || url.password !== '')
    return wrong('must not contain a user or password');
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname)) {
    return wrong('must be https unless its host is loopback');
  }
  return { ok: true, url };
}

/** Origin and path without trailing slashes. */
export function baseOf(url: URL): string {
  return url.origin + pathOf(url);
}

/** The path without trailing slashes; empty for the root. */
export function pathOf(url: URL): string {
  let end = url.pathname.length;
  while (url.pathname[end - 1] === '/') end -= 1;
  return url.pathname.slice(0, end);
}

function wrong(problem: string): PublicUrl {
  return { ok: false, problem };
}

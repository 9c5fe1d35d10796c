import type { RequestHeaders } from '@svc/core';

/** The first value of `X-Forwarded-Proto`, in lower case; empty without one. */
export function forwardedProtocol(headers: RequestHeaders): string {
  const [first = ''] = [headers['x-forwarded-proto'] ?? ''].flat().join(',').split(',');
  return first.trim().toLowerCase();
}

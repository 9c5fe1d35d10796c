import { forwardedProtocol } from '@svc/core';
import { hostnameOf } from './hosts.ts';
import type { GateRequest } from './request.ts';
import { parseUrl, single } from './values.ts';

/** Which pages belong to the service. */
export interface OriginOptions {
  /** Further hosts that browsers may use: `host`, which stands for its ports 80 and 443, or `host:port`. Default: none. */
  readonly publicHosts?: readonly string[];
  /** Canonical public address of the instance. Default: none. */
  readonly publicUrl?: string | null;
  /** Peers whose `X-Forwarded-Proto` is trusted. Default: none. */
  readonly trustedProxies?: { has(address: string | undefined): boolean };
}

/** Decides whether a page with this Origin header may change something. */
type OriginCheck = (origin: string, request: GateRequest) => boolean;

/** Creates the check. Scheme, host and port must all match the request itself or a configured address. */
export function createOriginCheck(options: OriginOptions): OriginCheck {
  const { publicHosts = [], publicUrl, trustedProxies } = options;
  const known = new Set(publicHosts.flatMap(originsOf));
  const publicOrigin = originOf(publicUrl ?? '');
  if (publicOrigin !== null) known.add(publicOrigin);
  return (origin, request) => {
    const given = origin.toLowerCase();
    // Browsers write an origin in exactly one way, so any other spelling is invalid.
    if (originOf(given) !== given) return false;
    if (known.has(given)) return true;
    const scheme = isHttps(request, trustedProxies) ? 'https' : 'http';
    return originOf(`${scheme}://${single(request.headers['host']) ?? ''}`) === given;
  };
}

/** Whether a request used https, to this process or to a trusted proxy. */
export function isHttps(
  { headers, encrypted, remoteAddress }: GateRequest,
  proxies: OriginOptions['trustedProxies'],
): boolean {
  if (encrypted === true) return true;
  return forwardedProtocol(headers) === 'https' && proxies?.has(remoteAddress) === true;
}

// Without a port, it stands for the default ports of both schemes.
function originsOf(entry: string): string[] {
  if (hostnameOf(entry) === null) return [];
  return ['http', 'https'].flatMap((scheme) => originOf(`${scheme}://${entry.trim()}`) ?? []);
}

// URL drops a default port and writes hosts in lower case.
function originOf(text: string): string | null {
  const url = parseUrl(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.origin : null;
}

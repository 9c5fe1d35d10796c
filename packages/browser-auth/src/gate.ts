import { bearerOf, forwardedAddresses, isLoopbackAddress } from '@svc/core';
import { hostnameOf, isLocalName } from './hosts.ts';
import type { AuthMode } from './identity.ts';
import { createOriginCheck, type OriginOptions } from './origins.ts';
import type { GateRequest } from './request.ts';
import { createSecretCheck } from './token.ts';
import { parseUrl, single } from './values.ts';

/** A refusal, ready to be answered. */
export interface GateRefusal {
  readonly status: 403;
  readonly code: 'forbidden_origin' | 'forbidden_host' | 'auth_not_configured';
  /** One sentence that says what to do. */
  readonly error: string;
}

/** What the gate lets in. */
export interface GateOptions extends OriginOptions {
  /**
   * `unset` lets in only peers on this machine. A foreign Host is refused but for `token` and `jwt`, where a page that has
   * taken a name for itself has no credential to go with it.
   */
  readonly mode: AuthMode;
  /** A bearer secret that programs on this machine use; it passes every check. Default: none. */
  readonly localSecret?: string | null;
}

/** Decides whether a request may go on; null means yes. */
export type Gate = (request: GateRequest) => GateRefusal | null;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Makes the gate that keeps hostile web pages away from a service, and strangers from one that has no login: it checks the
 * peer, the Host header (against DNS rebinding) and, for requests that change something, the Origin header
 * (against cross-site requests).
 */
export function createGate(options: GateOptions): Gate {
  const known = knownNames(options);
  const isOwnOrigin = createOriginCheck(options);
  const isSecret = createSecretCheck(options.localSecret ?? null);
  const checksHost = options.mode !== 'token' && options.mode !== 'jwt';
  return (request) => {
    const bearer = bearerOf(request.headers['authorization']);
    if (bearer !== null && isSecret(bearer)) return null;
    if (options.mode === 'unset' && !isFromHere(request)) return NOT_CONFIGURED;
    const host = single(request.headers['host']);
    if (checksHost && host !== undefined && !isOwnHost(host, known)) return FOREIGN_HOST;
    if (SAFE_METHODS.has(request.method)) return null;
    const origin = single(request.headers['origin']);
    return origin === undefined || isOwnOrigin(origin, request) ? null : FOREIGN_ORIGIN;
  };
}

// A proxy on this machine is a peer of this machine, whoever it speaks for.
function isFromHere({ remoteAddress, headers }: GateRequest): boolean {
  return [remoteAddress, ...forwardedAddresses(headers)].every(isLoopbackAddress);
}

const NOT_CONFIGURED: GateRefusal = {
  status: 403,
  code: 'auth_not_configured',
  error:
    'Without auth.mode this instance answers only its own machine, and no proxy for others. Set auth.mode: token (with auth.tokenRef), trusted-header or jwt; none answers everybody.',
};
const FOREIGN_HOST: GateRefusal = {
  status: 403,
  code: 'forbidden_host',
  error:
    'This Host name is not one of the instance: use localhost or an IP address, or add the name to server.publicHosts.',
};
const FOREIGN_ORIGIN: GateRefusal = {
  status: 403,
  code: 'forbidden_origin',
  error:
    'A page of another origin may not change anything here: open the instance by its own address, or add the host to server.publicHosts, with its port unless that is 80 or 443.',
};

function knownNames(options: GateOptions): ReadonlySet<string> {
  const names = (options.publicHosts ?? []).map((host) => hostnameOf(host) ?? host.toLowerCase());
  const publicHost = options.publicUrl ? parseUrl(options.publicUrl)?.hostname : undefined;
  if (publicHost !== undefined) names.push(publicHost.toLowerCase().replace(/^\[|\]$/g, ''));
  return new Set(names);
}

function isOwnHost(host: string, known: ReadonlySet<string>): boolean {
  const name = hostnameOf(host);
  return name !== null && (isLocalName(name) || known.has(name));
}

import { bearerOf, forwardedAddresses, isLoopbackAddress } from '@svc/core';
import { hostnameOf, isLocalName } from './hosts.ts';
import type { AuthMode } from './identity.ts';
import { createOriginCheck, type OriginOptions } from './origins.ts';
import type { GateRequest } from './request.ts';
import { createSecretCheck } from './token.ts';
import { parseUrl, single } from './values.ts';

/** A refusal, ready to be sent. */
export interface GateRefusal {
  readonly status: 403;
  readonly code: 'forbidden_origin' | 'forbidden_host' | 'auth_not_configured';
  /** What is wrong and how to fix it, in one sentence. */
  readonly error: string;
}

/** Which requests the gate accepts. */
export interface GateOptions extends OriginOptions {
  /**
   * `unset` accepts only local peers. An unknown Host is refused except in the modes `token` and `jwt`, in which a
   * page that uses DNS rebinding has no credential to send.
   */
  readonly mode: AuthMode;
  /** A bearer secret for programs on this machine; it passes every check. Default: none. */
  readonly localSecret?: string | null;
}

/** Decides whether a request may continue; null means yes. */
export type Gate = (request: GateRequest) => GateRefusal | null;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Creates the gate that protects a service from hostile web pages, and a service without sign-in from remote
 * clients. It checks the peer, the Host header (against DNS rebinding) and, for requests that change something, the
 * Origin header (against cross-site requests).
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

// A proxy on this machine counts as a local peer, regardless of its client.
function isFromHere({ remoteAddress, headers }: GateRequest): boolean {
  return [remoteAddress, ...forwardedAddresses(headers)].every(isLoopbackAddress);
}

const NOT_CONFIGURED: GateRefusal = {
  status: 403,
  code: 'auth_not_configured',
  error:
    'Without auth.mode, this instance accepts only direct local connections. Set auth.mode: token (with auth.tokenRef), trusted-header or jwt; none accepts everyone.',
};
const FOREIGN_HOST: GateRefusal = {
  status: 403,
  code: 'forbidden_host',
  error:
    'Host header not allowed. Use localhost or an IP address, or add the name to server.publicHosts.',
};
const FOREIGN_ORIGIN: GateRefusal = {
  status: 403,
  code: 'forbidden_origin',
  error:
    'Cross-origin requests cannot make changes. Open the instance at its own address, or add the host to server.publicHosts, with its port unless that is 80 or 443.',
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

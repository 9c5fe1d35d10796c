import {
  bearerOf,
  type Clock,
  clientAddress,
  createThrottle,
  forwardedAddresses,
  forwardedProtocol,
  isLoopbackAddress,
  type RequestHeaders,
} from '@svc/core';
import type { ManagementConfig } from './config.ts';
import { createCredentials } from './credentials.ts';
import { insecure, notFound, type Refusal, throttled, unauthorized } from './refusals.ts';
import type { Scope } from './scope.ts';

/** The parts of a request that the gate reads. */
export interface ManagementRequest {
  readonly method: string;
  /** Header values by lower-case name, as `node:http` gives them. */
  readonly headers: RequestHeaders;
  /** Address of the peer's socket. */
  readonly remoteAddress: string | undefined;
  /** True when the request came over TLS to this process. */
  readonly encrypted: boolean;
}

/** The authenticated caller. */
export interface Principal {
  readonly clientId: string;
  readonly scope: Scope;
}

/** Whether a request is admitted, or the response that refuses it. */
export type GateVerdict = { readonly ok: true; readonly principal: Principal } | Refusal;

/** Checks one request, with any method. */
export type ManagementGate = (request: ManagementRequest) => GateVerdict;

/** Dependencies of the gate. */
export interface GateDeps {
  /** Measures the window of the limit on wrong credentials. */
  readonly clock: Pick<Clock, 'mono'>;
}

/**
 * Creates the gate of the management endpoint: 404 while it is disabled, 403 for plain HTTP from another machine,
 * then 401 or 429 for a wrong bearer token (RFC 6750). Without a configuration every request gets 404.
 */
export function createManagementGate(
  config: ManagementConfig | null,
  deps: GateDeps,
): ManagementGate {
  if (config === null) return () => notFound;
  const credentials = createCredentials(config.clients);
  const limit = config.failedAuthLimit;
  const proxies = config.trustedProxiesSet ? config.trustedProxies : null;
  const throttle = limit === null ? null : createThrottle(limit, deps.clock);
  return (request) => {
    if (!isSecure(request, config)) return insecure;
    const presented = request.headers['authorization'];
    const token = bearerOf(presented);
    const client = token === null ? null : credentials.clientOf(token);
    if (client !== null) {
      return { ok: true, principal: { clientId: client.clientId, scope: client.scope } };
    }
    const address = clientAddress(request, proxies);
    const wait = throttle?.waitOf(address) ?? 0;
    if (wait > 0) return throttled(wait);
    if (presented !== undefined) throttle?.note(address);
    return unauthorized(config, presented !== undefined);
  };
}

function isSecure(request: ManagementRequest, config: ManagementConfig): boolean {
  const { encrypted, headers, remoteAddress } = request;
  if (encrypted) return true;
  if (forwardedProtocol(headers) === 'https' && config.trustedProxies.has(remoteAddress)) {
    return true;
  }
  return [remoteAddress, ...forwardedAddresses(headers)].every(isLoopbackAddress);
}

import { createHash, timingSafeEqual } from 'node:crypto';
import { forwardedAddresses } from '@svc/core';
import { hostnameOf, isLocalName, isLoopbackAddress } from './hosts.ts';

/** The parts of a request that the gate reads. */
export interface GateRequest {
  readonly method: string;
  /** Header values by lower-case name, as `node:http` gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Address of the peer's socket. */
  readonly remoteAddress: string | undefined;
}

/** A refusal, ready to be answered. */
export interface GateRefusal {
  readonly status: 403;
  readonly code: 'forbidden_origin' | 'forbidden_host' | 'auth_not_configured';
  /** One sentence that says what to do. */
  readonly error: string;
}

/** What the gate lets in. */
export interface GateOptions {
  /** `none`: everybody who reaches the port; `unset`: as `none`, but only to peers on this machine. */
  readonly mode: 'none' | 'unset';
  /** Further Host names that browsers may use. Default: none. */
  readonly publicHosts?: readonly string[];
  /** Canonical public address of the instance. Default: none. */
  readonly publicUrl?: string | null;
  /** A bearer secret that programs on this machine use; it passes every check. Default: none. */
  readonly localSecret?: string | null;
}

/** Decides whether a request may go on; null means yes. */
export type Gate = (request: GateRequest) => GateRefusal | null;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Makes the gate that keeps hostile web pages and strangers away from a service that has no login: it checks the
 * peer, the Host header (against DNS rebinding) and, for requests that change something, the Origin header
 * (against cross-site requests).
 */
export function createGate(options: GateOptions): Gate {
  const known = knownNames(options);
  const isSecret = secretCheck(options.localSecret ?? null);
  return (request) => {
    if (isSecret(single(request.headers['authorization']))) return null;
    if (options.mode === 'unset' && !isFromHere(request)) return NOT_CONFIGURED;
    const host = single(request.headers['host']);
    if (host !== undefined && !isOwnHost(host, known)) return FOREIGN_HOST;
    if (SAFE_METHODS.has(request.method)) return null;
    const origin = single(request.headers['origin']);
    return origin === undefined || isOwnOrigin(origin, host, known) ? null : FOREIGN_ORIGIN;
  };
}

// A proxy on this machine is a peer of this machine, whoever it speaks for.
function isFromHere({ remoteAddress, headers }: GateRequest): boolean {
  const real = [headers['x-real-ip'] ?? []].flat();
  return [remoteAddress, ...forwardedAddresses(headers), ...real].every(isLoopbackAddress);
}

const NOT_CONFIGURED: GateRefusal = {
  status: 403,
  code: 'auth_not_configured',
  error:
    'This instance has no authentication and answers only its own machine, not those that a proxy forwards: set auth.mode to none to answer everybody.',
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
    'A page of another origin may not change anything here: open the instance by its own address, or add the host to server.publicHosts.',
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

function isOwnOrigin(
  origin: string,
  host: string | undefined,
  known: ReadonlySet<string>,
): boolean {
  const url = parseUrl(origin);
  if (url === null || url.host === '') return false;
  if (host !== undefined && url.host === withoutDefaultPort(url.protocol, host)) return true;
  return known.has(url.hostname.toLowerCase().replace(/^\[|\]$/g, ''));
}

// URL drops a default port, so the Host header has to lose it too before they are compared.
function withoutDefaultPort(protocol: string, host: string): string | null {
  return parseUrl(`${protocol}//${host}`)?.host ?? null;
}

// URL.parse is younger than the oldest Node that is supported.
function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function secretCheck(secret: string | null): (authorization: string | undefined) => boolean {
  if (secret === null || secret === '') return () => false;
  const wanted = digest(`Bearer ${secret}`);
  return (given) => given !== undefined && timingSafeEqual(digest(given), wanted);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

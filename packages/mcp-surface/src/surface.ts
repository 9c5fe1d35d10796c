import type { IncomingMessage, ServerResponse } from 'node:http';
import { createManagementGate, type ManagementConfig } from '@svc/mgmt-auth';
import { createDocuments, type Documents, NOTHING } from './documents.ts';
import { createEndpoint, type EndpointDeps, type Guards } from './endpoint.ts';
import { createOriginCheck } from './origins.ts';
import { type HttpExchange, writeAnswer } from './plain-answer.ts';
import { createRouter, type Router, targetOf } from './routes.ts';

/** Dependencies of the surface. `toolset` returns null while there are no tools, and requests get 503. */
export interface McpSurfaceDeps extends EndpointDeps {}

/** Options of the surface. */
export interface McpSurfaceOptions {
  /** Name of the server in the handshake. */
  readonly name: string;
  /** Version of the server in the handshake. */
  readonly version: string;
  /** Instructions for the model, sent in the handshake. Default: none. */
  readonly instructions?: string;
  /** Hosts, `host` (any port) or `host:port`, whose pages may call in addition to loopback and the public address. */
  readonly publicHosts?: readonly string[];
  /** Largest body in bytes. Default: 1048576. */
  readonly maxBodyBytes?: number;
  /** Milliseconds of silence after which a comment is written during a call. Default: 15000. */
  readonly keepAliveMs?: number;
}

/** A toolset as an MCP endpoint, with its metadata documents. */
export interface McpSurface {
  /**
   * Handles the request and returns true if the path belongs to the surface; otherwise returns false without side
   * effects. With `expectsContinue`, for the event `checkContinue` of a server, a client gets 100 Continue only
   * after it is admitted.
   */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    options?: { readonly expectsContinue?: boolean },
  ): boolean;
  /** The same as middleware for Express and compatible servers; mount it before body parsers. */
  readonly middleware: (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ) => void;
  /** Replaces the configuration, also for requests whose body has not arrived yet; calls in progress keep theirs. */
  configure(config: ManagementConfig | null): void;
  /** Aborts requests in progress; later requests get 503. */
  close(): void;
}

interface Active {
  readonly route: Router;
  readonly documents: Documents;
  readonly guards: Guards;
}

const MAX_BODY_BYTES = 1_048_576;
const KEEP_ALIVE_MS = 15_000;

/**
 * Creates the surface. It serves the MCP revisions from 2024-10-07 to 2025-11-25 and 2026-07-28 at one URL, without
 * state between requests. With a null configuration requests get 404.
 */
export function createMcpSurface(
  deps: McpSurfaceDeps,
  options: McpSurfaceOptions,
  config: ManagementConfig | null,
): McpSurface {
  const { name, version, instructions, publicHosts = [] } = options;
  const { maxBodyBytes = MAX_BODY_BYTES, keepAliveMs = KEEP_ALIVE_MS } = options;
  const { clock } = deps;
  const endpoint = createEndpoint(deps, {
    ...{ name, version, maxBodyBytes, keepAliveMs },
    ...(instructions === undefined ? {} : { instructions }),
  });
  const activate = (next: ManagementConfig | null): Active => ({
    route: createRouter(next),
    documents: createDocuments(next),
    guards: {
      gate: createManagementGate(next, { clock }),
      isOwnOrigin: next === null ? () => false : createOriginCheck(next.publicUrl, publicHosts),
    },
  });
  const take = (next: ManagementConfig | null): Active => {
    if (next !== null) endpoint.prepare();
    return activate(next);
  };
  let active = take(config);
  const handle: McpSurface['handle'] = (request, response, { expectsContinue = false } = {}) => {
    const { route, documents } = active;
    const found = route(targetOf(request));
    if (found === 'elsewhere') return false;
    const exchange: HttpExchange = { request, response, clock, expectsContinue };
    if (found === 'endpoint') endpoint.answer(() => active.guards, exchange);
    else writeAnswer(exchange, found === 'document' ? documents(request.method ?? '') : NOTHING);
    return true;
  };
  return {
    handle,
    middleware(request, response, next) {
      if (!handle(request, response)) next();
    },
    configure(next) {
      active = take(next);
    },
    close: () => endpoint.close(),
  };
}

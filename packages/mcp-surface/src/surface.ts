import type { IncomingMessage, ServerResponse } from 'node:http';
import { createManagementGate, type ManagementConfig } from '@svc/mgmt-auth';
import { type HttpExchange, writeAnswer } from './answers.ts';
import { createDocuments, type Documents, NOTHING } from './documents.ts';
import { createEndpoint, type EndpointDeps, type Guards } from './endpoint.ts';
import { createOriginCheck } from './origins.ts';
import { createRouter, type Router, targetOf } from './routes.ts';

/** What the surface needs; `toolset` gives null while there are no tools to serve, which is answered 503. */
export interface McpSurfaceDeps extends EndpointDeps {}

/** How the surface serves. */
export interface McpSurfaceOptions {
  /** Name by which the server introduces itself. */
  readonly name: string;
  /** Version by which the server introduces itself. */
  readonly version: string;
  /** What a model should know before it uses the tools; given in the handshake. Default: nothing. */
  readonly instructions?: string;
  /** Hosts, `host` (any port) or `host:port`, whose pages may call beside loopback and the public address. */
  readonly publicHosts?: readonly string[];
  /** Largest body in bytes. Default: 1048576. */
  readonly maxBodyBytes?: number;
  /** Milliseconds of silence after which a comment is written while a call runs. Default: 15000. */
  readonly keepAliveMs?: number;
}

/** A toolset as an MCP endpoint, with the documents that lead to it. */
export interface McpSurface {
  /**
   * Answers and returns true when the path is one of the surface; else false, and nothing is touched. With
   * `expectsContinue`, for a server's event `checkContinue`, a client is told to send its body only once it is let in.
   */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    options?: { readonly expectsContinue?: boolean },
  ): boolean;
  /** The same for an Express application or any other server of that kind; belongs before parsers of bodies. */
  readonly middleware: (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ) => void;
  /** Takes another configuration from now on, also for requests whose body is not there yet; calls that run keep theirs. */
  configure(config: ManagementConfig | null): void;
  /** Ends what is still being answered: calls are aborted, and later requests get 503. */
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
 * Makes the surface. It serves the MCP revisions from 2024-10-07 to 2025-11-25 and 2026-07-28 at one URL, without
 * state between requests; a null configuration answers 404.
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

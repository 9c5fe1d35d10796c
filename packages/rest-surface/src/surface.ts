import type { IncomingMessage } from 'node:http';
import { type Gate, gateRequestOf } from '@svc/browser-auth';
import type { Clock, Logger } from '@svc/core';
import type { Caller, Operations } from '@svc/ops';
import type { JsonSchema } from '@svc/schema';
import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { sendRefusal } from './answer.ts';
import { chatRoutes } from './chat-routes.ts';
import { dispatch, logFailure } from './dispatch.ts';
import { INTERNAL, NOTHING_HERE, wrongMethod } from './errors.ts';
import { EVENT_ROUTE, eventResponder } from './event-route.ts';
import { createEventStreams } from './events.ts';
import { openApiDocument } from './openapi.ts';
import { projectRoutes } from './project-routes.ts';
import { type Route, type RouteFacts, route } from './route.ts';
import { forecastRoutes, runRoutes } from './run-routes.ts';
import { serviceRoutes } from './service-routes.ts';
import { promptFileRoutes, triggerChangingRoutes, triggerReadingRoutes } from './trigger-routes.ts';

/** What the surface works with. */
export interface RestSurfaceDeps {
  readonly operations: Operations;
  /** Who is asking; everything that is asked for is held against what they may do. */
  readonly callerOf: (request: IncomingMessage) => Caller;
  /** Decides on every request below `/api` before anything else looks at it. */
  readonly gate: Gate;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Settings of the surface. */
export interface RestSurfaceOptions {
  /** Version of the service, for the OpenAPI document. */
  readonly version: string;
}

/** The operations as REST. */
export interface RestSurface {
  /** For an Express 5 application, at its root and before any body parser; it owns every path below `/api`. */
  readonly handler: RequestHandler;
  /** Ends the open event streams and refuses new ones, so that the server can close. */
  close(): void;
}

interface Endpoint {
  readonly facts: RouteFacts;
  readonly respond: RequestHandler;
}

/** Makes the REST surface: it translates requests into operations and their outcomes into answers. */
export function createRestSurface(deps: RestSurfaceDeps, options: RestSurfaceOptions): RestSurface {
  const streams = createEventStreams(deps.clock);
  const routes = [...operationRoutes(), documentRoute(() => document)];
  const document = openApiDocument([...routes, EVENT_ROUTE], options);
  const endpoints: Endpoint[] = routes.map((facts) => ({
    facts,
    respond: (request, response) => {
      // An earlier path may have taken this address for its own and noted its methods.
      response.removeHeader('Allow');
      return dispatch(deps, facts, request, response);
    },
  }));
  endpoints.push({ facts: EVENT_ROUTE, respond: eventResponder(deps, streams) });
  const handler = express.Router({ caseSensitive: true });
  handler.use('/api', gated(deps), readable, routerOf(endpoints), failed(deps.logger));
  return { handler, close: () => streams.close() };
}

function operationRoutes(): Route[] {
  return [
    ...triggerReadingRoutes(),
    ...triggerChangingRoutes(),
    ...promptFileRoutes(),
    ...runRoutes(),
    ...forecastRoutes(),
    ...projectRoutes(),
    ...chatRoutes(),
    ...serviceRoutes(),
  ];
}

function documentRoute(document: () => JsonSchema): Route {
  return route({
    method: 'get',
    path: '/openapi.json',
    operation: 'read_openapi',
    tag: 'service',
    status: 200,
    response: { type: 'object' },
    toReply: () => ({ body: document() }),
  });
}

function gated({ gate, logger }: RestSurfaceDeps): RequestHandler {
  return (request, response, next) => {
    const refusal = gate(gateRequestOf(request));
    if (refusal === null) return next();
    const { method, headers, socket } = request;
    const { host, origin } = headers;
    const peer = socket.remoteAddress;
    logger.warn({ code: refusal.code, method, host, origin, peer }, 'the gate refused a request');
    sendRefusal(request, response, { code: refusal.code, message: refusal.error });
  };
}

// What cannot be decoded becomes a name that no rule allows, so that every route answers it by its own rule.
const readable: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?');
  if (!isDecodable(path)) {
    const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : '%00'));
    request.url = [segments.join('/'), ...query].join('?');
  }
  next();
};

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function routerOf(endpoints: readonly Endpoint[]): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const paths = new Set(endpoints.map(({ facts }) => facts.path));
  for (const path of paths) {
    const here = endpoints.filter(({ facts }) => facts.path === path);
    for (const { facts, respond } of here) router[facts.method](path, respond);
    const methods = here.flatMap(({ facts }) =>
      facts.method === 'get' ? ['GET', 'HEAD'] : [facts.method.toUpperCase()],
    );
    // Only reached with another method; a later path may match the same address, so the methods add up.
    router.all(path, (_request, response, next) => {
      const before = response.get('Allow')?.split(', ') ?? [];
      response.set('Allow', [...new Set([...before, ...methods])].join(', '));
      next();
    });
  }
  // Inside this router, which would otherwise answer OPTIONS in its own way.
  return router.use(nothingHere);
}

const nothingHere: RequestHandler = (request, response) => {
  const allowed = response.get('Allow');
  const refusal = allowed === undefined ? NOTHING_HERE : wrongMethod(request.method, allowed);
  sendRefusal(request, response, refusal);
};

function failed(logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    // A path segment that cannot be decoded names nothing.
    const refusal = error instanceof URIError ? NOTHING_HERE : INTERNAL;
    if (refusal === INTERNAL) logFailure(logger, null, error);
    if (response.headersSent) response.destroy();
    else sendRefusal(request, response, refusal);
  };
}

import type { IncomingMessage } from 'node:http';
import { type AuthRefusal, type BrowserAuth, gateRequestOf, type Person } from '@svc/browser-auth';
import type { Clock, Logger } from '@svc/core';
import type { Caller, Operations } from '@svc/ops';
import type { JsonSchema } from '@svc/schema';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { sendRefusal } from './answer.ts';
import { type DispatchDeps, dispatch, logFailure } from './dispatch.ts';
import { docsRoutes } from './docs-routes.ts';
import { INTERNAL, NOTHING_HERE, refusalOfAuth, wrongMethod } from './errors.ts';
import { eventResponder } from './event-route.ts';
import { createEventStreams } from './events.ts';
import { restDocument } from './openapi.ts';
import { ROUTES, type RouteFacts } from './route.ts';
import { type SessionRoute, sessionRoutes } from './session-routes.ts';

/** Dependencies of the surface. */
export interface RestSurfaceDeps {
  readonly operations: Operations;
  /** Returns the caller for a person, which determines what they may do. */
  readonly callerOf: (person: Person) => Caller;
  /** Checks every request below `/api` before any other handler. */
  readonly auth: BrowserAuth;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Options of the surface. */
export interface RestSurfaceOptions {
  /** Version of the service, for the OpenAPI document. */
  readonly version: string;
}

/** The operations as REST. */
export interface RestSurface {
  /** For an Express 5 application, mounted at its root before any body parser; it handles every path below `/api`. */
  readonly handler: RequestHandler;
  /** Ends the open event streams and refuses new ones, so that the server can close. */
  close(): void;
}

// The page and the command line identify themselves with this header. It only labels records and grants nothing.
const FACE_HEADER = 'svc-via';

interface Endpoint {
  readonly facts: RouteFacts;
  readonly respond: RequestHandler;
}

/** Creates the REST surface, which translates requests to operations and their results to responses. */
export function createRestSurface(deps: RestSurfaceDeps, options: RestSurfaceOptions): RestSurface {
  const streams = createEventStreams(deps.clock);
  const sessions = sessionRoutes({ ...deps, onSessionsChanged: () => streams.recheck() });
  let made: JsonSchema | undefined;
  // A start of the service does not wait for it.
  const document = (): JsonSchema => {
    made ??= restDocument({ ...options, sessionCookie: deps.auth.cookieName });
    return made;
  };
  const people = new WeakMap<IncomingMessage, Person>();
  const dispatching: DispatchDeps = {
    ...deps,
    callerOf: (request) => {
      const caller = deps.callerOf(people.get(request) as Person);
      const face = request.headers[FACE_HEADER];
      return face === 'page' || face === 'cli' ? { ...caller, face } : caller;
    },
  };
  const isStillKnown = (request: IncomingMessage) => isAdmitted(deps.auth, request);
  const expiresAt = (request: IncomingMessage) => people.get(request)?.expiresAt ?? null;
  const sendEvents = eventResponder({ ...dispatching, isStillKnown, expiresAt }, streams);
  const endpoints = ROUTES.map((route): Endpoint => {
    const toReply =
      route.operation === 'read_openapi' ? () => ({ body: document() }) : route.toReply;
    const facts = { ...route, toReply };
    const isStream = route.operation === 'follow_changes';
    return {
      facts,
      respond(request, response) {
        // An earlier path may have matched this address and recorded its methods.
        response.removeHeader('Allow');
        return isStream
          ? sendEvents(request, response)
          : dispatch(dispatching, facts, request, response);
      },
    };
  });
  endpoints.push(...sessions, ...docsRoutes(dispatching, document));
  const handler = express.Router({ caseSensitive: true });
  handler.use('/api', openRoutes(deps, sessions), gated(deps, people), readable);
  handler.use('/api', routerOf(endpoints), failed(deps.logger));
  return { handler, close: () => streams.close() };
}

// The only routes without sign-in. Not a router, which would answer OPTIONS automatically.
function openRoutes(deps: RestSurfaceDeps, sessions: readonly SessionRoute[]): RequestHandler {
  const open = sessions.filter(({ facts }) => facts.isOpen === true);
  return (request, response, next) => {
    const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
    const found = open.find(({ facts }) => facts.path === request.path && facts.method === method);
    if (found === undefined) return next();
    const refusal = deps.auth.gate(gateRequestOf(request));
    if (refusal === null) return found.respond(request, response);
    return refuse(deps, request, response, { ...refusal, headers: {} });
  };
}

function gated(deps: RestSurfaceDeps, people: WeakMap<IncomingMessage, Person>): RequestHandler {
  return async (request, response, next) => {
    const admitted = await deps.auth.admit(gateRequestOf(request));
    if (!admitted.ok) return refuse(deps, request, response, admitted.error);
    people.set(request, admitted.value);
    next();
  };
}

function refuse(
  { logger }: RestSurfaceDeps,
  request: Request,
  response: Response,
  refusal: AuthRefusal,
): void {
  const { method, headers, socket } = request;
  const { host, origin } = headers;
  const peer = socket.remoteAddress;
  // A caller without credentials is asked to sign in; invalid credentials are reported already.
  if (refusal.status === 403) {
    logger.warn({ code: refusal.code, method, host, origin, peer }, 'request rejected');
  }
  sendRefusal(request, response, refusalOfAuth(refusal));
}

async function isAdmitted(auth: BrowserAuth, request: IncomingMessage): Promise<boolean> {
  const admitted = await auth.admit(gateRequestOf(request));
  // While sign-in cannot be checked, admitted callers stay.
  return admitted.ok || admitted.error.status === 503;
}

// A path that cannot be decoded becomes an invalid name, so that each route handles it by its own rules.
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
    // Only reached with another method. A later path may match the same address, so the methods are collected.
    router.all(path, (_request, response, next) => {
      const before = response.get('Allow')?.split(', ') ?? [];
      response.set('Allow', [...new Set([...before, ...methods])].join(', '));
      next();
    });
  }
  // Inside this router, which would otherwise answer OPTIONS itself.
  return router.use(nothingHere);
}

const nothingHere: RequestHandler = (request, response) => {
  const allowed = response.get('Allow');
  const refusal = allowed === undefined ? NOTHING_HERE : wrongMethod(request.method, allowed);
  sendRefusal(request, response, refusal);
};

function failed(logger: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    // A path segment that cannot be decoded matches nothing.
    const refusal = error instanceof URIError ? NOTHING_HERE : INTERNAL;
    if (refusal === INTERNAL) logFailure(logger, null, error);
    if (response.headersSent) response.destroy();
    else sendRefusal(request, response, refusal);
  };
}

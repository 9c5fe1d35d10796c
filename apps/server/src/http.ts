import {
  type AuthOptions,
  type BrowserAuth,
  gateRequestOf,
  type SessionStore,
} from '@svc/browser-auth';
import { createSystemClock, type Logger, messageOf } from '@svc/core';
import { createCloseRecorder, HTTP_LIMITS, openServer, type TlsPair } from '@svc/http-listener';
import {
  createMcpSurface,
  createOperationToolset,
  type McpSurface,
  type McpToolset,
} from '@svc/mcp-surface';
import { clientCaller, createTools, type Ops, personCaller } from '@svc/ops';
import { createRestSurface } from '@svc/rest-surface';
import type { Settings } from '@svc/settings';
import type { Express, RequestHandler } from 'express';
import { createDatabaseRoute, DATABASE_PATH, type DatabaseRouteParts } from './database-route.ts';
import type { Management } from './management.ts';
import type { Metrics } from './metrics.ts';
import {
  createAppWithProbes,
  type HttpHandlers,
  NOT_READY,
  rejectWhileNotReady,
  sendJson,
} from './readiness.ts';
import { createSignIn } from './sign-in.ts';
import { welcome } from './welcome.ts';

/** A listening server. */
export interface Listening {
  readonly url: string;
  /** Whether it accepts connections. */
  readonly isListening: boolean;
  /** Uses another certificate for new connections; open ones keep theirs. */
  renew(pair: TlsPair): void;
  /** Replaces the request handlers. */
  handleWith(handlers: HttpHandlers): void;
  /** Accepts no more connections, ends streams, and resolves when every response was sent, or after the drain time. */
  close(): Promise<void>;
}

/** Where and how to listen. */
export interface ListenParts {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** null: plain HTTP. */
  readonly tls: TlsPair | null;
}

/** How requests are answered. */
export interface HttpParts {
  readonly ops: Ops;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  readonly secret: string;
  /** Sign-in configuration. */
  readonly auth: AuthOptions;
  readonly sessions: SessionStore;
  readonly copyDatabase: DatabaseRouteParts['copyDatabase'];
  /** Id of the home. */
  readonly instanceId: string;
  readonly page: RequestHandler;
  /** Whether the instance accepts requests; false while it starts and stops. */
  readonly isReady: () => boolean;
  /** Why the instance cannot continue although it has started; null if it can. */
  readonly fault: () => string | null;
  readonly management: Management;
  /** Wraps the tools of `/mcp`, to add some. */
  readonly decorateToolset?: ((toolset: McpToolset) => McpToolset) | undefined;
}

/**
 * Starts listening.
 *
 * @throws ListenerError `address_unusable` if the address is in use or not available
 */
export async function listen(parts: ListenParts, first: HttpHandlers): Promise<Listening> {
  const { settings, logger, metrics, tls } = parts;
  const clock = createSystemClock();
  const onClosed = createCloseRecorder({ clock, logger }, metrics.connectionClosed);
  let handlers = first;
  const server = await openServer(
    { clock, onClosed, limits: HTTP_LIMITS },
    { ...settings.server, tls },
    {
      request: (request, response) => handlers.request(request, response),
      checkContinue: (request, response) => handlers.checkContinue(request, response),
    },
  );
  metrics.watchConnections(() => server.connections);
  return {
    url: server.url,
    get isListening() {
      return server.isListening;
    },
    renew: (pair) => server.renew(pair),
    handleWith(next) {
      handlers.close();
      handlers = next;
    },
    async close() {
      handlers.close();
      await server.close(settings.server.drainTimeoutMs);
    },
  };
}

/** The request handlers of a started instance. */
export function createHttpHandlers(parts: HttpParts): HttpHandlers {
  const { logger, metrics } = parts;
  const clock = createSystemClock();
  const auth = createSignIn({ ...parts, clock, countRefused: metrics.signInRefused });
  const surface = createRestSurface(
    { operations: parts.ops.operations, callerOf: personCaller, auth, logger, clock },
    { version: parts.version },
  );
  const mcp = createManagementSurface(parts);
  const app = createApp(parts, auth, surface.handler);
  return {
    // In front of the application, which saves most of the time of a request.
    request(request, response) {
      if (!mcp.handle(request, response)) app(request, response);
    },
    checkContinue(request, response) {
      if (mcp.handle(request, response, { expectsContinue: true })) return;
      response.writeContinue();
      app(request, response);
    },
    close() {
      surface.close();
      mcp.close();
    },
  };
}

const INSTRUCTIONS = `svc hosts projects in which agents work. Each project has a keeper (its main agent) and triggers that start agent turns on a schedule, on an event, or when fired with run_trigger.
Start with list_projects; the slug of a project is the argument "project" of the other tools. Turns run in the background: a tool that starts one returns the sessionId of its chat at once; read it with read_chat. run_trigger with wait_seconds waits for the run and returns its outcome.
If no model is configured, or the model is playbook, no AI is used: a prompt must contain its steps as Markdown fenced blocks that start with \`\`\`bash, \`\`\`write PATH or \`\`\`tool NAME. A prompt without steps ends as no_model.
Tools you may not call are not listed. Projects outside your scope are denied whether or not they exist.`;

function createManagementSurface(parts: HttpParts): McpSurface {
  const { ops, logger, management, settings, version } = parts;
  const plain = createOperationToolset(createTools(ops.operations), clientCaller);
  const toolset = parts.decorateToolset?.(plain) ?? plain;
  const mcp = createMcpSurface(
    {
      toolset: () => (notReadyReason(parts) === null ? toolset : null),
      logger,
      clock: createSystemClock(),
    },
    { name: 'svc', version, instructions: INSTRUCTIONS, publicHosts: settings.server.publicHosts },
    null,
  );
  management.onConfig((config) => mcp.configure(config));
  return mcp;
}

function createApp(parts: HttpParts, auth: BrowserAuth, surface: RequestHandler): Express {
  const readinessProblem = async () => notReadyReason(parts) ?? (await pingProblem(parts.ops));
  const app = createAppWithProbes(readinessProblem);
  parts.metrics.watchReady(async () => (await readinessProblem()) === null);
  app.get('/metrics', requireSignIn(auth), async (_request, response) => {
    const { contentType, body } = await parts.metrics.text();
    response.type(contentType).send(body);
  });
  // Before all handlers that can reject requests: the page itself shows why the service is not ready.
  app.use(parts.page);
  app.use(rejectWhileNotReady(() => notReadyReason(parts)));
  app.get(DATABASE_PATH, createDatabaseRoute(parts));
  app.use(surface);
  app.get('/', requireSignIn(auth), (request, response) => {
    response.type('text/plain').send(
      welcome({
        version: parts.version,
        origin: `${request.protocol}://${request.get('host')}`,
        auth: parts.settings.auth,
      }),
    );
  });
  app.all(['/livez', '/readyz', '/metrics', '/'], ({ method }, response) => {
    response.setHeader('Allow', 'GET, HEAD');
    const error = `This endpoint supports GET and HEAD, not ${method.slice(0, 20)}.`;
    sendJson(response, 405, { error, code: 'method_not_allowed' });
  });
  app.use((_request, response) => {
    sendJson(response, 404, { error: 'There is nothing at this address.', code: 'not_found' });
  });
  return app;
}

function notReadyReason({ isReady, fault, ops }: HttpParts): string | null {
  return isReady() ? fault() : (startingOf(ops) ?? NOT_READY);
}

const NUMBER = new Intl.NumberFormat('en');

function startingOf(ops: Ops): string | null {
  const arming = ops.arming();
  if (arming === null) return null;
  const [projects, all, triggers] = [arming.projects, arming.ofProjects, arming.triggers].map(
    (count) => NUMBER.format(count),
  );
  return `The instance is starting: checked ${projects} of ${all} projects, armed ${triggers} triggers.`;
}

async function pingProblem(ops: Ops): Promise<string | null> {
  return ops.ping().then(() => null, messageOf);
}

function requireSignIn(auth: BrowserAuth): RequestHandler {
  return async (request, response, next) => {
    const admitted = await auth.admit(gateRequestOf(request));
    if (admitted.ok) return next();
    const { status, code, error, headers } = admitted.error;
    response.set(headers);
    sendJson(response, status, { error, code });
  };
}

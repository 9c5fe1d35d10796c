import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import {
  type AuthOptions,
  type BrowserAuth,
  gateRequestOf,
  type SessionStore,
} from '@svc/browser-auth';
import { createSystemClock, type Logger, messageOf } from '@svc/core';
import {
  createMcpSurface,
  createOperationToolset,
  type McpSurface,
  type McpToolset,
} from '@svc/mcp-surface';
import { clientCaller, createTools, type Ops, personCaller } from '@svc/ops';
import { createRestSurface } from '@svc/rest-surface';
import express, { type Express, type RequestHandler } from 'express';
import { HTTP_BOUNDS } from './listening/bounds.ts';
import { createNoteClosed } from './listening/refusals.ts';
import { openServer } from './listening/server.ts';
import type { TlsPair } from './listening/tls-pair.ts';
import type { Management } from './management.ts';
import type { Metrics } from './metrics.ts';
import { createPage } from './page.ts';
import type { Settings } from './setting-table.ts';
import { createSignIn } from './sign-in.ts';
import { welcome } from './welcome.ts';

/** A server that listens. */
export interface Listening {
  readonly url: string;
  /** Uses another certificate for connections from now on; those that are open keep theirs. */
  renew(pair: TlsPair): void;
  /** Accepts nothing more, ends streams, and resolves when every answer is out, or after the drain time. */
  close(): Promise<void>;
}

/** What the server answers with. */
export interface HttpParts {
  readonly ops: Ops;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  readonly secret: string;
  /** How people are known. */
  readonly auth: AuthOptions;
  readonly sessions: SessionStore;
  /** Id of the home. */
  readonly instanceId: string;
  /** Null: plain HTTP. */
  readonly tls: TlsPair | null;
  /** Whether the instance takes requests; false while it starts and stops. */
  readonly isReady: () => boolean;
  /** Why the instance may not go on although it has started; null while all is well. */
  readonly fault: () => string | null;
  readonly management: Management;
  /** Stands between the management endpoint and its tools, to add some. */
  readonly decorateToolset?: ((toolset: McpToolset) => McpToolset) | undefined;
}

/**
 * Starts listening.
 *
 * @throws ServerError `address_unusable` when the address is taken or not to be had
 */
export async function listen(parts: HttpParts): Promise<Listening> {
  const { settings, logger, metrics } = parts;
  const clock = createSystemClock();
  const auth = createSignIn({ ...parts, clock, countRefused: metrics.signInRefused });
  const surface = createRestSurface(
    { operations: parts.ops.operations, callerOf: personCaller, auth, logger, clock },
    { version: parts.version },
  );
  const mcp = createManagementSurface(parts);
  const app = createApp(parts, auth, surface.handler, mcp);
  const noteClosed = createNoteClosed({ clock, logger }, metrics.connectionClosed);
  const server = await openServer(
    { clock, noteClosed, bounds: HTTP_BOUNDS },
    { ...settings.server, tls: parts.tls },
    {
      // The endpoint is part of the application; the shorter way in front of it saves most of a request's time.
      request(request, response) {
        if (!mcp.handle(request, response)) app(request, response);
      },
      checkContinue(request, response) {
        if (mcp.handle(request, response, { expectsContinue: true })) return;
        response.writeContinue();
        app(request, response);
      },
    },
  );
  metrics.watchConnections(() => server.connections);
  return {
    url: server.url,
    renew: (pair) => server.renew(pair),
    async close() {
      surface.close();
      mcp.close();
      await server.close(settings.server.drainTimeoutMs);
    },
  };
}

const INSTRUCTIONS = `svc hosts projects in which agents work. Each project has a keeper, its own agent, and triggers that start agent turns on a schedule or when you fire them.
Begin with list_projects; the slug of a project is the argument "project" of the other tools. Turns run in the background: a tool that starts one returns at once with the sessionId of a chat, which read_chat reads. run_trigger with wait_seconds waits for the end and says how it ended.
Where no model is configured, and wherever the model is called playbook, no AI is asked: a prompt must hold its steps as Markdown fenced blocks that begin with \`\`\`bash, \`\`\`write PATH or \`\`\`tool NAME; one without steps ends as no_model.
Tools that you may not call are not listed, and projects out of your reach are denied whether or not they exist.`;

function createManagementSurface(parts: HttpParts): McpSurface {
  const { ops, logger, management, settings, version } = parts;
  const plain = createOperationToolset(createTools(ops.operations), clientCaller);
  const toolset = parts.decorateToolset?.(plain) ?? plain;
  const mcp = createMcpSurface(
    {
      toolset: () => (whyNot(parts) === null ? toolset : null),
      logger,
      clock: createSystemClock(),
    },
    { name: 'svc', version, instructions: INSTRUCTIONS, publicHosts: settings.server.publicHosts },
    null,
  );
  management.onConfig((config) => mcp.configure(config));
  return mcp;
}

// The build lays it beside the program.
const PAGE = fileURLToPath(new URL('./page', import.meta.url));

function createApp(
  parts: HttpParts,
  auth: BrowserAuth,
  surface: RequestHandler,
  mcp: McpSurface,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(mcp.middleware);
  app.use(guarded);
  app.get('/livez', (_request, response) => sendJson(response, 200, { ok: true }));
  app.get('/readyz', async (_request, response) => {
    const reason = whyNot(parts) ?? (await troubleOf(parts.ops));
    if (reason === null) sendJson(response, 200, { ok: true });
    else sendJson(response, 503, { ok: false, reason });
  });
  app.get('/metrics', gated(auth), async (_request, response) => {
    const { contentType, body } = await parts.metrics.text();
    response.type(contentType).send(body);
  });
  // Before anything that may refuse: the page itself says why it shows nothing.
  app.use(createPage(PAGE));
  app.use((_request, response, next) => {
    const error = whyNot(parts);
    if (error === null) return next();
    response.setHeader('Retry-After', '1');
    sendJson(response, 503, { error, code: 'unavailable' });
  });
  app.use(surface);
  app.get('/', gated(auth), (request, response) => {
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
    const error = `This address takes GET and HEAD, not ${method.slice(0, 20)}.`;
    sendJson(response, 405, { error, code: 'method_not_allowed' });
  });
  app.use((_request, response) => {
    sendJson(response, 404, { error: 'There is nothing at this address.', code: 'not_found' });
  });
  return app;
}

// For whatever is not said elsewhere: nothing may be kept for the next one at this browser, or taken for another type.
const guarded: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  next();
};

const NOT_READY = 'The instance is starting or stopping: try again in a moment.';

function whyNot({ isReady, fault, ops }: HttpParts): string | null {
  return isReady() ? fault() : (startingOf(ops) ?? NOT_READY);
}

const NUMBER = new Intl.NumberFormat('en');

function startingOf(ops: Ops): string | null {
  const arming = ops.arming();
  if (arming === null) return null;
  const [projects, all, triggers] = [arming.projects, arming.ofProjects, arming.triggers].map(
    (count) => NUMBER.format(count),
  );
  return `The instance is starting: it has looked at ${projects} of ${all} projects and armed ${triggers} triggers.`;
}

async function troubleOf(ops: Ops): Promise<string | null> {
  return ops.ping().then(() => null, messageOf);
}

function gated(auth: BrowserAuth): RequestHandler {
  return async (request, response, next) => {
    const admitted = await auth.admit(gateRequestOf(request));
    if (admitted.ok) return next();
    const { status, code, error, headers } = admitted.error;
    response.set(headers);
    sendJson(response, status, { error, code });
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGate, type Gate, isLoopbackHost } from '@svc/browser-auth';
import { createSystemClock, type Logger, messageOf, SvcError } from '@svc/core';
import {
  createMcpSurface,
  createOperationToolset,
  type McpSurface,
  type McpToolset,
} from '@svc/mcp-surface';
import { clientCaller, type Ops } from '@svc/ops';
import { createRestSurface } from '@svc/rest-surface';
import express, { type Express, type RequestHandler } from 'express';
import type { Management } from './management.ts';
import type { Metrics } from './metrics.ts';
import type { Settings } from './setting-table.ts';

/** A server that listens. */
export interface Listening {
  readonly url: string;
  /** Accepts nothing more, ends streams, and resolves when every answer is out. */
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
 * @throws SvcError `address_unusable` when the address is taken or not to be had
 */
export async function listen(parts: HttpParts): Promise<Listening> {
  const { server: address, auth } = parts.settings;
  const gateFor = (publicUrl: string | null): Gate =>
    createGate({
      mode: auth.mode,
      publicHosts: address.publicHosts,
      publicUrl,
      localSecret: parts.secret,
    });
  let current = gateFor(null);
  parts.management.onConfig((config) => {
    current = gateFor(config?.publicUrl ?? null);
  });
  const gate: Gate = (request) => current(request);
  const surface = createRestSurface(
    { ops: parts.ops, gate, logger: parts.logger, clock: createSystemClock() },
    { version: parts.version },
  );
  const mcp = createManagementSurface(parts);
  const app = createApp(parts, gate, surface.handler, mcp);
  // The endpoint is part of the application; the shorter way in front of it saves most of a request's time.
  const server = createAnswering((request, response) => {
    if (!mcp.handle(request, response)) app(request, response);
  });
  server.on('checkContinue', (request, response) => {
    if (mcp.handle(request, response, { expectsContinue: true })) return;
    response.writeContinue();
    app(request, response);
  });
  await bind(server, address.host, address.port);
  return {
    url: urlOf(server, address.host),
    async close() {
      surface.close();
      mcp.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

function createAnswering(handler: RequestListener): Server {
  const answer: RequestListener = (request, response) => {
    if (!server.listening) response.setHeader('Connection', 'close');
    handler(request, response);
    // A client that goes on asking on its connection would keep a server that closes from ever being closed.
    response.on('close', () => {
      if (!server.listening) request.socket.destroySoon();
    });
  };
  const server = createServer(answer);
  // Left alone, Node refuses such a request before anybody has seen who sends it (RFC 9110, 10.1.1).
  server.on('checkExpectation', answer);
  return server;
}

const INSTRUCTIONS = `svc hosts projects in which agents work. Each project has a keeper, its own agent, and triggers that start agent turns on a schedule or when you fire them.
Begin with list_projects; the slug of a project is the argument "project" of the other tools. Turns run in the background: a tool that starts one returns at once with the sessionId of a chat, which read_chat reads. run_trigger with wait_seconds waits for the end and says how it ended.
This version runs agents without a model (runtime native, playbook): a prompt must hold its steps as Markdown fenced blocks that begin with \`\`\`bash, \`\`\`write PATH or \`\`\`tool NAME; one without steps ends as no_model.
Tools that you may not call are not listed, and projects out of your reach are denied whether or not they exist.`;

function createManagementSurface(parts: HttpParts): McpSurface {
  const { ops, logger, management, settings, version } = parts;
  const plain = createOperationToolset(ops.operations, clientCaller);
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

function createApp(
  parts: HttpParts,
  gate: Gate,
  surface: RequestHandler,
  mcp: McpSurface,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(mcp.middleware);
  app.get('/livez', (_request, response) => void response.json({ ok: true }));
  app.get('/readyz', async (_request, response) => {
    const reason = whyNot(parts) ?? (await troubleOf(parts.ops));
    if (reason === null) response.json({ ok: true });
    else response.status(503).json({ ok: false, reason });
  });
  app.get('/metrics', async (_request, response) => {
    const { contentType, body } = await parts.metrics.text();
    response.type(contentType).send(body);
  });
  app.use((_request, response, next) => {
    const error = whyNot(parts);
    if (error === null) return next();
    response.status(503).set('retry-after', '1').json({ error, code: 'unavailable' });
  });
  app.use(surface);
  app.get('/', gated(gate), (request, response) => {
    response
      .type('text/plain')
      .send(welcome(parts.version, `${request.protocol}://${request.get('host')}`));
  });
  app.use((_request, response) => {
    response.status(404).json({ error: 'There is nothing at this address.', code: 'not_found' });
  });
  return app;
}

const NOT_READY = 'The instance is starting or stopping: try again in a moment.';

function whyNot({ isReady, fault }: HttpParts): string | null {
  return isReady() ? fault() : NOT_READY;
}

async function troubleOf(ops: Ops): Promise<string | null> {
  return ops.ping().then(() => null, messageOf);
}

function gated(gate: Gate): RequestHandler {
  return (request, response, next) => {
    const { method, headers, socket } = request;
    const refusal = gate({ method, headers, remoteAddress: socket.remoteAddress });
    if (refusal === null) return next();
    response.status(refusal.status).json({ error: refusal.error, code: refusal.code });
  };
}

function welcome(version: string, origin: string): string {
  return `svc ${version} is running.

Projects          ${origin}/api/projects
What it offers    ${origin}/api/openapi.json
Is it well?       ${origin}/readyz
Figures           ${origin}/metrics
`;
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'another program uses it' : cause.message;
      const message = `svc cannot listen on ${host}:${port} (${why}): choose another one with --port or --host.`;
      reject(new SvcError('address_unusable', message, { cause }));
    });
    server.listen(port, host, () => resolve());
  });
}

// The address to call, which for "all addresses" is this machine's own.
function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  const shown = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : bracketed(host);
  return `http://${shown}:${port}`;
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** A sentence on an address that strangers can reach; null when only this machine can. */
export function exposureOf(settings: Settings): string | null {
  const { host } = settings.server;
  if (isLoopbackHost(host)) return null;
  return settings.auth.mode === 'none'
    ? 'auth.mode is none on an address that other machines reach: everybody there can run agents here'
    : 'auth.mode is not set: other machines are answered 403, only this one is served';
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ServicePort, serveLocally } from '@svc/agent-runtime';
import { bearerOf } from '@svc/core';
import { handleMessage, type OperationsPort } from '../operations-rpc.ts';

/** The MCP endpoint through which the agent of one turn calls operations. */
export interface OperationsEndpoint {
  readonly url: string;
  /** Value of the `Authorization` header. */
  readonly authorization: string;
  /** Stops the endpoint and aborts running requests. */
  close(): Promise<void>;
}

const PATH = '/mcp';
const MAX_BODY_BYTES = 1024 * 1024;

interface AccessRules {
  readonly digest: Buffer;
  /** `127.0.0.1:<port>`. */
  readonly host: string;
}

/**
 * Opens an MCP endpoint (streamable HTTP, JSON responses, no sessions) on 127.0.0.1, protected by a new bearer token.
 *
 * @param port Its port in the sandbox of the agent; null for a free port of this machine.
 */
export async function openOperationsEndpoint(
  operations: OperationsPort,
  port: ServicePort | null,
): Promise<OperationsEndpoint> {
  const token = randomBytes(32).toString('base64url');
  const server = createServer();
  const local = await serveLocally(server, port);
  const host = `127.0.0.1:${local.port}`;
  const rules: AccessRules = { digest: digestOf(token), host };
  server.on('request', (request, response) => {
    void serve(operations, rules, request, response);
  });
  return {
    url: `http://${host}${PATH}`,
    authorization: `Bearer ${token}`,
    close: local.close,
  };
}

async function serve(
  operations: OperationsPort,
  rules: AccessRules,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const status = refusalStatus(rules, request);
  if (status !== null) return respond(response, status, null);
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const body = await bodyOf(request).catch(() => null);
  if (body === null) return respond(response, 413, null);
  try {
    const result = await handleMessage(operations, body, disconnected.signal);
    respond(response, result.status, result.body);
  } catch {
    respond(response, 500, null);
  }
}

// The status for a request that is refused without reading its body; null if the request is acceptable.
function refusalStatus({ digest, host }: AccessRules, request: IncomingMessage): number | null {
  const { headers, method, url } = request;
  // Guards against DNS rebinding and against scripts of other origins in a browser.
  if (headers.host !== host) return 403;
  if (headers.origin !== undefined && headers.origin !== `http://${host}`) return 403;
  const token = bearerOf(headers.authorization);
  if (token === null || !timingSafeEqual(digestOf(token), digest)) return 401;
  if (url !== PATH) return 404;
  if (method !== 'POST') return 405;
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') return 415;
  return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES ? 413 : null;
}

/** Returns the body, or null if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function respond(response: ServerResponse, status: number, body: object | null): void {
  if (response.destroyed || response.headersSent) return;
  if (status === 405) response.setHeader('Allow', 'POST');
  // The unread rest of the body would be parsed as the next request.
  if (status === 413) response.setHeader('Connection', 'close');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="svc"');
  if (body === null) {
    response.writeHead(status).end();
    return;
  }
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

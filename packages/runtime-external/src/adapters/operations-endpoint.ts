import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bearerOf } from '@svc/core';
import { answerMessage, type OperationsPort } from '../operations-rpc.ts';

/** Where the agent of one turn finds its operations. */
export interface OperationsEndpoint {
  readonly url: string;
  /** Value of the header `Authorization`. */
  readonly authorization: string;
  /** Ends it, with the requests that are under way; its token is worth nothing any more. */
  close(): Promise<void>;
}

const PATH = '/mcp';
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_CONNECTIONS = 64;

interface Guard {
  readonly digest: Buffer;
  /** `127.0.0.1:<port>`. */
  readonly host: string;
}

/**
 * Opens an MCP endpoint (streamable HTTP, JSON answers, no sessions) on a free port of 127.0.0.1, with a bearer token of
 * its own.
 */
export async function openOperationsEndpoint(
  operations: OperationsPort,
): Promise<OperationsEndpoint> {
  const token = randomBytes(32).toString('base64url');
  const server = createServer();
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const guard: Guard = { digest: digestOf(token), host };
  server.on('request', (request, response) => {
    void serve(operations, guard, request, response);
  });
  return {
    url: `http://${host}${PATH}`,
    authorization: `Bearer ${token}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  operations: OperationsPort,
  guard: Guard,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refused = refusalOf(guard, request);
  if (refused !== null) return end(response, refused, null);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = await bodyOf(request).catch(() => null);
  if (body === null) return end(response, 413, null);
  try {
    const answer = await answerMessage(operations, body, gone.signal);
    end(response, answer.status, answer.body);
  } catch {
    end(response, 500, null);
  }
}

// The status of what is wrong before anything is read; null for nothing.
function refusalOf({ digest, host }: Guard, request: IncomingMessage): number | null {
  const { headers, method, url } = request;
  // Pages in a browser: a name that leads here, or a script of somewhere else.
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

/** The whole body; null for one that is too long. */
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

function end(response: ServerResponse, status: number, body: object | null): void {
  if (response.destroyed || response.headersSent) return;
  if (status === 405) response.setHeader('Allow', 'POST');
  // What was not read would be taken for the next request.
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

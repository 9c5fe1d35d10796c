import { createServer, type IncomingHttpHeaders, type Server, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import {
  type AuthOptions,
  type BrowserAuth,
  type BrowserAuthOptions,
  createBrowserAuth,
  createGate,
  createMemorySessions,
  type GateOptions,
} from '@svc/browser-auth';
import {
  createFakeClock,
  createMemoryLogger,
  type FakeClock,
  type MemoryLogger,
} from '@svc/core/testing';
import { personCaller } from '@svc/ops';
import { createRestSurface, type RestSurface } from '@svc/rest-surface';
import { Ajv2020 } from 'ajv/dist/2020.js';
import express from 'express';
import { createFakeOps, type FakeOps } from './fake-ops.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

interface Ask {
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly text?: string;
}

export interface RunningSurface {
  readonly ops: FakeOps;
  readonly clock: FakeClock;
  readonly logger: MemoryLogger;
  readonly surface: RestSurface;
  readonly server: Server;
  readonly port: number;
  readonly url: string;
  /** Sends a request; a successful response is validated against the OpenAPI document. */
  ask(method: string, path: string, request?: Ask): Promise<Answer>;
  /** Writes bytes to a socket and reads until the server closes it. */
  raw(...parts: (string | Buffer)[]): Promise<string>;
  close(): Promise<void>;
}

/** Sent by programs on this machine. */
export const LOCAL_SECRET = 'what-programs-on-this-machine-send';

/** The sign-in of a mode, with sessions in memory. */
export function authOf(
  clock: FakeClock,
  auth: AuthOptions = { mode: 'none' },
  options: Partial<GateOptions & BrowserAuthOptions> = {},
) {
  const localSecret = LOCAL_SECRET;
  const gate = createGate({ mode: auth.mode, localSecret, ...options });
  const sessions = createMemorySessions();
  return createBrowserAuth({ gate, clock, sessions }, { auth, localSecret, ...options });
}

export async function startSurface(
  options: Partial<GateOptions & BrowserAuthOptions> = {},
  clock: FakeClock = createFakeClock(),
  auth: BrowserAuth = authOf(clock, options.auth, options),
): Promise<RunningSurface> {
  const logger = createMemoryLogger();
  const ops = createFakeOps({ logger, clock });
  const surface = createRestSurface(
    { operations: ops.operations, callerOf: personCaller, auth, logger, clock },
    { version: '1.2.3' },
  );
  const app = express();
  app.use(surface.handler);
  app.use((_request, response) => void response.status(200).send('<html>the page</html>'));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${LOCAL_SECRET}` };
  const check = documentCheck(await (await fetch(`${url}/api/openapi.json`, { headers })).text());
  return {
    ops,
    clock,
    logger,
    surface,
    server,
    port,
    url,
    async ask(method, path, request = {}) {
      const { status, headers, text } = await sendTo(port, method, path, request);
      const body = text === '' ? {} : JSON.parse(text);
      if (status < 300 && method !== 'HEAD') check(method, path, status, body);
      return { status, headers, body };
    },
    raw: (...parts) => talk(port, parts),
    async close() {
      surface.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

// Not fetch, which resolves dots in a path before it sends it.
function sendTo(port: number, method: string, path: string, { json, text, headers = {} }: Ask) {
  const body = json === undefined ? text : JSON.stringify(json);
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>(
    (resolve, reject) => {
      const options = { port, method, path, headers: { ...type, ...length, ...headers } };
      const outgoing = send(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text: Buffer.concat(chunks).toString('utf8') });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    },
  );
}

function talk(port: number, parts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('utf8');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    for (const part of parts) socket.write(part);
  });
}

interface OpenApi {
  readonly paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
}

const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
};

type DocumentCheck = (method: string, path: string, status: number, body: unknown) => void;
const checks = new Map<string, DocumentCheck>();

/** Validates successful responses against the document; compiled once per document. */
function documentCheck(text: string): DocumentCheck {
  const known = checks.get(text) ?? newDocumentCheck(JSON.parse(text));
  checks.set(text, known);
  return known;
}

function newDocumentCheck(document: OpenApi): DocumentCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  ajv.addSchema(document, 'openapi');
  return (method, path, status, body) => {
    const template = templateOf(document, method, path.split('?')[0] ?? '');
    const pointer = ['paths', template, method.toLowerCase(), 'responses', String(status)]
      .concat('content', 'application/json', 'schema')
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    if (!ajv.validate({ $ref: `openapi#/${pointer}` }, body)) {
      throw new Error(`${method} ${template} ${status}: ${ajv.errorsText()}`);
    }
  };
}

function templateOf(document: OpenApi, method: string, path: string): string {
  const fits = Object.keys(document.paths).filter((template) => {
    const pattern = template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
    const known = document.paths[template]?.[method.toLowerCase()] !== undefined;
    return known && new RegExp(`^${pattern}$`).test(path);
  });
  const [best] = fits.sort((a, b) => a.split('{').length - b.split('{').length);
  if (best === undefined) throw new Error(`${method} ${path} is not in the document`);
  return best;
}

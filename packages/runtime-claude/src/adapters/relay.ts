import { randomBytes, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { type ServicePort, serveLocally } from '@svc/agent-runtime';
import { messageOf } from '@svc/core';
import { createUsageReader, type Tokens } from '../usage.ts';

/** A proxy between the agent of one turn and the model server. It adds the key, so that the agent never sees it. */
export interface Relay {
  /** Base URL of the Messages API for the agent, on the loopback interface. */
  readonly url: string;
  /** The agent's key for the relay, valid only during the turn. */
  readonly token: string;
  /** The number of answered model calls. */
  readonly calls: number;
  /** Whether a call was refused because the limit was reached. */
  readonly exhausted: boolean;
  readonly tokens: Tokens;
  close(): void;
}

/** Options of a relay. */
export interface RelayOptions {
  /** Base URL of the model server, without `/v1`. */
  readonly baseUrl: string;
  /** null for a server that needs no key. */
  readonly key: string | null;
  /** Maximum number of model calls. Failed calls do not count. */
  readonly maxCalls: number;
  /** Its port in the sandbox of the agent. Default: a free port of this machine. */
  readonly port?: ServicePort | null;
  /** Notified of each finished model call. Default: none. */
  readonly observer?: RelayObserver;
}

/** Observes the model calls of a relay. */
export interface RelayObserver {
  /** Monotonic time in milliseconds. */
  mono(): number;
  /** Called when a model call ends. `error` is the reason if there was no answer, else null. */
  onCall(call: {
    readonly durationMs: number;
    readonly tokens: Tokens;
    readonly error: string | null;
  }): void;
}

const MESSAGES = '/v1/messages';
const PATHS: ReadonlySet<string> = new Set([MESSAGES, `${MESSAGES}/count_tokens`]);
// `trailer` requires a chunked body, which the forwarded request may not have. The others concern only one connection or
// carry credentials.
const DROPPED_HEADERS = [
  'host',
  'connection',
  'upgrade',
  'trailer',
  'expect',
  'x-api-key',
  'authorization',
  'cookie',
  'proxy-',
];
// The agent would wait for hours if the server asked for it.
const MAX_RETRY_AFTER_S = 5;

interface State extends RelayOptions {
  readonly token: Buffer;
  readonly agent: HttpAgent;
  readonly tokens: Tokens;
  started: number;
  answered: number;
  exhausted: boolean;
}

/** Starts the relay of one turn. */
export async function openRelay(options: RelayOptions): Promise<Relay> {
  const token = randomBytes(32).toString('base64url');
  const keepAlive = { keepAlive: true };
  const state: State = {
    ...options,
    token: Buffer.from(token),
    agent: options.baseUrl.startsWith('https:')
      ? new HttpsAgent(keepAlive)
      : new HttpAgent(keepAlive),
    tokens: { in: null, out: null },
    started: 0,
    answered: 0,
    exhausted: false,
  };
  const server = createServer((request, response) => handle(state, request, response));
  const local = await serveLocally(server, options.port ?? null);
  return {
    url: `http://127.0.0.1:${local.port}`,
    token,
    tokens: state.tokens,
    get calls() {
      return state.answered;
    },
    get exhausted() {
      return state.exhausted;
    },
    close() {
      void local.close();
      state.agent.destroy();
    },
  };
}

function handle(state: State, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url?.split('?')[0] ?? '';
  const isModelCall = path === MESSAGES;
  if (!isAuthorized(state, request.headers)) {
    refuse(response, 401, 'This key is not valid here.');
  } else if (request.method !== 'POST' || !PATHS.has(path)) {
    refuse(response, 404, `The relay does not support ${request.method} ${path}.`);
  } else if (isModelCall && state.started >= state.maxCalls) {
    state.exhausted = true;
    refuse(response, 400, 'The limit of model calls was reached.');
  } else {
    if (isModelCall) state.started += 1;
    forward(state, request, response, isModelCall);
  }
}

function isAuthorized({ token }: State, headers: IncomingHttpHeaders): boolean {
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '') ?? '';
  const bytes = Buffer.from(String(key));
  return bytes.length === token.length && timingSafeEqual(bytes, token);
}

function forward(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  isModelCall: boolean,
): void {
  const send = state.baseUrl.startsWith('https:') ? requestHttps : requestHttp;
  const url = `${state.baseUrl.replace(/\/$/, '')}${request.url ?? ''}`;
  const observed = isModelCall ? observeCall(state) : null;
  const upstream = send(url, {
    method: 'POST',
    agent: state.agent,
    headers: headersTo(state, request),
  });
  let hasAborted = false;
  upstream.once('response', (answer) => {
    const { statusCode = 502 } = answer;
    // `writeHead` throws for these.
    if (statusCode < 200) {
      upstream.destroy(new Error(`it responded with status ${statusCode}`));
      return;
    }
    if (isModelCall) count(state, answer);
    observed?.follow(answer);
    response.writeHead(statusCode, headersFrom(answer.headers));
    // Piping applies backpressure to the server.
    answer.pipe(response);
    // An incomplete answer must not look complete to the agent.
    answer.once('close', () => {
      if (!answer.complete) response.destroy();
    });
  });
  upstream.once('error', (error) => {
    if (response.headersSent) response.destroy();
    else {
      observed?.end(messageOf(error));
      // A call that the agent aborted counts, because the server may have processed it.
      if (isModelCall && !hasAborted) state.started -= 1;
      refuse(response, 502, `The model server is unavailable: ${messageOf(error)}`);
    }
  });
  response.once('close', () => {
    hasAborted = true;
    upstream.destroy();
  });
  request.pipe(upstream);
}

function count(state: State, answer: IncomingMessage): void {
  if ((answer.statusCode ?? 500) >= 300) {
    state.started -= 1;
    return;
  }
  state.answered += 1;
  const reader = createUsageReader(state.tokens);
  answer.on('data', (chunk: Buffer) => reader.add(chunk));
}

// Calls may overlap, so each has its own token counts.
function observeCall({ observer }: State) {
  if (observer === undefined) return null;
  const startedAt = observer.mono();
  const tokens: Tokens = { in: null, out: null };
  const end = (error: string | null): void => {
    observer.onCall({ durationMs: observer.mono() - startedAt, tokens, error });
  };
  return {
    end,
    follow(answer: IncomingMessage): void {
      const { statusCode = 500 } = answer;
      const reader = createUsageReader(tokens);
      answer.on('data', (chunk: Buffer) => reader.add(chunk));
      answer.once('close', () => {
        if (statusCode >= 300) end(`The model server responded with status ${statusCode}.`);
        else end(answer.complete ? null : 'The answer was incomplete.');
      });
    },
  };
}

function headersTo({ key }: State, { headers }: IncomingMessage): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(
    ([name]) => !DROPPED_HEADERS.some((dropped) => name.startsWith(dropped)),
  );
  return {
    ...Object.fromEntries(kept),
    // Token usage cannot be read from a compressed answer.
    'accept-encoding': 'identity',
    ...(key !== null && { 'x-api-key': key }),
  };
}

function headersFrom(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _, 'retry-after': after, 'set-cookie': __, trailer: ___, ...kept } = headers;
  if (after === undefined) return kept;
  const seconds = Number(after);
  return { ...kept, 'retry-after': String(Math.min(seconds || 0, MAX_RETRY_AFTER_S)) };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const error = { type: status === 502 ? 'api_error' : 'invalid_request_error', message };
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ type: 'error', error }));
}

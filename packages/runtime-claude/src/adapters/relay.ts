import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { messageOf } from '@svc/core';
import { createUsageReader, type Tokens } from '../usage.ts';

/** What stands between the agent of one turn and the model's server, and keeps the key from the agent. */
export interface Relay {
  /** Address of the Messages API for the agent, on the loopback interface. */
  readonly url: string;
  /** The agent's key for it, which is worth nothing after the turn. */
  readonly token: string;
  /** Model calls that were answered. */
  readonly calls: number;
  /** Whether a call was refused because it was one too many. */
  readonly exhausted: boolean;
  readonly tokens: Tokens;
  close(): void;
}

/** Where a relay leads to. */
export interface RelayTarget {
  /** Address without `/v1`. */
  readonly baseUrl: string;
  /** null for a server that needs none. */
  readonly key: string | null;
  /** Most model calls that it lets through; those that the server refuses do not count. */
  readonly maxCalls: number;
  /** Told of each model call that has come to its end. Default: nobody is told. */
  readonly watch?: RelayWatch;
}

/** Follows the model calls of a relay. */
export interface RelayWatch {
  /** Milliseconds since some fixed instant. */
  mono(): number;
  /** `error` says why there was no answer; null for an answer. */
  asked(call: {
    readonly durationMs: number;
    readonly tokens: Tokens;
    readonly error: string | null;
  }): void;
}

const MESSAGES = '/v1/messages';
const PATHS: ReadonlySet<string> = new Set([MESSAGES, `${MESSAGES}/count_tokens`]);
// A trailer may go with some bodies only, and nothing here has one.
const OWN_HEADERS = [
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
// A server may ask for hours of patience, which the agent would have.
const MAX_RETRY_AFTER_S = 5;

interface State extends RelayTarget {
  readonly token: Buffer;
  readonly agent: HttpAgent;
  readonly tokens: Tokens;
  begun: number;
  answered: number;
  exhausted: boolean;
}

/** Opens the relay of one turn on a free port. */
export async function openRelay(target: RelayTarget): Promise<Relay> {
  const token = randomBytes(32).toString('base64url');
  const keepAlive = { keepAlive: true };
  const state: State = {
    ...target,
    token: Buffer.from(token),
    agent: target.baseUrl.startsWith('https:')
      ? new HttpsAgent(keepAlive)
      : new HttpAgent(keepAlive),
    tokens: { in: null, out: null },
    begun: 0,
    answered: 0,
    exhausted: false,
  };
  const server = createServer((request, response) => take(state, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    tokens: state.tokens,
    get calls() {
      return state.answered;
    },
    get exhausted() {
      return state.exhausted;
    },
    close() {
      server.close();
      server.closeAllConnections();
      state.agent.destroy();
    },
  };
}

function take(state: State, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url?.split('?')[0] ?? '';
  const counts = path === MESSAGES;
  if (!isOwn(state, request.headers)) {
    refuse(response, 401, 'This key is not valid here.');
  } else if (request.method !== 'POST' || !PATHS.has(path)) {
    refuse(response, 404, `The relay of a turn has no ${request.method} ${path}.`);
  } else if (counts && state.begun >= state.maxCalls) {
    state.exhausted = true;
    refuse(response, 400, 'The limit of model calls was reached.');
  } else {
    if (counts) state.begun += 1;
    forward(state, request, response, counts);
  }
}

function isOwn({ token }: State, headers: IncomingHttpHeaders): boolean {
  const given = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '') ?? '';
  const bytes = Buffer.from(String(given));
  return bytes.length === token.length && timingSafeEqual(bytes, token);
}

function forward(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  counts: boolean,
): void {
  const send = state.baseUrl.startsWith('https:') ? requestHttps : requestHttp;
  const url = `${state.baseUrl.replace(/\/$/, '')}${request.url ?? ''}`;
  const watched = counts ? watchCall(state) : null;
  const upstream = send(url, {
    method: 'POST',
    agent: state.agent,
    headers: headersTo(state, request),
  });
  let gaveUp = false;
  upstream.once('response', (answer) => {
    const { statusCode = 502 } = answer;
    // No answer may have such a status.
    if (statusCode < 200) {
      upstream.destroy(new Error(`it answered with the status ${statusCode}`));
      return;
    }
    if (counts) count(state, answer);
    watched?.follow(answer);
    response.writeHead(statusCode, headersFrom(answer.headers));
    // Nothing is held back: whoever reads slowly slows the server.
    answer.pipe(response);
    // An answer that breaks off must not look whole.
    answer.once('close', () => {
      if (!answer.complete) response.destroy();
    });
  });
  upstream.once('error', (error) => {
    if (response.headersSent) response.destroy();
    else {
      watched?.end(messageOf(error));
      // A call that the agent gave up may have been worked on, and counts.
      if (counts && !gaveUp) state.begun -= 1;
      refuse(response, 502, `The model's server cannot be reached: ${messageOf(error)}`);
    }
  });
  response.once('close', () => {
    gaveUp = true;
    upstream.destroy();
  });
  request.pipe(upstream);
}

function count(state: State, answer: IncomingMessage): void {
  if ((answer.statusCode ?? 500) >= 300) {
    state.begun -= 1;
    return;
  }
  state.answered += 1;
  const reader = createUsageReader(state.tokens);
  answer.on('data', (chunk: Buffer) => reader.add(chunk));
}

// One may be asked while another is answered, so that each has a count of its own.
function watchCall({ watch }: State) {
  if (watch === undefined) return null;
  const begun = watch.mono();
  const tokens: Tokens = { in: null, out: null };
  const end = (error: string | null): void => {
    watch.asked({ durationMs: watch.mono() - begun, tokens, error });
  };
  return {
    end,
    follow(answer: IncomingMessage): void {
      const { statusCode = 500 } = answer;
      const reader = createUsageReader(tokens);
      answer.on('data', (chunk: Buffer) => reader.add(chunk));
      answer.once('close', () => {
        if (statusCode >= 300) end(`The model's server answered with the status ${statusCode}.`);
        else end(answer.complete ? null : 'The answer broke off.');
      });
    },
  };
}

function headersTo({ key }: State, { headers }: IncomingMessage): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(
    ([name]) => !OWN_HEADERS.some((own) => name.startsWith(own)),
  );
  return {
    ...Object.fromEntries(kept),
    // What is packed could not be read for its use of tokens.
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

import { isRecord } from '@svc/core';
import type { EndpointOptions } from '../chat/endpoint.ts';
import { NoCompletion } from '../chat/endpoint-faults.ts';

/** Observes one HTTP exchange. */
export interface Watch {
  /** Called when a valid answer begins, and for each piece of it. */
  heard(): void;
  /** Whether a valid answer has begun. */
  begun: boolean;
  /** Whether the stream ended with its end mark. */
  done: boolean;
}

const MAX_ANSWER = 16 * 1024 * 1024;
const MAX_ERROR = 64 * 1024;
const TAIL = 64;
const EVENT_END = /\r\r|\n\n|\n\r\n/;
// The bytes are read as Latin-1, where a byte order mark is three characters.
const DATA = /^(?:\xEF\xBB\xBF)?data:[ \t]*[^\s]/m;
const BODILESS = [101, 204, 205, 304];

/**
 * A `fetch` for one model call. It follows no redirects, sends only required and configured headers regardless of the
 * environment, and rejects responses that cannot be completions. A response in one piece becomes a stream of one event.
 */
export function watchedFetch(
  watch: Watch,
  { apiKey, headers: further, fetch }: Pick<EndpointOptions, 'apiKey' | 'headers' | 'fetch'>,
): typeof globalThis.fetch {
  const headers = {
    'user-agent': 'svc',
    ...lowerCased(further),
    accept: 'text/event-stream, application/json',
    'content-type': 'application/json',
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
  };
  return async (url, init) => {
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    return response.ok ? answered(watch, response) : refused(response);
  };
}

function lowerCased(headers: EndpointOptions['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

async function refused({ status, headers, body }: Response): Promise<Response> {
  if (BODILESS.includes(status) || body === null) return new Response(null, { status, headers });
  const text = await new Response(body.pipeThrough(limited(MAX_ERROR))).text();
  return new Response(errorBody(text), { status, headers });
}

// The client library reads the message from this field only.
function errorBody(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value['error'] === undefined
      ? JSON.stringify({ error: value })
      : text;
  } catch {
    return JSON.stringify({ error: text });
  }
}

async function answered(watch: Watch, response: Response): Promise<Response> {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const stream = response.body?.pipeThrough(observed(watch)) ?? null;
  if (stream === null || response.status !== 200) {
    await stream?.cancel();
    throw new NoCompletion(`returned a response without content (${response.status}).`);
  }
  if (/html|xml|image|audio|video/.test(type)) {
    await stream.cancel();
    throw new NoCompletion(`returned a page (${type}) instead of a completion. Check baseUrl.`);
  }
  const headers = { 'content-type': 'text/event-stream' };
  if (type !== 'application/json') {
    return new Response(stream.pipeThrough(wholeEvents()), { headers });
  }
  const whole = onePiece(await new Response(stream).text());
  watch.done = true;
  return new Response(`data: ${whole}\n\ndata: [DONE]\n\n`, { headers });
}

function onePiece(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NoCompletion('sent an answer that could not be parsed.');
  }
  if (isRecord(value) && (value['choices'] !== undefined || value['error'] !== undefined)) {
    return JSON.stringify(value);
  }
  throw new NoCompletion('returned JSON that is not a completion. Check baseUrl.');
}

function observed(watch: Watch): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let tail = '';
  watch.begun = true;
  watch.heard();
  return new TransformStream({
    transform(piece, controller) {
      watch.heard();
      bytes += piece.length;
      if (bytes > MAX_ANSWER) throw new NoCompletion('sent more than 16 MiB.');
      tail = (tail + Buffer.from(piece.subarray(-TAIL)).toString('latin1')).slice(-TAIL);
      controller.enqueue(piece);
    },
    flush() {
      watch.done = /(?:^|[\r\n])data: ?\[DONE\]\s*$/.test(tail);
    },
  });
}

// The client reads an event that is not whole from its beginning again with each piece, and an event without data, which
// some servers send to keep the connection open, as JSON.
function wholeEvents(): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  let end = '';
  return new TransformStream({
    transform(piece, controller) {
      const text = end + Buffer.from(piece).toString('latin1');
      end = text.slice(-3);
      held.push(piece);
      if (text.search(EVENT_END) < 0) return;
      const events = Buffer.concat(held).toString('latin1').split(EVENT_END);
      const rest = events.pop() ?? '';
      const whole = events.filter((event) => DATA.test(event)).map((event) => `${event}\n\n`);
      controller.enqueue(Buffer.from(whole.join(''), 'latin1'));
      held = [Buffer.from(rest, 'latin1')];
      end = rest.slice(-3);
    },
    flush(controller) {
      if (held.length > 0) controller.enqueue(Buffer.concat(held));
    },
  });
}

function limited(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(piece, controller) {
      controller.enqueue(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0) controller.terminate();
    },
  });
}

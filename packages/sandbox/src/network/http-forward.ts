import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Transform, type Writable } from 'node:stream';
import { endToEnd, parseTarget } from './http-head.ts';
import {
  ask,
  BAD_TARGET,
  hasBody,
  setHeaders,
  statusFault,
  statusOf,
  unanswered,
} from './http-upstream.ts';
import type { OpenConnection } from './proxy-connection.ts';

const NOT_IN_REASONS = /[^\t\x20-\x7e\x80-\xff]/g;

/** Sends a request to the host of its address, and its response to the client. */
export async function forward(
  open: OpenConnection,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = parseTarget(request.url ?? '');
  if (target === null) return answer(response, 400, BAD_TARGET);
  const opened = await open(request.socket, target.host, target.port);
  if (opened === null) return;
  if (!opened.ok) return answer(response, statusOf(opened.error), opened.error.reason);
  const upstream = ask(request, target, opened.value);
  const stopUpload = upload(request, upstream);
  let answered = false;
  response.once('close', () => {
    upstream.destroy();
    stopUpload();
  });
  const fail = (error: Error): void => {
    stopUpload();
    if (!answered) answer(response, 502, unanswered(target, error));
    answered = true;
  };
  upstream.on('error', fail);
  // Node reports no error if a host upgrades a connection without being asked.
  upstream.once('close', () => fail(new Error('it closed the connection')));
  upstream.once('response', (from) => {
    answered = true;
    // A host that closes the connection early resets it when more arrives, and the rest of its answer would be lost.
    if (isLastError(from)) stopUpload();
    const fault = statusFault(target, from);
    if (fault === null) passOn(from, response);
    else answer(response, 502, fault);
  });
}

/** Sends the body of a request, and returns a function that drops the rest of it. */
function upload(request: IncomingMessage, upstream: Writable): () => void {
  if (!hasBody(request)) {
    upstream.end();
    return () => {};
  }
  // A write to a host that has closed the connection loses an answer that was not read yet. So what has arrived from
  // the host is read before each write.
  const afterReading = new Transform({
    transform: (chunk, _encoding, done) => setImmediate(done, null, chunk),
  });
  request.pipe(afterReading).pipe(upstream);
  return () => {
    request.unpipe(afterReading);
    request.resume();
  };
}

function isLastError({ statusCode = 0, httpVersion, headers }: IncomingMessage): boolean {
  const isLast = httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '');
  return statusCode >= 400 && isLast;
}

function passOn(from: IncomingMessage, response: ServerResponse): void {
  try {
    response.sendDate = false;
    response.statusCode = from.statusCode ?? 0;
    response.statusMessage = (from.statusMessage ?? '').replace(NOT_IN_REASONS, '');
    setHeaders(response, endToEnd(from.rawHeaders));
    pipeline(from, response, () => {});
  } catch {
    // Whatever a host answers, an error must not end the process.
    response.destroy();
  }
}

/** Answers a request with a text of one line. A response that has begun is cut. */
export function answer(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = Buffer.from(`${reason}\n`);
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': body.length,
  });
  response.end(body);
}

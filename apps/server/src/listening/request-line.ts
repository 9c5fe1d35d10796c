import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '@svc/core';
import type { HttpBounds } from './bounds.ts';

/** The requests of one connection that are not answered yet. */
export interface RequestLine {
  /** Answers a request as soon as those before it are answered; false when there are too many, and it is dropped. */
  join(request: IncomingMessage, response: ServerResponse, listener: RequestListener): boolean;
  /** Drops everything that waits. */
  close(): void;
  /** The request that is being answered; null: none. */
  readonly current: IncomingMessage | null;
}

/** Settles when the next of those that wait may go on. */
export type Turn = () => Promise<void>;

/**
 * Makes the turns that all connections share: one for each round of the event loop, so that whoever has just connected is
 * heard in between, however much waits.
 */
export function createTurns(clock: Pick<Clock, 'yield'>): Turn {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => clock.yield());
    return last;
  };
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: RequestListener;
  readonly headBytes: number;
  readonly bodyBytes: number;
}

/**
 * Makes the line of a connection. A client that sends many requests at once is answered one after the other (RFC 9112,
 * 9.3.2), so that no more than one answer of a connection takes memory, however slowly it is read.
 */
export function createRequestLine(
  turn: Turn,
  bounds: Pick<HttpBounds, 'waitingRequests' | 'waitingBytes'>,
): RequestLine {
  const waiting: Waiting[] = [];
  let current: Waiting | null = null;
  let bytes = 0;
  let closed = false;
  const answer = (entry: Waiting): void => {
    entry.response.once('close', () => {
      bytes -= entry.headBytes;
      current = waiting.shift() ?? null;
      if (current !== null) void continueWith(current);
    });
    entry.answer(entry.request, entry.response);
  };
  const continueWith = async (entry: Waiting): Promise<void> => {
    bytes -= entry.bodyBytes;
    await turn();
    if (!closed && !entry.request.socket.destroyed) answer(entry);
  };
  const close = (): void => {
    closed = true;
    waiting.length = 0;
  };
  return {
    join(request, response, listener) {
      if (closed) return false;
      // The body of a request that need not wait is read at once, by whoever answers it.
      const bodyBytes = current === null ? 0 : bodyBytesOf(request);
      const headBytes = headBytesOf(request);
      const entry = { request, response, answer: listener, headBytes, bodyBytes };
      bytes += headBytes + bodyBytes;
      const count = waiting.length + (current === null ? 1 : 2);
      if (count > bounds.waitingRequests || bytes > bounds.waitingBytes) {
        close();
        return false;
      }
      if (current !== null) waiting.push(entry);
      else {
        current = entry;
        answer(entry);
      }
      return true;
    },
    close,
    get current() {
      return current?.request ?? null;
    },
  };
}

// As it was on the wire, but for blanks that mean nothing.
function headBytesOf({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const lines = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
  return method.length + url.length + lines + ' HTTP/1.1\r\n\r\n'.length;
}

const MOST_BUFFERED = 65_536;

// As much of it as Node takes in before anybody reads it.
function bodyBytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MOST_BUFFERED;
  return Math.min(Number(headers['content-length'] ?? 0), MOST_BUFFERED);
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '@svc/core';
import type { HttpLimits } from './http-limits.ts';

/** The queue of unanswered requests on one connection. */
export interface RequestQueue {
  /** Handles a request after the previous ones; returns false and discards all queued requests if there are too many. */
  add(request: IncomingMessage, response: ServerResponse, listener: RequestListener): boolean;
  /** Discards queued requests. */
  close(): void;
  /** The request that is being handled; null if there is none. */
  readonly current: IncomingMessage | null;
}

/** Resolves when the next queued request may be handled. */
export type Turn = () => Promise<void>;

/**
 * Creates a queue shared by all connections. It handles one queued request in each iteration of the event loop, so that queued
 * requests do not delay new connections.
 */
export function createTurns(clock: Pick<Clock, 'yield'>): Turn {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => clock.yield());
    return last;
  };
}

interface QueuedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: RequestListener;
  readonly headBytes: number;
  readonly bodyBytes: number;
}

/**
 * Creates the queue of a connection. Pipelined requests are handled one at a time (RFC 9112, 9.3.2), so that a slow client
 * holds at most one response in memory.
 */
export function createRequestQueue(
  turn: Turn,
  limits: Pick<HttpLimits, 'queuedRequests' | 'queuedBytes'>,
): RequestQueue {
  const queue: QueuedRequest[] = [];
  let current: QueuedRequest | null = null;
  let bytes = 0;
  let closed = false;
  const answer = (entry: QueuedRequest): void => {
    entry.response.once('close', () => {
      bytes -= entry.headBytes;
      current = queue.shift() ?? null;
      if (current !== null) void continueWith(current);
    });
    entry.answer(entry.request, entry.response);
  };
  const continueWith = async (entry: QueuedRequest): Promise<void> => {
    bytes -= entry.bodyBytes;
    await turn();
    if (!closed && !entry.request.socket.destroyed) answer(entry);
  };
  const close = (): void => {
    closed = true;
    queue.length = 0;
  };
  return {
    add(request, response, listener) {
      if (closed) return false;
      // The body of a request that is handled at once is not buffered.
      const bodyBytes = current === null ? 0 : bodyBytesOf(request);
      const headBytes = headBytesOf(request);
      const entry = { request, response, answer: listener, headBytes, bodyBytes };
      bytes += headBytes + bodyBytes;
      const count = queue.length + (current === null ? 1 : 2);
      if (count > limits.queuedRequests || bytes > limits.queuedBytes) {
        close();
        return false;
      }
      if (current !== null) queue.push(entry);
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

// The size on the wire, without optional whitespace.
function headBytesOf({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const lines = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
  return method.length + url.length + lines + ' HTTP/1.1\r\n\r\n'.length;
}

const MAX_BUFFERED = 65_536;

// Node buffers at most this much of an unread body.
function bodyBytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BUFFERED;
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BUFFERED);
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { HttpBounds } from './bounds.ts';

/** The requests of one connection that are not answered yet. */
export interface RequestLine {
  /** Answers a request as soon as those before it are answered; false when there are too many, and it is dropped. */
  join(request: IncomingMessage, response: ServerResponse, answer: RequestListener): boolean;
  /** Drops everything that waits. */
  close(): void;
  /** The request that is being answered; null: none. */
  readonly current: IncomingMessage | null;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: RequestListener;
  readonly bytes: number;
}

/**
 * Makes the line of a connection. A client that sends many requests at once is answered one after the other (RFC 9112,
 * 9.3.2), so that no more than one answer of a connection takes memory, however slowly it is read.
 */
export function createRequestLine(
  bounds: Pick<HttpBounds, 'waitingRequests' | 'waitingHeadBytes'>,
): RequestLine {
  const waiting: Waiting[] = [];
  let current: Waiting | null = null;
  let bytes = 0;
  let closed = false;
  const begin = (next: Waiting): void => {
    current = next;
    next.response.once('close', () => {
      current = null;
      bytes -= next.bytes;
      const following = closed || next.request.socket.destroyed ? undefined : waiting.shift();
      if (following !== undefined) begin(following);
    });
    next.answer(next.request, next.response);
  };
  const close = (): void => {
    closed = true;
    waiting.length = 0;
  };
  return {
    join(request, response, answer) {
      if (closed) return false;
      const entry = { request, response, answer, bytes: headBytes(request) };
      bytes += entry.bytes;
      const count = waiting.length + (current === null ? 1 : 2);
      if (count > bounds.waitingRequests || bytes > bounds.waitingHeadBytes) {
        close();
        return false;
      }
      if (current === null) begin(entry);
      else waiting.push(entry);
      return true;
    },
    close,
    get current() {
      return current?.request ?? null;
    },
  };
}

// As it was on the wire, but for blanks that mean nothing.
function headBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const lines = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
  return method.length + url.length + lines + ' HTTP/1.1\r\n\r\n'.length;
}

import type { IncomingMessage } from 'node:http';

/**
 * A body that was read; null if it is too large. If the client disconnects before its end, the callback is not
 * called.
 */
export type BodyReader = (body: Buffer | null) => void;

/** Reads a body of at most `maxBytes`. Returns a function that stops reading. */
export function readBody(request: IncomingMessage, maxBytes: number, done: BodyReader): () => void {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (): void => {
    request.off('data', onData);
    request.off('end', onEnd);
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > maxBytes) {
      stop();
      done(null);
    } else {
      chunks.push(chunk);
    }
  };
  const onEnd = (): void => {
    const [first] = chunks;
    done(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
  };
  request.on('data', onData);
  request.on('end', onEnd);
  // A client that disconnects mid-body is an error of the stream; waiting code learns it from the response.
  request.on('error', () => {});
  return stop;
}

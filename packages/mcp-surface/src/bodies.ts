import type { IncomingMessage } from 'node:http';

/** A body that was read; null: it is too large. A client that goes away in between gets no call. */
export type BodyReader = (body: Buffer | null) => void;

/** Reads a body of at most `maxBytes`; the function that comes back stops it. */
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
  // A client that goes away mid-body is an error of the stream; whoever waits learns it from the response.
  request.on('error', () => {});
  return stop;
}

import { type Clock, eventText, type TimerHandle } from '@svc/core';
import type { FeedItem, VisibleChanges } from '@svc/ops';
import type { Response } from 'express';
import { COMMON_HEADERS } from './answer.ts';

const HEARTBEAT_MS = 15_000;
/** Bytes that may wait for a slow reader before its stream is ended. */
const MOST_WAITING_BYTES = 1_048_576;

/**
 * Streams of changes as server-sent events (WHATWG HTML, section 9.2). A response on `/mcp` waits for a slow
 * reader; a stream disconnects it.
 */
export interface EventStreams {
  /**
   * Streams changes. The reader receives the id of the last event at once, so that it can continue from there after a
   * disconnect.
   */
  open(response: Response, reader: Reader): void;
  /** Calls `isAllowed` for every open stream now, and ends those that it refuses. */
  recheck(): void;
  /** Ends every open stream. */
  close(): void;
  readonly closed: boolean;
}

export function createEventStreams(clock: Clock): EventStreams {
  const open = new Set<OpenStream>();
  let closed = false;
  return {
    open(response, reader) {
      const opened = stream(clock, response, reader, () => open.delete(opened));
      if (!response.closed) open.add(opened);
    },
    recheck() {
      for (const { recheck } of [...open]) recheck();
    },
    close() {
      closed = true;
      for (const { end } of [...open]) end();
    },
    get closed() {
      return closed;
    },
  };
}

/** Headers of a stream; the last one disables the buffering of nginx. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  ...COMMON_HEADERS,
  'Content-Type': 'text/event-stream',
  'X-Accel-Buffering': 'no',
});

interface OpenStream {
  recheck(): void;
  end(): void;
}

interface Reader {
  readonly changes: VisibleChanges;
  /** The id of the last event that the reader has seen; null: changes from now on. */
  readonly after: string | null;
  /** Called every 15 s and at each `recheck`; if it returns false or fails, the stream ends. */
  readonly isAllowed: () => Promise<boolean>;
  /** When the stream ends, in milliseconds since 1970; it sends nothing later. Null: never. */
  readonly expiresAt: number | null;
}

function stream(
  clock: Clock,
  response: Response,
  { changes, after, isAllowed, expiresAt }: Reader,
  ended: () => void,
): OpenStream {
  let live = true;
  let skippedId: string | null = null;
  let timer: TimerHandle | null = null;
  let unsubscribe = (): void => {};
  const stop = (): void => {
    live = false;
    unsubscribe();
    if (timer !== null) clock.clearTimeout(timer);
    ended();
  };
  const end = (): void => {
    if (!live) return;
    stop();
    response.end();
  };
  const leftMs = (): number => (expiresAt ?? Number.POSITIVE_INFINITY) - clock.now();
  const write = (text: string): void => {
    if (leftMs() <= 0) end();
    if (!live) return;
    response.write(text);
    // The reader is too slow. It reconnects and receives what it has missed.
    if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
  };
  const send = (item: FeedItem): void => {
    skippedId = null;
    write(textOf(item));
  };
  // An id without data advances the position of the reader past events that were not for it.
  const sendPosition = (): void => {
    write(`id: ${skippedId}\n\n`);
    skippedId = null;
  };
  const beat = (): void => {
    if (skippedId === null) write(': still here\n\n');
    else sendPosition();
    if (!live) return;
    schedule();
    recheck();
  };
  const schedule = (): void => {
    timer = clock.setTimeout(beat, Math.max(0, Math.min(HEARTBEAT_MS, leftMs())));
  };
  const recheck = (): void => {
    isAllowed().then((allowed) => allowed || end(), end);
  };
  response.writeHead(200, STREAM_HEADERS);
  write(': changes follow\n\n');
  schedule();
  unsubscribe = changes.subscribe(after, send, (eventId) => {
    skippedId = eventId;
  });
  if (skippedId !== null) sendPosition();
  // The credential may have expired while the stream opened.
  if (!live) stop();
  response.on('close', stop);
  return { recheck, end };
}

function textOf(item: FeedItem): string {
  const name = 'reset' in item ? 'reset' : item.kind;
  const data = 'reset' in item ? {} : { kind: item.kind, project: item.project, id: item.id };
  return eventText(name, JSON.stringify(data), item.eventId);
}

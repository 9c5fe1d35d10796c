import type { Clock, TimerHandle } from '@svc/core';
import type { ChangeFeed, FeedItem } from '@svc/ops';
import type { Response } from 'express';
import { COMMON_HEADERS } from './answer.ts';

const HEARTBEAT_MS = 15_000;
/** Bytes that may wait for a slow reader before its stream is ended. */
const MOST_WAITING_BYTES = 1_048_576;

/** Which changes a stream tells of. */
interface StreamOptions {
  /** Id of the last event that the reader has seen; null: from now on. */
  readonly after: string | null;
  /** Only changes of this project; null: of all. */
  readonly project: string | null;
}

/** Streams of changes as server-sent events (WHATWG HTML, section 9.2). */
export interface EventStreams {
  open(response: Response, options: StreamOptions): void;
  /** Ends every open stream. */
  close(): void;
  readonly closed: boolean;
}

export function createEventStreams(deps: { changes: ChangeFeed; clock: Clock }): EventStreams {
  const open = new Set<() => void>();
  let closed = false;
  return {
    open(response, options) {
      const end = stream(deps, response, options, () => open.delete(end));
      if (!response.closed) open.add(end);
    },
    close() {
      closed = true;
      for (const end of [...open]) end();
    },
    get closed() {
      return closed;
    },
  };
}

/** Headers of a stream; the last one keeps nginx from holding events back. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  ...COMMON_HEADERS,
  'Content-Type': 'text/event-stream',
  'X-Accel-Buffering': 'no',
});

function stream(
  { changes, clock }: { changes: ChangeFeed; clock: Clock },
  response: Response,
  { after, project }: StreamOptions,
  ended: () => void,
): () => void {
  let live = true;
  let passedOver: string | null = null;
  let timer: TimerHandle | null = null;
  const write = (text: string): void => {
    if (!live) return;
    response.write(text);
    // A reader this slow has lost touch: it connects again and is told what it has missed.
    if (response.writableLength > MOST_WAITING_BYTES) response.destroy();
  };
  const tell = (item: FeedItem): void => {
    const foreign = project !== null && 'kind' in item && item.project !== project;
    passedOver = foreign ? item.eventId : null;
    if (!foreign) write(eventText(item));
  };
  const beat = (): void => {
    // An id without data moves the reader's place past the events that were not for it.
    write(passedOver === null ? ': still here\n\n' : `id: ${passedOver}\n\n`);
    passedOver = null;
    timer = clock.setTimeout(beat, HEARTBEAT_MS);
  };
  response.writeHead(200, STREAM_HEADERS);
  write(': changes follow\n\n');
  timer = clock.setTimeout(beat, HEARTBEAT_MS);
  const unsubscribe = changes.subscribe(after, tell);
  const stop = (): void => {
    live = false;
    unsubscribe();
    if (timer !== null) clock.clearTimeout(timer);
    ended();
  };
  response.on('close', stop);
  return () => {
    stop();
    response.end();
  };
}

function eventText(item: FeedItem): string {
  const name = 'reset' in item ? 'reset' : item.kind;
  const data = 'reset' in item ? {} : { kind: item.kind, project: item.project, id: item.id };
  return `id: ${item.eventId}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

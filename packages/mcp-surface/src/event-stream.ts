import type { ServerResponse } from 'node:http';
import { type Clock, eventText, type TimerHandle } from '@svc/core';

/** Text of an event stream, ready to be written. */
export interface Frame {
  /** Bytes that come first, encoded once for many responses; null if there are none. */
  readonly start: Uint8Array | null;
  readonly text: string;
  readonly bytes: number;
}

const HEAD = [
  'Content-Type',
  'text/event-stream',
  'Cache-Control',
  'no-cache, no-transform',
  'X-Accel-Buffering',
  'no',
];

/**
 * One response as an event stream (HTML Living Standard, server-sent events). A stream of changes disconnects a
 * slow reader; this one waits, because the response is not sent again.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #keepAliveMs: number;
  #timer: TimerHandle | null = null;
  #ended = false;

  constructor(response: ServerResponse, clock: Clock, keepAliveMs: number) {
    this.#response = response;
    this.#clock = clock;
    this.#keepAliveMs = keepAliveMs;
  }

  /** True if nothing more can be written. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Writes a comment after a period of silence, so that proxies do not close the stream. */
  keepAlive(): void {
    this.#stopTimer();
    if (this.#ended) return;
    this.#timer = this.#clock.setTimeout(() => {
      this.#write(': keepalive\n\n');
      this.keepAlive();
    }, this.#keepAliveMs);
  }

  /** Writes an event before the last one; settles when a slow reader has caught up. */
  async send(text: string | Uint8Array): Promise<void> {
    if (this.#ended) return;
    if (this.#timer !== null) this.keepAlive();
    if (this.#write(text)) return;
    const response = this.#response;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        response.off('drain', settle);
        response.off('close', settle);
        resolve();
      };
      response.on('drain', settle);
      response.on('close', settle);
    });
  }

  /** Writes the last event, in one piece with the head if that was not sent before. */
  end({ start, text, bytes }: Frame): void {
    if (this.#ended) return;
    this.abandon();
    const response = this.#response;
    if (response.destroyed) return;
    if (!response.headersSent) {
      response.writeHead(200, [...HEAD, 'Content-Length', String(bytes)]);
    }
    if (start !== null) response.write(start);
    response.end(text);
  }

  /** Writes nothing more, because the client has disconnected or the response is not a stream. */
  abandon(): void {
    this.#ended = true;
    this.#stopTimer();
  }

  #write(text: string | Uint8Array): boolean {
    const response = this.#response;
    if (response.destroyed) return true;
    if (!response.headersSent) response.writeHead(200, HEAD);
    return response.write(text);
  }

  #stopTimer(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/** The event of a message. */
export function frameOf(json: string): Frame {
  const text = eventText('message', json);
  return { start: null, text, bytes: Buffer.byteLength(text) };
}

import type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
} from '@modelcontextprotocol/sdk/types.js';
import { eventText, messageOf } from '@svc/core';
import type { ActiveRequest } from './active-request.ts';
import { type EventStream, type Frame, frameOf } from './event-stream.ts';
import { SERVER_ERROR } from './protocol-error.ts';
import { FAILED, type ToolCaller } from './tool-caller.ts';

/** Transport of the protocol library for exactly one request and its response. */
export class SingleRequestTransport implements Transport, ActiveRequest {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  readonly #message: JSONRPCRequest;
  readonly #stream: EventStream;
  readonly #caller: ToolCaller;

  constructor(message: JSONRPCRequest, stream: EventStream, caller: ToolCaller) {
    this.#message = message;
    this.#stream = stream;
    this.#caller = caller;
  }

  /** Passes the request on. */
  async start(): Promise<void> {
    this.onmessage?.(this.#message);
  }

  /** Writes the response, or a notification that belongs to the request. */
  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const stream = this.#stream;
    if (stream.ended) return;
    if ('result' in message || 'error' in message) stream.end(this.#answerOf(message));
    else if (options?.relatedRequestId === this.#message.id) {
      await stream.send(eventText('message', JSON.stringify(message)));
    }
  }

  /** Aborts the work in progress. */
  async close(): Promise<void> {
    this.onclose?.();
  }

  /** Responds with an error. */
  fail(code: number, message: string): void {
    const { id } = this.#message;
    this.#stream.end(frameOf(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })));
  }

  gone(): void {
    const isOpen = !this.#stream.ended;
    this.#stream.abandon();
    if (isOpen) this.onclose?.();
  }

  stop(): void {
    if (this.#stream.ended) return;
    this.fail(SERVER_ERROR, 'The server is closing');
    this.onclose?.();
  }

  #answerOf(message: JSONRPCMessage): Frame {
    const { id } = this.#message;
    if ('result' in message) {
      const ready = this.#caller.lists.frameOf(message.result, id);
      if (ready !== null) return ready;
    }
    try {
      return frameOf(JSON.stringify(message));
    } catch (error) {
      this.#caller.logger.error({ error: messageOf(error) }, 'tool result is not JSON');
      return frameOf(JSON.stringify({ result: FAILED, jsonrpc: '2.0', id }));
    }
  }
}

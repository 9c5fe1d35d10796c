import type { Result } from '@svc/core';
import type { ModelTool } from '../model.ts';
import type { Answer } from './answer.ts';
import type { ChatMessage } from './chat-message.ts';

/** One model call. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ModelTool[];
}

/** Where a model is asked. */
export interface ChatEndpoint {
  /**
   * One answer, or why there is none, as one sentence. Rejects only where the signal aborts.
   *
   * @param onUsage Called with the tokens counted so far, each time that the endpoint reports them.
   */
  ask(
    request: ChatRequest,
    signal: AbortSignal,
    onUsage: (usage: NonNullable<Answer['usage']>) => void,
  ): Promise<Result<Answer, string>>;
}

/** Where an endpoint is, and how it is asked. */
export interface EndpointOptions {
  /** Address before `/chat/completions`, http or https. */
  readonly baseUrl: string;
  /** null: no key is sent. */
  readonly apiKey: string | null;
  /** Sent with each request, beside those that a completion needs. */
  readonly headers: Readonly<Record<string, string>>;
  /** What no reason may contain. */
  readonly secrets: readonly string[];
  /** null: the endpoint decides. */
  readonly temperature: number | null;
  /** Further fields of the request. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** Whether the endpoint is asked for the tokens of a streamed answer. */
  readonly streamUsage: boolean;
  readonly fetch: typeof fetch;
  /** Longest time without a byte of an answer, in milliseconds, retries included. */
  readonly silenceMs: number;
}

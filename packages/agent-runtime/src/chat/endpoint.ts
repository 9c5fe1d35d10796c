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
  /** One answer, or why there is none, as one sentence. Rejects only where the signal aborts. */
  ask(request: ChatRequest, signal: AbortSignal): Promise<Result<Answer, string>>;
}

/** Where an endpoint is, and how it is asked. */
export interface EndpointOptions {
  /** Address before `/chat/completions`, http or https. */
  readonly baseUrl: string;
  /** null: no key is sent. */
  readonly apiKey: string | null;
  /** Longest time without a byte of an answer, in milliseconds, retries included. */
  readonly silenceMs: number;
}

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

/** An endpoint for model calls. */
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

/** The address and options of an endpoint. */
export interface EndpointOptions {
  /** Address before `/chat/completions`, http or https. */
  readonly baseUrl: string;
  /** null: no key is sent. */
  readonly apiKey: string | null;
  /** Sent with each request, in addition to the required headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values to redact from reasons. */
  readonly secrets: readonly string[];
  /** null: the endpoint decides. */
  readonly temperature: number | null;
  /** Additional fields of the request. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** Whether to request token counts for streamed answers. */
  readonly streamUsage: boolean;
  readonly fetch: typeof fetch;
  /** Maximum time without data, in milliseconds, including retries. */
  readonly silenceMs: number;
}

import { type Clock, type Result, success } from '@svc/core';
import { createChatEndpoint } from './adapters/chat-endpoint.ts';
import { createProxiedFetch } from './adapters/proxied-fetch.ts';
import type { Answer } from './chat/answer.ts';
import { chatCall, createCallIds, toolMessage } from './chat/chat-message.ts';
import { BYTES_PER_TOKEN, type Conversation, createConversation } from './chat/conversation.ts';
import type { ChatEndpoint } from './chat/endpoint.ts';
import { pastTurns } from './chat/past-turns.ts';
import { oneLine } from './messages.ts';
import type { ModelStart, ModelStep, ModelTurn, ModelUsage, TurnModel } from './model.ts';
import { promptText } from './prompt-text.ts';
import type { ProxyOptions } from './proxy.ts';
import type { RuntimeProbe } from './runtime.ts';

/** Token prices of a model. */
export interface ModelPrices {
  readonly inputPerMillionUsd: number;
  readonly outputPerMillionUsd: number;
}

/** A model behind an OpenAI-compatible endpoint. */
export interface ChatModelOptions {
  /** Address before `/chat/completions`, http or https, e.g. `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** The model for turns that name no model. */
  readonly model: string;
  /** null: the endpoint needs no key. */
  readonly apiKey: string | null;
  /** Context window in tokens, including the answer. */
  readonly contextTokens: number;
  /** null: the cost of a turn is unknown. */
  readonly prices: ModelPrices | null;
  /** Sent with each request. Required headers cannot be replaced, except `authorization` if `apiKey` is null. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Values, for example from `headers`, to redact from failure reasons. The API key is always redacted. Default none.
   */
  readonly secrets?: readonly string[];
  /** From 0 to 2. Default null: the endpoint decides. */
  readonly temperature?: number | null;
  /** Additional request fields, e.g. `{ top_p: 0.9 }`. Fields that svc sets take precedence. Default none. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** Whether `stream_options.include_usage` is sent, which some endpoints refuse. Default true. */
  readonly streamUsage?: boolean;
  /** Default null: no proxy. Loopback addresses never use the proxy. */
  readonly proxy?: ProxyOptions | null;
  /** Milliseconds without data from the endpoint after which a call fails, 1000 to 300000. Default 240000. */
  readonly silenceMs?: number;
}

// A local model may have to be loaded first and can process a long prompt for minutes before its first token.
const SILENCE_MS = 240_000;

/**
 * Creates a model that uses chat completions over HTTP: streaming, with tools, with at most two retries. Connects to
 * the endpoint and imports the client library only when a turn needs them.
 */
export function createChatModel(
  deps: { readonly clock: Clock },
  options: ChatModelOptions,
): TurnModel {
  const { baseUrl, apiKey, prices, silenceMs = SILENCE_MS, secrets = [], proxy = null } = options;
  const { headers = {}, temperature = null, extraBody = {}, streamUsage = true } = options;
  const endpoint = createChatEndpoint(deps, {
    ...{ baseUrl, apiKey, headers, temperature, extraBody, streamUsage, silenceMs },
    secrets: apiKey === null ? secrets : [apiKey, ...secrets],
    fetch: createProxiedFetch(proxy),
  });
  return {
    cost: prices === null ? 'tokens' : 'estimate',
    probe: async () => probeOf(options),
    start: (turn) => startTurn(endpoint, options, turn),
  };
}

function probeOf({ baseUrl, model }: ChatModelOptions): RuntimeProbe {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return {
      ready: false,
      reason: 'The base URL of the model must start with http:// or https://.',
    };
  }
  if (model.trim() === '') return { ready: false, reason: 'No model name is configured.' };
  return { ready: true };
}

function startTurn(endpoint: ChatEndpoint, options: ChatModelOptions, turn: ModelStart): ModelTurn {
  const model = turn.model ?? options.model;
  const ids = createCallIds();
  let conversation: Conversation | null = null;
  let last: Answer | null = null;
  let heard = 0;
  let used: Answer['usage'] = null;
  const usedSoFar = () => (used === null ? null : usageOf(used, options.prices));
  const truncationWarning = createTruncationCheck();
  return {
    model,
    onFailedCall: 'continue',
    usedSoFar,
    async next(messages, signal): Promise<ModelStep> {
      used = null;
      conversation ??= await openConversation(options, turn, ids);
      const results = messages.filter(({ kind }) => kind === 'tool_result');
      if (last !== null) addStep(conversation, last, results.slice(heard), ids);
      heard = results.length;
      const { fits, notice } = conversation.fit();
      if (!fits) return tooLong(options);
      const request = { model, messages: conversation.messages(), tools: turn.tools };
      const answered = await endpoint.ask(request, signal, (usage) => {
        used = usage;
      });
      if (!answered.ok) {
        const usage = usedSoFar();
        return { end: 'failed', reason: answered.error, ...(usage !== null && { usage }) };
      }
      last = answered.value;
      const warning =
        last.usage === null ? null : truncationWarning(conversation, last.usage.tokensIn);
      const step = stepOf(last, options, notice === null ? [] : [notice]);
      return warning === null || 'end' in step ? step : { ...step, warning };
    },
  };
}

// No language has more bytes per token than this.
const MOST_BYTES_PER_TOKEN = 8;
const LITTLE_TOKENS = 1000;

// Servers with a small context window truncate prompts silently. Some do not count cached tokens, so only the largest
// count of a turn shows how much they accept.
function createTruncationCheck(): (conversation: Conversation, counted: number) => string | null {
  let most = 0;
  let warned = false;
  return (conversation, counted) => {
    const sent = conversation.counted(counted);
    most = Math.max(most, counted);
    const isShort = sent > (most * MOST_BYTES_PER_TOKEN) / BYTES_PER_TOKEN + LITTLE_TOKENS;
    if (warned || !isShort) return null;
    warned = true;
    return `The endpoint counted ${counted} tokens, but about ${sent} were sent, so the prompt was probably truncated. Increase the context window of the model or lower contextTokens.`;
  };
}

async function openConversation(
  { contextTokens }: ChatModelOptions,
  turn: ModelStart,
  ids: () => string,
): Promise<Conversation> {
  return createConversation({
    instructions: turn.instructions,
    prompt: promptText(turn.prompt),
    past: pastTurns(await turn.history(), ids),
    contextTokens,
    toolBytes: turn.tools.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(turn.tools)),
  });
}

type Results = Parameters<ModelTurn['next']>[0];

// The loop makes exactly the calls that the model asked for, in that order.
function addStep(
  conversation: Conversation,
  { text, calls, reasoning }: Answer,
  results: Results,
  ids: () => string,
): void {
  const named = calls.map((call) => ({ id: ids(), call }));
  conversation.add(
    {
      role: 'assistant',
      content: text,
      tool_calls: named.map(({ id, call }) => chatCall(id, call.name, call.input, call.extra)),
      ...reasoning,
    },
    named.map(({ id }, at) => {
      const result = results[at];
      return toolMessage(id, result?.text ?? '', result?.tool?.isError !== false);
    }),
  );
}

function tooLong({ contextTokens }: ChatModelOptions): ModelStep {
  const reason = `The prompt does not fit the model's context window of ${contextTokens} tokens.`;
  return { end: 'failed', reason };
}

function stepOf(
  answer: Answer,
  { prices }: ChatModelOptions,
  notices: readonly string[],
): ModelStep {
  const usage = usageOf(answer.usage, prices);
  const whole = wholeness(answer);
  if (!whole.ok) return { end: 'failed', reason: whole.error, usage };
  const answeredBy = answer.model === null ? {} : { answeredBy: answer.model };
  return { notices, text: answer.text, calls: answer.calls, usage, ...answeredBy };
}

// Finish reasons of incomplete answers differ between servers.
const FILTERED = /filter|safety|sensitive|prohibited|blocklist|recitation/i;
const BROKEN = /error|abort|cancel|insufficient|interrupt|timeout|repetition/i;
const CALLING = /^(?:tool_calls?|tool_use|function_call)$/i;
const CUT = /^(?:model_length|length|max_(?:output_)?tokens)$/i;

function wholeness(answer: Answer): Result<true, string> {
  const { text, calls, finish, ended, thought, refusal } = answer;
  const failed = (error: string) => ({ ok: false as const, error });
  if (finish !== null && FILTERED.test(finish)) {
    return failed("The endpoint filtered the model's answer.");
  }
  if (finish !== null && BROKEN.test(finish)) {
    return failed(`The model stopped its answer early (${oneLine(finish)}).`);
  }
  const isRunnable = calls.length > 0 && calls.every(({ fault }) => fault === null);
  if (finish !== null && CUT.test(finish) && !isRunnable) {
    return failed("The model's answer was cut off at its token limit.");
  }
  if (!ended) return failed("The model's answer ended early.");
  if (finish !== null && CALLING.test(finish) && calls.length === 0) {
    return failed(`The endpoint announced tool calls (${oneLine(finish)}) but sent none.`);
  }
  if (text !== null || calls.length > 0) return success(true);
  if (refusal.trim() !== '') return failed(oneLine(`The model refused: ${oneLine(refusal)}`));
  const why = thought ? 'reasoning but no answer' : 'an empty answer';
  return failed(`The model returned ${why}.`);
}

function isFree(prices: ModelPrices | null): boolean {
  return prices?.inputPerMillionUsd === 0 && prices.outputPerMillionUsd === 0;
}

function usageOf(usage: Answer['usage'], prices: ModelPrices | null): ModelUsage {
  if (usage === null) {
    return { tokensIn: null, tokensOut: null, costMicrousd: isFree(prices) ? 0 : null };
  }
  const { tokensIn, tokensOut } = usage;
  if (prices === null) return { tokensIn, tokensOut, costMicrousd: null };
  // One dollar per million tokens equals one microdollar per token.
  const cost = tokensIn * prices.inputPerMillionUsd + tokensOut * prices.outputPerMillionUsd;
  return { tokensIn, tokensOut, costMicrousd: Math.round(cost) };
}

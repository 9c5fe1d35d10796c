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

/** What tokens of a model cost. */
export interface ModelPrices {
  readonly inputPerMillionUsd: number;
  readonly outputPerMillionUsd: number;
}

/** A model behind an OpenAI-compatible endpoint. */
export interface ChatModelOptions {
  /** Address before `/chat/completions`, http or https, e.g. `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** The model of turns that ask for none. */
  readonly model: string;
  /** null: the endpoint needs none. */
  readonly apiKey: string | null;
  /** Tokens that one call may hold, the answer included. */
  readonly contextTokens: number;
  /** null: what a turn costs is not known. */
  readonly prices: ModelPrices | null;
  /** Sent with each request. They replace none that a completion needs but `authorization`, where `apiKey` is null. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values, of `headers` for instance, that no reason of a failure may contain; the key is one anyway. Default none. */
  readonly secrets?: readonly string[];
  /** From 0 to 2. Default null: the endpoint decides. */
  readonly temperature?: number | null;
  /** Further fields of each request, e.g. `{ top_p: 0.9 }`; those that svc sets itself win. Default none. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** Whether `stream_options.include_usage` is sent, which some endpoints refuse. Default true. */
  readonly streamUsage?: boolean;
  /** Default null: none. Loopback addresses are always asked directly. */
  readonly proxy?: ProxyOptions | null;
  /** Longest silence of the endpoint in milliseconds, 1000 to 300000, after which a call fails. Default 240000. */
  readonly silenceMs?: number;
}

// A model on this machine may be loaded first, and reads a long prompt for minutes before its first word.
const SILENCE_MS = 240_000;

/**
 * Makes a model of chat completions over HTTP: streaming, with tools, asked again at most twice. Nothing is connected
 * to, nor its library imported, before a turn asks it.
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
    return { ready: false, reason: 'The address of the model is no http or https address.' };
  }
  if (model.trim() === '') return { ready: false, reason: 'The model has no name.' };
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
  const shortfall = createShortfall();
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
      const warning = last.usage === null ? null : shortfall(conversation, last.usage.tokensIn);
      const step = stepOf(last, options, notice === null ? [] : [notice]);
      return warning === null || 'end' in step ? step : { ...step, warning };
    },
  };
}

// Text of any language has fewer bytes to a token than this.
const MOST_BYTES_PER_TOKEN = 8;
const LITTLE_TOKENS = 1000;

// Servers whose window is too small cut a prompt without a word. Some count only what they had not read before, so that
// only the largest count of a turn says how much they hold.
function createShortfall(): (conversation: Conversation, counted: number) => string | null {
  let most = 0;
  let warned = false;
  return (conversation, counted) => {
    const sent = conversation.counted(counted);
    most = Math.max(most, counted);
    const isShort = sent > (most * MOST_BYTES_PER_TOKEN) / BYTES_PER_TOKEN + LITTLE_TOKENS;
    if (warned || !isShort) return null;
    warned = true;
    return `The endpoint counted ${counted} tokens where about ${sent} were sent, so the model probably saw only a part: enlarge its context window, or lower contextTokens.`;
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

// What the loop calls is what the model asked for, in its order.
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
  const reason = `The prompt is too long for the ${contextTokens} tokens that the model holds.`;
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
  const told = answer.model === null ? {} : { answeredBy: answer.model };
  return { notices, text: answer.text, calls: answer.calls, usage, ...told };
}

// Servers have words of their own for why an answer is not whole.
const FILTERED = /filter|safety|sensitive|prohibited|blocklist|recitation/i;
const BROKEN = /error|abort|cancel|insufficient|interrupt|timeout|repetition/i;
const CALLING = /^(?:tool_calls?|tool_use|function_call)$/i;
const CUT = /^(?:model_length|length|max_(?:output_)?tokens)$/i;

function wholeness(answer: Answer): Result<true, string> {
  const { text, calls, finish, ended, thought, refusal } = answer;
  const failed = (error: string) => ({ ok: false as const, error });
  if (finish !== null && FILTERED.test(finish)) {
    return failed('The endpoint filtered the answer of the model.');
  }
  if (finish !== null && BROKEN.test(finish)) {
    return failed(`The model broke its answer off (${oneLine(finish)}).`);
  }
  const isRunnable = calls.length > 0 && calls.every(({ fault }) => fault === null);
  if (finish !== null && CUT.test(finish) && !isRunnable) {
    return failed('The answer of the model was cut off at its limit of tokens.');
  }
  if (!ended) return failed('The answer of the model broke off.');
  if (finish !== null && CALLING.test(finish) && calls.length === 0) {
    return failed(`The endpoint announced tool calls (${oneLine(finish)}) and sent none.`);
  }
  if (text !== null || calls.length > 0) return success(true);
  if (refusal.trim() !== '') return failed(oneLine(`The model refused: ${oneLine(refusal)}`));
  const why = thought ? 'its thoughts but no answer' : 'an empty answer';
  return failed(`The model gave ${why}.`);
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
  // A dollar for a million tokens is a millionth of a dollar for one.
  const cost = tokensIn * prices.inputPerMillionUsd + tokensOut * prices.outputPerMillionUsd;
  return { tokensIn, tokensOut, costMicrousd: Math.round(cost) };
}

import { type Clock, failure, type Result, success } from '@svc/core';
import type { OpenAI } from 'openai';
import { type Answer, createAnswer } from '../chat/answer.ts';
import type { ChatEndpoint, ChatRequest, EndpointOptions } from '../chat/endpoint.ts';
import { type EndpointFault, endpointFault } from '../chat/endpoint-faults.ts';
import { sleep } from './sleep.ts';
import { type Watch, watchedFetch } from './watched-fetch.ts';

const RETRIES = 2;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
// Retries after faults end within a minute, even if the silence limit is longer.
const LONGEST_RETRYING_MS = 50_000;
// The client library gets no timeout, because the silence limit below ends calls.
const NEVER_MS = 2_147_483_647;

type Body = OpenAI.ChatCompletionCreateParamsStreaming;

/** Creates the client of an OpenAI-compatible endpoint. The library is imported by the first call. */
export function createChatEndpoint(
  { clock }: { readonly clock: Clock },
  options: EndpointOptions,
): ChatEndpoint {
  return {
    async ask(request, signal, onUsage) {
      const limit = createLimit(clock, options.silenceMs, signal);
      try {
        return await askAgain(clock, options, { request, onUsage }, limit);
      } finally {
        limit.clear();
      }
    },
  };
}

interface Question {
  readonly request: ChatRequest;
  readonly onUsage: Parameters<ChatEndpoint['ask']>[2];
}

async function askAgain(
  clock: Clock,
  options: EndpointOptions,
  question: Question,
  limit: Limit,
): Promise<Result<Answer, string>> {
  const since = clock.mono();
  let last: EndpointFault | null = null;
  for (let attempt = 0; ; attempt += 1) {
    const watch: Watch = { heard: limit.restart, begun: false, done: false };
    try {
      return success(await askOnce(options, question, watch, limit.signal));
    } catch (error) {
      const stopped = stopOfCall(limit, options);
      if (stopped !== null) return failure(last?.reason ?? stopped);
      const facts = { model: question.request.model, begun: watch.begun, now: clock.now() };
      const fault = endpointFault(error, { ...options, ...facts });
      const leftMs = LONGEST_RETRYING_MS - (clock.mono() - since);
      const wait = waitBefore(fault, attempt, leftMs);
      if (!wait.ok) return wait;
      limit.shorten(leftMs);
      last = fault;
      await sleep(clock, wait.value, limit.signal);
    }
  }
}

/** The delay before the next attempt in milliseconds, or why there is none. */
function waitBefore(fault: EndpointFault, attempt: number, leftMs: number): Result<number, string> {
  const waitMs = fault.waitMs ?? FIRST_WAIT_MS * 4 ** attempt;
  if (!fault.again || attempt === RETRIES) return failure(fault.reason);
  if (waitMs > LONGEST_WAIT_MS) return failure(withWait(fault, waitMs));
  return waitMs < leftMs ? success(waitMs) : failure(fault.reason);
}

function withWait({ reason }: EndpointFault, waitMs: number): string {
  return `${reason.replace(/\.$/, '')}; it asks to retry after ${Math.ceil(waitMs / 1000)} seconds.`;
}

function stopOfCall(limit: Limit, options: EndpointOptions): string | null {
  if (limit.silent) {
    const { host } = new URL(options.baseUrl);
    return `The model endpoint at ${host} sent nothing for ${options.silenceMs / 1000} seconds.`;
  }
  limit.signal.throwIfAborted();
  return null;
}

async function askOnce(
  options: EndpointOptions,
  { request, onUsage }: Question,
  watch: Watch,
  signal: AbortSignal,
): Promise<Answer> {
  signal.throwIfAborted();
  const { OpenAI: Client } = await import('openai');
  // Every option is set, because missing ones are read from the environment of this process.
  const client = new Client({
    baseURL: options.baseUrl,
    apiKey: options.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: NEVER_MS,
    fetch: watchedFetch(watch, options),
  });
  const answer = createAnswer();
  const stream = await client.chat.completions.create(bodyOf(options, request), { signal });
  for await (const chunk of stream) {
    answer.add(chunk);
    if (answer.usage !== null) onUsage(answer.usage);
  }
  // The client ends a stream that was aborted as if it were whole.
  signal.throwIfAborted();
  return answer.join(watch.done);
}

function bodyOf(
  { temperature, extraBody, streamUsage }: EndpointOptions,
  { model, messages, tools }: ChatRequest,
): Body {
  const functions = tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: { properties: {}, ...inputSchema } },
  }));
  return {
    ...extraBody,
    ...(temperature !== null && { temperature }),
    model,
    messages: [...messages] as Body['messages'],
    stream: true,
    ...(streamUsage && { stream_options: { include_usage: true } }),
    ...(functions.length > 0 && { tools: functions }),
  };
}

/** Ends a call with its turn, or after too much silence of the endpoint. */
interface Limit {
  readonly signal: AbortSignal;
  readonly silent: boolean;
  restart(): void;
  /** Lowers the remaining silence limit to this many milliseconds. */
  shorten(ms: number): void;
  clear(): void;
}

function createLimit(clock: Clock, silenceMs: number, outer: AbortSignal): Limit {
  const controller = new AbortController();
  const stop = (): void => controller.abort(outer.reason);
  let silent = false;
  // A piece may still arrive after the call was aborted.
  let over = false;
  const wait = (ms: number) =>
    clock.setTimeout(() => {
      silent = true;
      controller.abort();
    }, ms);
  let timer = wait(silenceMs);
  const again = (ms: number): void => {
    if (over) return;
    clock.clearTimeout(timer);
    timer = wait(ms);
  };
  outer.addEventListener('abort', stop, { once: true });
  if (outer.aborted) stop();
  return {
    signal: controller.signal,
    get silent() {
      return silent;
    },
    restart: () => again(silenceMs),
    shorten: (ms) => again(Math.min(ms, silenceMs)),
    clear() {
      over = true;
      clock.clearTimeout(timer);
      outer.removeEventListener('abort', stop);
    },
  };
}

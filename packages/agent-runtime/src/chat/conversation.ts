import { counted } from '@svc/core';
import type { AssistantMessage, ChatMessage, ToolMessage } from './chat-message.ts';
import { bytesOfMessage, firstBytes } from './size.ts';

/** The start of a conversation. */
export interface ConversationStart {
  readonly instructions: string;
  readonly prompt: string;
  readonly past: readonly (readonly ChatMessage[])[];
  /** Context window in tokens, including the answer. */
  readonly contextTokens: number;
  /** Size of the tool definitions, which are sent with each call. */
  readonly toolBytes: number;
}

/** The messages to a model, kept within its context window. */
export interface Conversation {
  add(said: AssistantMessage, results: readonly ToolMessage[]): void;
  /**
   * Records the token count of the server for the current messages.
   *
   * @returns the estimated number of tokens sent, at four bytes per token.
   */
  counted(tokensIn: number): number;
  /**
   * Makes room if the next call would exceed the context window: replaces the oldest tool results with a mark, then
   * drops the oldest turns, then the oldest steps of this turn. As a last resort it truncates the newest results and
   * drops the inputs of their calls.
   *
   * @returns one sentence on what was removed; null for nothing. `fits` is false if that was not enough.
   */
  fit(): { readonly fits: boolean; readonly notice: string | null };
  messages(): readonly ChatMessage[];
}

/** Assumed UTF-8 bytes per token. */
export const BYTES_PER_TOKEN = 4;
const MOST_FOR_ANSWER = 8192;
// Making more room than needed keeps the prefix stable for a while, so that server-side prompt caches stay valid.
const ROOM = 0.85;
const SHORT = 200;

/**
 * Creates a conversation. A token is assumed to be four bytes of UTF-8, or fewer if the last count of the server was
 * higher than assumed. A quarter of the context window, at most 8,192 tokens, is reserved for the answer.
 */
export function createConversation(start: ConversationStart): Conversation {
  const { contextTokens } = start;
  const limit = contextTokens - Math.min(MOST_FOR_ANSWER, Math.floor(contextTokens / 4));
  const stock: Stock = { bytes: start.toolBytes };
  const take = (messages: readonly ChatMessage[]): ChatMessage[] => {
    for (const message of messages) stock.bytes += bytesOfMessage(message);
    return [...messages];
  };
  const [head, prompt] = [
    take([{ role: 'system', content: start.instructions }]),
    take([{ role: 'user', content: start.prompt }]),
  ];
  const past = start.past.map(take);
  const steps: ChatMessage[][] = [];
  let factor = 1;
  const tokens = (): number => Math.ceil((stock.bytes / BYTES_PER_TOKEN) * factor);
  return {
    add: (said, results) => void steps.push(take([said, ...results])),
    counted(tokensIn) {
      factor = Math.min(4, Math.max(1, (tokensIn * BYTES_PER_TOKEN) / stock.bytes));
      return Math.round(stock.bytes / BYTES_PER_TOKEN);
    },
    fit() {
      if (tokens() <= limit) return { fits: true, notice: null };
      const isEnough = (): boolean => tokens() <= limit * ROOM;
      const marked = markOldest(stock, [...past, ...steps.slice(0, -1)], isEnough);
      const turns = dropOldest(stock, past, 0, isEnough);
      const dropped = dropOldest(stock, steps, 1, isEnough);
      const over = ((tokens() - limit * ROOM) * BYTES_PER_TOKEN) / factor;
      const cut = tokens() > limit ? cutNewest(stock, steps.at(-1) ?? [], over) : 0;
      const emptied = tokens() > limit ? emptyNewest(stock, steps.at(-1) ?? []) : 0;
      const done = [
        [marked, 'older tool result'],
        [turns, 'older turn'],
        [dropped, 'older step'],
        [cut, 'new tool result', 'the end of '],
        [emptied, 'new call', 'the input of '],
      ] as const;
      return { fits: tokens() <= limit, notice: noticeOf(contextTokens, done) };
    },
    messages: () => joined([...head, ...past.flat(), ...prompt, ...steps.flat()]),
  };
}

/** Total size of all messages, updated as they change. */
interface Stock {
  bytes: number;
}

function replace(stock: Stock, group: ChatMessage[], at: number, next: ChatMessage): void {
  const before = group[at];
  if (before !== undefined) stock.bytes -= bytesOfMessage(before);
  stock.bytes += bytesOfMessage(next);
  group[at] = next;
}

function noticeOf(
  contextTokens: number,
  done: readonly (readonly [count: number, noun: string, part?: string])[],
): string | null {
  const parts = done
    .filter(([count]) => count > 0)
    .map(([count, noun, part = '']) => `${part}${counted(count, noun)}`);
  return parts.length === 0
    ? null
    : `To fit the model's context window of ${contextTokens} tokens, this was left out: ${parts.join(', ')}.`;
}

function markOldest(
  stock: Stock,
  groups: readonly ChatMessage[][],
  isEnough: () => boolean,
): number {
  let marked = 0;
  for (const group of groups) {
    for (const [at, message] of group.entries()) {
      if (isEnough()) return marked;
      if (message.role !== 'tool' || message.content.length <= SHORT) continue;
      const content = `[Left out to make room: a tool result of ${message.content.length} characters.]`;
      replace(stock, group, at, { ...message, content });
      marked += 1;
    }
  }
  return marked;
}

function dropOldest(
  stock: Stock,
  groups: ChatMessage[][],
  keep: number,
  isEnough: () => boolean,
): number {
  let dropped = 0;
  while (groups.length > keep && !isEnough()) {
    for (const message of groups.shift() ?? []) stock.bytes -= bytesOfMessage(message);
    dropped += 1;
  }
  return dropped;
}

function cutNewest(stock: Stock, step: ChatMessage[], over: number): number {
  const results = step.flatMap((message, at) =>
    message.role === 'tool' ? [{ at, message, size: Buffer.byteLength(message.content) }] : [],
  );
  const whole = results.reduce((sum, { size }) => sum + size, 0);
  let cut = 0;
  for (const { at, message, size } of results) {
    const less = Math.ceil((over * size) / whole) + SHORT;
    if (size <= SHORT) continue;
    const kept = firstBytes(message.content, Math.max(0, size - less));
    const mark = `[Cut: the first ${kept.length} of ${message.content.length} characters are shown.]`;
    replace(stock, step, at, { ...message, content: `${kept}\n${mark}` });
    cut += 1;
  }
  return cut;
}

function emptyNewest(stock: Stock, step: ChatMessage[]): number {
  const [said] = step;
  if (said?.role !== 'assistant') return 0;
  let emptied = 0;
  const made = (said.tool_calls ?? []).map((call) => {
    const { length } = call.function.arguments;
    if (length <= SHORT) return call;
    emptied += 1;
    const left = JSON.stringify({ left_out: `${length} characters, to make room` });
    return { ...call, function: { ...call.function, arguments: left } };
  });
  if (emptied > 0) replace(stock, step, 0, { ...said, tool_calls: made });
  return emptied;
}

// Some servers reject two user messages in a row, which a turn without an answer leaves behind.
function joined(messages: readonly ChatMessage[]): ChatMessage[] {
  const out: ChatMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      out[out.length - 1] = { role: 'user', content: `${last.content}\n\n${message.content}` };
    } else out.push(message);
  }
  return out;
}

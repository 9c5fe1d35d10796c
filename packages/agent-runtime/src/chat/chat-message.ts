import type { Reasoning } from './reasoning.ts';

/** A tool call in the format of chat completions. */
export interface ChatCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** Extra data that some servers expect back with a call. */
  readonly extra_content?: unknown;
}

/** A message in the format of chat completions. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | AssistantMessage
  | ToolMessage;

/** An assistant message. Some servers expect its reasoning back within a tool loop. */
export interface AssistantMessage extends Reasoning {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly ChatCall[];
}

/** A tool result. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/** Generates call ids in order. */
export type CallIds = () => string;

/** Creates ids of nine letters and digits, the format that the strictest servers accept. */
export function createCallIds(): CallIds {
  let last = 0;
  return () => {
    last += 1;
    return `call${last.toString(36).padStart(5, '0')}`;
  };
}

/** Converts a call. An input that is not an object is left out, because servers cannot parse it. */
export function chatCall(id: string, name: string, input: unknown, extra?: unknown): ChatCall {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(isObject ? input : {}) },
    ...(extra !== undefined && { extra_content: extra }),
  };
}

/** Converts a tool result. The format can report a failure only in the text. */
export function toolMessage(id: string, text: string, isError: boolean): ToolMessage {
  return { role: 'tool', tool_call_id: id, content: isError ? `Error: ${text}` : text };
}

import type { Reasoning } from './reasoning.ts';

/** A tool call as the wire of chat completions has it. */
export interface ChatCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** What some servers want back with a call that they made. */
  readonly extra_content?: unknown;
}

/** A message as the wire of chat completions has it. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | AssistantMessage
  | ToolMessage;

/** What the model has said; some servers expect its reasoning back within a loop of tool calls. */
export interface AssistantMessage extends Reasoning {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly ChatCall[];
}

/** What a tool has given back. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/** Names for calls, in their order. */
export type CallIds = () => string;

/** Makes names of nine letters and digits, which is what the strictest servers take. */
export function createCallIds(): CallIds {
  let last = 0;
  return () => {
    last += 1;
    return `call${last.toString(36).padStart(5, '0')}`;
  };
}

/** A call for the wire; an input that is no object, which servers cannot read, is left out. */
export function chatCall(id: string, name: string, input: unknown, extra?: unknown): ChatCall {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(isObject ? input : {}) },
    ...(extra !== undefined && { extra_content: extra }),
  };
}

/** A tool result for the wire; it has no other way to tell of a failure than in words. */
export function toolMessage(id: string, text: string, isError: boolean): ToolMessage {
  return { role: 'tool', tool_call_id: id, content: isError ? `Error: ${text}` : text };
}

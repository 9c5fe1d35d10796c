import type { NewMessage } from '@svc/records';

/** What the model, or the author of a playbook, says. */
export function saying(text: string): NewMessage {
  return { role: 'assistant', kind: 'text', text, tool: null };
}

/** A call of a tool. */
export function calling(callId: string, name: string, input: unknown): NewMessage {
  return { role: 'assistant', kind: 'tool_use', text: '', tool: { callId, name, input } };
}

/** What a tool gave back. */
export function answering(
  callId: string,
  name: string,
  text: string,
  isError: boolean,
): NewMessage {
  return { role: 'tool', kind: 'tool_result', text, tool: { callId, name, isError } };
}

/** What the service itself has to tell. */
export function noticing(text: string): NewMessage {
  return { role: 'system', kind: 'notice', text, tool: null };
}

const MAX_SENTENCE = 300;

/** One line of at most 300 characters, for reasons. */
export function oneLine(text: string): string {
  const line = text.split(/\r\n|\n|\r/).find((part) => part.trim() !== '') ?? '';
  const bare = line.trim();
  return bare.length > MAX_SENTENCE ? `${bare.slice(0, MAX_SENTENCE - 1)}…` : bare;
}

import { abridged, storable, storableValue } from '@svc/core';
import type { NewMessage } from '@svc/records';

// Every text of every agent passes through here on its way into a transcript, whatever runs the agent.

/** What the model, or the author of a playbook, says. */
export function saying(text: string): NewMessage {
  return { role: 'assistant', kind: 'text', text: storable(text), tool: null };
}

/** A call of a tool. */
export function calling(callId: string, name: string, input: unknown): NewMessage {
  const tool = storableValue({ callId, name, input });
  return { role: 'assistant', kind: 'tool_use', text: '', tool };
}

/** What a tool gave back. */
export function answering(
  callId: string,
  name: string,
  text: string,
  isError: boolean,
): NewMessage {
  const tool = storableValue({ callId, name, isError });
  return { role: 'tool', kind: 'tool_result', text: storable(text), tool };
}

/** What the service itself has to tell. */
export function noticing(text: string): NewMessage {
  return { role: 'system', kind: 'notice', text: storable(text), tool: null };
}

const MAX_SENTENCE = 300;

/** One line of at most 300 characters, for reasons. */
export function oneLine(text: string): string {
  const line = text.split(/\r\n|\n|\r/).find((part) => part.trim() !== '') ?? '';
  return abridged(storable(line.trim()), MAX_SENTENCE);
}

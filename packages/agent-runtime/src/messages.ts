import { abridged, storable, storableValue } from '@svc/core';
import type { NewMessage } from '@svc/records';

// All messages of all runtimes are created here, so that every text in a transcript can be stored.

/** A text of the model, or of the author of a playbook. */
export function textMessage(text: string): NewMessage {
  return { role: 'assistant', kind: 'text', text: storable(text), tool: null };
}

/** A call of a tool. */
export function toolUseMessage(callId: string, name: string, input: unknown): NewMessage {
  const tool = storableValue({ callId, name, input });
  return { role: 'assistant', kind: 'tool_use', text: '', tool };
}

/** The result of a tool call. */
export function toolResultMessage(
  callId: string,
  name: string,
  text: string,
  isError: boolean,
): NewMessage {
  const tool = storableValue({ callId, name, isError });
  return { role: 'tool', kind: 'tool_result', text: storable(text), tool };
}

/** A notice of the service itself. */
export function noticeMessage(text: string): NewMessage {
  return { role: 'system', kind: 'notice', text: storable(text), tool: null };
}

const MAX_SENTENCE = 300;

/** One line of at most 300 characters, for reasons. */
export function oneLine(text: string): string {
  const line = text.split(/\r\n|\n|\r/).find((part) => part.trim() !== '') ?? '';
  return abridged(storable(line.trim()), MAX_SENTENCE);
}

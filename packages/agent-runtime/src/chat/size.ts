import type { ChatMessage } from './chat-message.ts';

// What a message costs beside its words.
const FRAME = 16;

/** Bytes, in UTF-8, of what a model reads of a message. */
export function bytesOfMessage(message: ChatMessage): number {
  let bytes = FRAME + Buffer.byteLength(message.content ?? '');
  if (message.role !== 'assistant') return bytes;
  for (const call of message.tool_calls ?? []) {
    bytes += FRAME + call.function.name.length + Buffer.byteLength(call.function.arguments);
  }
  const { reasoning_content = '', reasoning = '', reasoning_details: details } = message;
  bytes += Buffer.byteLength(reasoning_content) + Buffer.byteLength(reasoning);
  return details === undefined ? bytes : bytes + Buffer.byteLength(JSON.stringify(details));
}

/** The beginning of a text that takes at most so many bytes in UTF-8, cut between characters. */
export function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text.slice(0, most));
  let end = Math.min(most, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}

import type { ChatMessage } from './chat-message.ts';

// Overhead of a message in addition to its text.
const FRAME = 16;

/** UTF-8 size of the parts of a message that a model reads. */
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

/** The beginning of a text within a limit of UTF-8 bytes, cut between characters. */
export function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text.slice(0, most));
  let end = Math.min(most, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}

import { counted } from '@svc/core';
import type { Message } from '@svc/records';

const LONGEST = 2000;

/** The text of a message for a reader, at most 2,000 characters and a mark where it was cut. */
export function readableText(message: Message): string {
  const text = wholeText(message);
  if (text.length <= LONGEST) return text;
  // Never half of a character that takes two units.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
  return `${text.slice(0, end)} […cut: ${counted(text.length - end, 'more character')}]`;
}

function wholeText({ kind, text, tool }: Message): string {
  if (kind !== 'tool_use' || tool === null) return text;
  const input = tool.input === undefined ? '' : ` ${JSON.stringify(tool.input)}`;
  return [text, `${tool.name}${input}`].filter((part) => part !== '').join('\n');
}

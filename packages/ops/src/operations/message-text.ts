import { counted, withoutOpenHalf } from '@svc/core';
import type { Message } from '@svc/records';

const LONGEST = 2000;

/** The text of a message for a reader, at most 2,000 characters and a mark where it was cut. */
export function readableText(message: Message): string {
  const text = wholeText(message);
  if (text.length <= LONGEST) return text;
  const start = withoutOpenHalf(text.slice(0, LONGEST));
  return `${start} […cut: ${counted(text.length - start.length, 'more character')}]`;
}

function wholeText({ kind, text, tool }: Message): string {
  if (kind !== 'tool_use' || tool === null) return text;
  const input = tool.input === undefined ? '' : ` ${JSON.stringify(tool.input)}`;
  return [text, `${tool.name}${input}`].filter((part) => part !== '').join('\n');
}

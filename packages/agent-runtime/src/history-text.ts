import type { Message } from '@svc/records';

const MOST = 64 * 1024;

/**
 * What was said in a chat, for an agent that does not know it: the newest messages of at most 64 Ki characters, oldest
 * first; null where nothing was said.
 */
export function historyText(messages: readonly Message[]): string | null {
  const said: string[] = [];
  let length = 0;
  for (const { role, kind, text } of messages.toReversed()) {
    if (kind !== 'text' || text.trim() === '') continue;
    length += text.length;
    if (length > MOST) break;
    said.unshift(`${role}:\n${text}`);
  }
  if (said.length === 0) return null;
  const block = said.join('\n\n');
  const longest = Math.max(2, ...(block.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `This was said in this chat before, oldest first; the last of it comes before what is asked below.\n\n${fence}\n${block}\n${fence}`;
}

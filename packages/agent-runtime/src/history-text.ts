import type { Message } from '@svc/records';

const MOST = 64 * 1024;

/**
 * Renders the history of a chat for an agent that has not seen it: the newest messages within 64 Ki characters, oldest
 * first; null if there are none.
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
  return `Earlier messages of this chat, oldest first. The prompt below comes after them.\n\n${fence}\n${block}\n${fence}`;
}

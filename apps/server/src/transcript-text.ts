import type { Message } from '@svc/records';

const MOST_LINES = 40;
const LONGEST_LINE = 200;

/**
 * The end of a chat's last turn, in lines for a terminal: what was said, which tools were called, what they answered. How
 * it ended is not among them.
 */
export function transcriptEnd(messages: readonly Message[]): string[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const answered = messages.slice(asked + 1);
  if (answered.at(-1)?.kind === 'notice') answered.pop();
  const lines = answered.flatMap(linesOf);
  const shown = lines.slice(-MOST_LINES);
  return lines.length > shown.length ? ['  …', ...shown] : shown;
}

function linesOf({ role, kind, text, tool }: Message): string[] {
  if (kind === 'tool_use') return [shown(`  ${tool?.name} ${JSON.stringify(tool?.input ?? {})}`)];
  const mark = kind === 'tool_result' ? '  | ' : `  ${role === 'system' ? 'svc' : 'agent'}: `;
  const lines = text.trimEnd().split('\n');
  return lines.map((line, i) => shown(`${i === 0 || kind === 'tool_result' ? mark : '  '}${line}`));
}

// What a terminal would take for a command is left out.
function shown(line: string): string {
  const plain = line.replace(/\t/g, '  ').replace(/\p{Cc}/gu, '');
  return plain.length > LONGEST_LINE ? `${plain.slice(0, LONGEST_LINE - 1)}…` : plain;
}

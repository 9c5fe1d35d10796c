import { abridged, printable } from '@svc/core';
import type { Message } from '@svc/records';

const MOST_LINES = 40;
const LONGEST_LINE = 200;

/**
 * The end of a chat's last turn, in lines for a terminal: what was said, which tools were called, what they answered. How
 * it ended is not among them.
 */
export function transcriptEnd(messages: readonly Message[]): string[] {
  const answered = answerIn(messages);
  if (answered.at(-1)?.kind === 'notice') answered.pop();
  const lines = answered.flatMap((message) => linesOf(message, shown));
  const newest = lines.slice(-MOST_LINES);
  return lines.length > newest.length ? ['  …', ...newest] : newest;
}

/** What came after the last that a person has said. */
export function answerIn(messages: readonly Message[]): Message[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
}

/** All of these messages in lines for a terminal, those of the person who asked too. */
export function transcriptLines(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => linesOf(message, plain));
}

function linesOf({ role, kind, text, tool }: Message, shown: (line: string) => string): string[] {
  if (kind === 'tool_use') return [shown(`  ${tool?.name} ${JSON.stringify(tool?.input ?? {})}`)];
  const who = role === 'system' ? 'svc' : role === 'user' ? 'prompt' : 'agent';
  const mark = kind === 'tool_result' ? '  | ' : `  ${who}: `;
  const lines = text.trimEnd().split(/\r?\n/);
  return lines.map((line, i) => shown(`${i === 0 || kind === 'tool_result' ? mark : '  '}${line}`));
}

function shown(line: string): string {
  return abridged(plain(line), LONGEST_LINE);
}

function plain(line: string): string {
  return printable(line.replace(/\t/g, '  '));
}

import type { Schemas } from '@svc/client';
import { abridged, printable } from '@svc/core';

type Message = Schemas['Message'];

const MAX_LINES = 40;
const MAX_LINE_LENGTH = 200;

/** The end of the last turn of a chat for a terminal: texts, tool calls and their results, without the final notice. */
export function transcriptEnd(messages: readonly Message[]): string[] {
  const answered = answerIn(messages);
  if (answered.at(-1)?.kind === 'notice') answered.pop();
  const lines = answered.flatMap((message) => linesOf(message, shown));
  const newest = lines.slice(-MAX_LINES);
  return lines.length > newest.length ? ['  …', ...newest] : newest;
}

/** The messages after the last user message. */
export function answerIn(messages: readonly Message[]): Message[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
}

/** Messages for a terminal, including those of the user. */
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
  return abridged(plain(line), MAX_LINE_LENGTH);
}

function plain(line: string): string {
  return printable(line.replace(/\t/g, '  '));
}

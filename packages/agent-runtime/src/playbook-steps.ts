import { isRecord } from '@svc/core';
import { type MarkdownPart, splitBlocks } from './code-blocks.ts';
import { jsonExcess } from './json-shape.ts';

/** One step of a playbook: a tool call and the text before it. */
export interface PlaybookStep {
  /** 1-based line of its opening block. */
  readonly line: number;
  /** Text since the previous step, without surrounding blank lines; null for none. */
  readonly text: string | null;
  /** Tool to call. */
  readonly name: string;
  readonly input: unknown;
  /** One sentence on why the block is not a valid step; null for a valid step. */
  readonly fault: string | null;
}

/** A prompt parsed as a playbook. */
export interface Playbook {
  readonly steps: readonly PlaybookStep[];
  /** Text after the last step, without surrounding blank lines; `''` for none. */
  readonly closing: string;
}

type Block = MarkdownPart & { readonly kind: 'block' };
type Call = Pick<PlaybookStep, 'name' | 'input' | 'fault'>;

/**
 * Parses a Markdown prompt as a playbook. Steps are the fenced blocks whose info string is exactly `bash` or `sh` (the
 * block is a command), `write <path>` (the block, with a final newline, is the content of the file) or `tool <Name>`
 * (the block is the tool's input as a JSON object). Everything else is text. Never throws: an invalid step becomes a
 * step with a `fault`.
 */
export function parsePlaybook(markdown: string): Playbook {
  const steps: PlaybookStep[] = [];
  let text: string[] = [];
  for (const part of splitBlocks(markdown)) {
    const call = part.kind === 'block' ? callOf(part) : null;
    if (part.kind === 'text' || call === null) {
      for (const line of part.lines) text.push(line);
      continue;
    }
    const words = trimmed(text);
    steps.push({ line: part.line, text: words === '' ? null : words, ...call });
    text = [];
  }
  return { steps, closing: trimmed(text) };
}

function callOf(block: Block): Call | null {
  const call = kindOf(block);
  if (call === null || block.closed) return call;
  return {
    ...call,
    fault: `The block that starts on line ${block.line} is not closed. End it with a line of ${block.lines[0]?.includes('~') ? 'tildes' : 'backticks'}.`,
  };
}

function kindOf(block: Block): Call | null {
  const [kind = '', rest = ''] = splitWord(block.info);
  const content = block.content.join('\n');
  if ((kind === 'bash' || kind === 'sh') && rest === '') {
    return { name: 'Bash', input: { command: content }, fault: null };
  }
  if (kind === 'write') {
    const fault =
      rest === ''
        ? `The write block on line ${block.line} names no file. Start it with "write <path>".`
        : null;
    const whole = block.content.length === 0 ? '' : `${content}\n`;
    return { name: 'Write', input: { file_path: rest, content: whole }, fault };
  }
  return kind === 'tool' ? toolCall(block, rest, content) : null;
}

function toolCall(block: Block, name: string, content: string): Call {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) {
    return {
      name: 'tool',
      input: content,
      fault: `The tool block on line ${block.line} names no tool. Start it with "tool <Name>".`,
    };
  }
  const excess = jsonExcess(content);
  if (excess !== null) {
    const fault = `The input of ${name} on line ${block.line} is ${excess}.`;
    return { name, input: {}, fault };
  }
  const input = jsonOf(content);
  if (isRecord(input)) return { name, input, fault: null };
  return {
    name,
    input: content,
    fault: `The input of ${name} on line ${block.line} is not a JSON object. Write it as { "field": "value" }.`,
  };
}

function jsonOf(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    // Unparsable text is returned as a string, which is not an object.
    return null;
  }
}

function splitWord(info: string): readonly string[] {
  const blank = info.search(/\s/);
  return blank === -1 ? [info] : [info.slice(0, blank), info.slice(blank).trim()];
}

function trimmed(lines: readonly string[]): string {
  let from = 0;
  let to = lines.length;
  while (from < to && lines[from]?.trim() === '') from += 1;
  while (to > from && lines[to - 1]?.trim() === '') to -= 1;
  return lines.slice(from, to).join('\n');
}

import { isRecord } from '@svc/core';
import { type MarkdownPart, splitBlocks } from './code-blocks.ts';
import { jsonExcess } from './json-shape.ts';

/** One step of a playbook: a tool call with the text that stands before it. */
export interface PlaybookStep {
  /** 1-based line of its opening block. */
  readonly line: number;
  /** Text since the step before, without blank lines around it; null for none. */
  readonly text: string | null;
  /** Tool to call. */
  readonly name: string;
  readonly input: unknown;
  /** Why the block cannot be a step, as one sentence; null for a good one. */
  readonly fault: string | null;
}

/** A prompt read as a playbook. */
export interface Playbook {
  readonly steps: readonly PlaybookStep[];
  /** Text after the last step, without blank lines around it; `''` for none. */
  readonly closing: string;
}

type Block = MarkdownPart & { readonly kind: 'block' };
type Call = Pick<PlaybookStep, 'name' | 'input' | 'fault'>;

/**
 * Reads a Markdown prompt as a playbook. Steps are the fenced blocks whose info string is exactly `bash` or `sh` (the
 * block is a command), `write <path>` (the block, with a final newline, is the content of the file) or
 * `tool <Name>` (the block is the tool's input as a JSON object). All else is text. Never throws: a block that is
 * meant as a step but cannot be one becomes a step with a `fault`.
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
    fault: `The block that starts in line ${block.line} is never closed: end it with a line of ${block.lines[0]?.includes('~') ? 'tildes' : 'backticks'}.`,
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
        ? `The write block in line ${block.line} names no file: start it with "write <path>".`
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
      fault: `The tool block in line ${block.line} names no tool: start it with "tool <Name>".`,
    };
  }
  const excess = jsonExcess(content);
  if (excess !== null) {
    const fault = `The input of ${name} in line ${block.line} is ${excess}.`;
    return { name, input: {}, fault };
  }
  const input = jsonOf(content);
  if (isRecord(input)) return { name, input, fault: null };
  return {
    name,
    input: content,
    fault: `The input of ${name} in line ${block.line} is not a JSON object: write it as { "field": "value" }.`,
  };
}

function jsonOf(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    // Unreadable text is told apart by not being an object.
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

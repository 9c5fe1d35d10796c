import { isRecord, messageOf, storable, storableValue, wellFormedValue } from '@svc/core';
import { jsonExcess } from '../json-shape.ts';
import type { ModelCall } from '../model.ts';
import { NoCompletion } from './endpoint-faults.ts';
import { createReasoning, type Reasoning, withoutThoughts } from './reasoning.ts';

/** A call and the extra data that its server expects back with it, if any. */
type AnswerCall = ModelCall & { readonly extra: unknown };

/** The result of one model call. */
export interface Answer {
  /** Without leading reasoning; null if only blanks are left. */
  readonly text: string | null;
  readonly calls: readonly AnswerCall[];
  /** The finish reason of the server; null if it gave none. */
  readonly finish: string | null;
  /** Whether the answer is marked as complete in any way. */
  readonly ended: boolean;
  /** Reasoning next to the answer, which is sent back with it. */
  readonly reasoning: Reasoning;
  /** Whether the answer has reasoning, separate or inline. */
  readonly thought: boolean;
  /** The refusal of the model; `''` for none. */
  readonly refusal: string;
  readonly usage: { readonly tokensIn: number; readonly tokensOut: number } | null;
  /** The model name in the answer; null for none. */
  readonly model: string | null;
}

/** Joins the chunks of a streamed chat completion without relying on their shape. */
export interface AnswerParts {
  /** Throws the error of a chunk that reports a server failure. */
  add(chunk: unknown): void;
  /** The tokens that the server has counted so far; null where it has not. */
  readonly usage: Answer['usage'];
  /** @param done Whether the stream closed with its own mark. */
  join(done: boolean): Answer;
}

// Bounded, because each new call is compared with all others.
const MOST_CALLS = 1000;

interface Slot {
  readonly index: number | null;
  readonly id: string | null;
  name: string;
  json: string;
  extra: unknown;
}

/** Creates the joiner for one answer. */
export function createAnswer(): AnswerParts {
  const slots: Slot[] = [];
  let text = '';
  const reasoning = createReasoning();
  let refusal = '';
  let finish: string | null = null;
  let usage: Answer['usage'] = null;
  let counted = false;
  let model: string | null = null;
  const addDelta = (delta: Readonly<Record<string, unknown>>): void => {
    text += textOf(delta['content']);
    refusal += textOf(delta['refusal']);
    reasoning.add(delta);
    for (const call of listOf(delta['tool_calls'])) addCall(slots, call);
  };
  return {
    add(chunk) {
      if (!isRecord(chunk)) return;
      model ??= filled(chunk['model']);
      const [choice] = listOf(chunk['choices']);
      if (choice === undefined) throwFault(chunk);
      const reported = usageOf(chunk['usage']) ?? usageOf(choice?.['usage']);
      // If a server reports usage in each chunk, each report is the sum so far.
      usage = reported ?? usage;
      if (choice === undefined) {
        counted ||= reported !== null;
        return;
      }
      const delta = choice['delta'] ?? choice['message'];
      if (isRecord(delta)) addDelta(delta);
      const why = choice['finish_reason'];
      if (typeof why === 'string' && why !== '') finish = why;
    },
    get usage() {
      return usage;
    },
    // Whole: the two halves of one character may have come in two chunks.
    join(done) {
      const { answer, thought } = withoutThoughts(storable(text));
      const beside = reasoning.join();
      const said = storableValue({
        text: answer.trim() === '' ? null : answer,
        finish,
        // The token count arrives last.
        ended: done || finish !== null || counted,
        reasoning: beside,
        thought: thought || Object.keys(beside).length > 0,
        refusal,
        usage,
        model,
      });
      // U+0000 is kept for the tool to refuse: a path without it would name another file.
      return { ...said, calls: wellFormedValue(slots.map(callOf)) };
    },
  };
}

// The client library handles the usual form, `error`.
function throwFault({ message }: Readonly<Record<string, unknown>>): void {
  if (typeof message !== 'string' || message === '') return;
  throw Object.assign(new Error(message), { error: message });
}

// A text, or a list of parts, of which only text parts count.
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isRecord(part) ? part['text'] : part))
    .filter((part) => typeof part === 'string')
    .join('');
}

function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord);
}

function usageOf(value: unknown): Answer['usage'] {
  if (!isRecord(value)) return null;
  const count = (key: string): number | null => {
    const reported = value[key];
    return typeof reported === 'number' && Number.isFinite(reported) && reported >= 0
      ? Math.round(reported)
      : null;
  };
  const [tokensIn, tokensOut] = [count('prompt_tokens'), count('completion_tokens')];
  if (tokensIn === null && tokensOut === null) return null;
  return { tokensIn: tokensIn ?? 0, tokensOut: tokensOut ?? 0 };
}

function addCall(slots: Slot[], delta: Readonly<Record<string, unknown>>): void {
  const fn = isRecord(delta['function']) ? delta['function'] : {};
  const name = filled(fn['name']);
  const id = filled(delta['id']);
  const index = typeof delta['index'] === 'number' ? delta['index'] : null;
  const args = textOfArguments(fn['arguments']);
  const known = slotFor(slots, { index, id, name, args });
  // A server that repeats a whole call does not ask for it twice.
  if (known !== null && id === null && name !== null && isRepeated(known, args)) return;
  const slot = known ?? { index, id, name: '', json: '', extra: undefined };
  if (known === null) slots.push(slot);
  if (slots.length > MOST_CALLS) {
    throw new NoCompletion(`asked for more than ${MOST_CALLS} calls at once.`);
  }
  if (name !== null && slot.name === '') slot.name = name;
  slot.extra = delta['extra_content'] ?? slot.extra;
  slot.json += args;
}

function textOfArguments(args: unknown): string {
  if (typeof args === 'string') return args;
  return isRecord(args) ? JSON.stringify(args) : '';
}

/** One piece of a call; null for what it does not say. */
interface Piece {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly args: string;
}

// The index names a call, but some servers give all calls the index 0, with or without ids, others none at all, others a
// new id with each piece; some repeat the name with each piece.
function slotFor(slots: readonly Slot[], piece: Piece): Slot | null {
  const { index, id, name } = piece;
  if (index !== null) {
    const found = slots.findLast((slot) => slot.index === index) ?? null;
    // A piece without a name continues an existing call, whatever its index.
    if (found === null && id === null && name === null) return slots.at(-1) ?? null;
    return found !== null && name !== null && isOther(found, piece) ? null : found;
  }
  const same = id === null ? undefined : slots.findLast((slot) => slot.id === id);
  if (same !== undefined) return same;
  return name === null ? (slots.at(-1) ?? null) : null;
}

// Whether a piece with a name begins another call than the one with its index.
function isOther(found: Slot, { id, name, args }: Piece): boolean {
  if (id !== null) return found.id !== null && found.id !== id;
  if (found.name !== '' && found.name !== name) return true;
  return args !== '' && args !== found.json && isWhole(found.json);
}

function isRepeated({ json }: Slot, args: string): boolean {
  return args !== '' && args === json && isWhole(json);
}

function isWhole(json: string): boolean {
  return /\}\s*$/.test(json) && 'input' in readInput(json);
}

function filled(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function callOf({ name, json, extra }: Slot): AnswerCall {
  if (name === '') return { name: 'unnamed', input: {}, fault: 'The call names no tool.', extra };
  const read = readInput(json);
  if ('input' in read) return { name, input: read.input, fault: null, extra };
  return {
    name,
    input: json,
    fault: `The arguments of ${name} are not a single JSON object${read.why}.`,
    extra,
  };
}

function readInput(json: string): { input: object } | { why: string } {
  if (json.trim() === '') return { input: {} };
  const excess = jsonExcess(json);
  if (excess !== null) return { why: `: they are ${excess}` };
  try {
    const value: unknown = JSON.parse(json);
    // Some servers encode the JSON text twice.
    const input: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return isRecord(input) ? { input } : { why: '' };
  } catch (error) {
    return { why: `: ${messageOf(error)}` };
  }
}

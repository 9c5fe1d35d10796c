import { isRecord } from '@svc/core';
import { splitBlocks } from '../code-blocks.ts';

/** The reasoning next to an answer, in the fields in which the server sent it and expects it back. */
export interface Reasoning {
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly Detail[];
}

type Detail = Readonly<Record<string, unknown>>;

/** Joins the reasoning in the chunks of a streamed completion. */
export interface ReasoningParts {
  add(delta: Detail): void;
  join(): Reasoning;
}

const TEXTS = ['text', 'summary'];

/** Creates the joiner for one answer. */
export function createReasoning(): ReasoningParts {
  const texts = { reasoning_content: '', reasoning: '' };
  const details: Record<string, unknown>[] = [];
  const byIndex = new Map<string, Record<string, unknown>>();
  const addDetail = (piece: Detail, isFirst: boolean): void => {
    const { type, index } = piece;
    const key = typeof index === 'number' ? `${index} ${type}` : null;
    // Without an index, a piece continues the last item of the previous chunk.
    const known = key === null ? (isFirst ? details.at(-1) : undefined) : byIndex.get(key);
    if (known !== undefined && isContinued(known, piece)) {
      extend(known, piece);
      return;
    }
    const detail = { ...piece };
    details.push(detail);
    if (key !== null) byIndex.set(key, detail);
  };
  return {
    add(delta) {
      for (const name of ['reasoning_content', 'reasoning'] as const) {
        const piece = delta[name];
        if (typeof piece === 'string') texts[name] += piece;
      }
      const pieces: unknown = delta['reasoning_details'];
      if (!Array.isArray(pieces)) return;
      for (const [at, piece] of pieces.entries()) if (isRecord(piece)) addDetail(piece, at === 0);
    },
    join: () => ({
      ...(texts.reasoning_content !== '' && { reasoning_content: texts.reasoning_content }),
      ...(texts.reasoning !== '' && { reasoning: texts.reasoning }),
      ...(details.length > 0 && { reasoning_details: details }),
    }),
  };
}

// Encrypted parts arrive in one piece.
function isContinued(known: Detail, piece: Detail): boolean {
  const [before, now] = [known['id'] ?? null, piece['id'] ?? null];
  const isOther = before !== null && now !== null && before !== now;
  return known['type'] === piece['type'] && (piece['data'] ?? null) === null && !isOther;
}

function extend(known: Record<string, unknown>, piece: Detail): void {
  for (const [name, value] of Object.entries(piece)) {
    const before = known[name];
    const isText = TEXTS.includes(name) && typeof before === 'string';
    if (isText && typeof value === 'string') known[name] = before + value;
    // The signature arrives with the last piece.
    else if (value !== null && value !== undefined) known[name] = value;
  }
}

const OPENING = /\s*<(think(?:ing)?)>/iy;
const TAG = /<\/?think/i;
const CLOSING_ALONE = /^<\/think(?:ing)?>[ \t]*$/im;
const SENTENCE_END = /[.!?…。！？]["'”’)\]*`]*$/;
const BLANK_LINE = /^(?:\r?\n[ \t]*){2}|^\s*$/;

/**
 * Separates an answer from leading reasoning: `<think>` blocks, even without an end, and the text before a first
 * `</think>` that is on its own line, outside a code fence, and after a complete sentence or before a blank line. In
 * that case the chat template of the model contains the `<think>`.
 */
export function withoutThoughts(text: string): {
  readonly answer: string;
  readonly thought: boolean;
} {
  let at = 0;
  for (;;) {
    OPENING.lastIndex = at;
    const [opening, name = ''] = OPENING.exec(text) ?? [];
    if (opening === undefined) break;
    const closing = new RegExp(`</${name}>`, 'gi');
    closing.lastIndex = at + opening.length;
    if (!closing.test(text)) return { answer: '', thought: true };
    at = closing.lastIndex;
  }
  if (at === 0) at = openedByTemplate(text);
  return at === 0
    ? { answer: text, thought: false }
    : { answer: text.slice(at).trimStart(), thought: true };
}

/** The end of reasoning whose opening tag is in the chat template; 0 for none. */
function openedByTemplate(text: string): number {
  const closing = CLOSING_ALONE.exec(text);
  if (closing === null || text.search(TAG) !== closing.index) return 0;
  const before = text.slice(0, closing.index);
  const end = closing.index + closing[0].length;
  const last = before.trimEnd();
  // A tag within a sentence is a mention.
  const isApart = last === '' || SENTENCE_END.test(last) || BLANK_LINE.test(text.slice(end));
  const block = splitBlocks(before).at(-1);
  return isApart && !(block?.kind === 'block' && !block.closed) ? end : 0;
}

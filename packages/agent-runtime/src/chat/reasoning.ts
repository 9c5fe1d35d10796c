import { isRecord } from '@svc/core';
import { splitBlocks } from '../code-blocks.ts';

/** What a model thought beside its answer, under the names by which its server sent it and expects it back. */
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

/** Makes the joiner of one answer. */
export function createReasoning(): ReasoningParts {
  const texts = { reasoning_content: '', reasoning: '' };
  const details: Record<string, unknown>[] = [];
  const byIndex = new Map<string, Record<string, unknown>>();
  const addDetail = (piece: Detail, isFirst: boolean): void => {
    const { type, index } = piece;
    const key = typeof index === 'number' ? `${index} ${type}` : null;
    // Without an index, a piece can only continue what the chunk before it ended with.
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

// What is encrypted comes whole.
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
    // A signature comes with the last piece.
    else if (value !== null && value !== undefined) known[name] = value;
  }
}

const OPENING = /\s*<(think(?:ing)?)>/iy;
const TAG = /<\/?think/i;
const CLOSING_ALONE = /^<\/think(?:ing)?>[ \t]*$/im;
const SENTENCE_END = /[.!?…。！？]["'”’)\]*`]*$/;
const BLANK_LINE = /^(?:\r?\n[ \t]*){2}|^\s*$/;

/**
 * Separates an answer from the thoughts that it begins with: `<think>` blocks, one without an end too, and what comes
 * before the first tag, where that is a `</think>` on a line of its own, outside of a code fence, after a whole sentence
 * or before a blank line. The template of the model has written the `<think>` of such thoughts.
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

/** Where thoughts end whose opening tag the template has written; 0 where there are none. */
function openedByTemplate(text: string): number {
  const closing = CLOSING_ALONE.exec(text);
  if (closing === null || text.search(TAG) !== closing.index) return 0;
  const before = text.slice(0, closing.index);
  const end = closing.index + closing[0].length;
  const last = before.trimEnd();
  // Within a sentence the tag is what the sentence is about.
  const isApart = last === '' || SENTENCE_END.test(last) || BLANK_LINE.test(text.slice(end));
  const block = splitBlocks(before).at(-1);
  return isApart && !(block?.kind === 'block' && !block.closed) ? end : 0;
}

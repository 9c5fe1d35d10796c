import { isRecord } from '@svc/core';

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
const CLOSING_ALONE = /^<\/think(?:ing)?>[ \t]*$/im;

/**
 * Separates an answer from the thoughts that it begins with: `<think>` blocks, one without an end too, and what comes
 * before a `</think>` on a line of its own, whose beginning the template of the model has written.
 */
export function withoutThoughts(text: string): {
  readonly answer: string;
  readonly thought: boolean;
} {
  const lower = text.toLowerCase();
  let at = 0;
  for (;;) {
    OPENING.lastIndex = at;
    const [opening, name = ''] = OPENING.exec(lower) ?? [];
    if (opening === undefined) break;
    const closing = `</${name}>`;
    const end = lower.indexOf(closing, at + opening.length);
    if (end === -1) return { answer: '', thought: true };
    at = end + closing.length;
  }
  if (at > 0) return { answer: text.slice(at).trimStart(), thought: true };
  const alone = CLOSING_ALONE.exec(text);
  if (alone === null || lower.lastIndexOf('<think', alone.index) !== -1) {
    return { answer: text, thought: false };
  }
  return { answer: text.slice(alone.index + alone[0].length).trimStart(), thought: true };
}

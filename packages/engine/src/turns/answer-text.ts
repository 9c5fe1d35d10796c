import type { Redactor } from '@svc/core';
import type { NewMessage } from '@svc/records';

/** The answer of an agent in a turn, as one text. */
export interface AnswerText {
  add(message: NewMessage): void;
  /** The answer with secrets removed. */
  text(): string;
}

// Far more than any part that is extracted from an answer.
const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * Joins the texts of an agent. Runtimes deliver a long answer in pieces that start or end at a line break; separate
 * texts do neither, and are put on separate lines. Text beyond 4 Mi characters is dropped.
 */
export function createAnswerText(redactor: Redactor): AnswerText {
  const texts: string[] = [];
  let length = 0;
  return {
    add({ role, kind, text }) {
      if (role !== 'assistant' || kind !== 'text' || length > MOST_CHARACTERS) return;
      texts.push(text);
      length += text.length;
    },
    text: () => redactor.text(joined(redactor.pieces(texts))),
  };
}

function joined(texts: readonly string[]): string {
  const parts = texts.map((text, at) => {
    const before = texts[at - 1];
    const needsBreak = before !== undefined && !before.endsWith('\n') && !/^\r?\n/.test(text);
    return needsBreak ? `\n${text}` : text;
  });
  return parts.join('');
}

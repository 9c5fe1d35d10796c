import type { Redactor } from '@svc/core';
import type { NewMessage } from '@svc/records';

/** All that an agent says in a turn, as one text. */
export interface AnswerText {
  add(message: NewMessage): void;
  /** What was said, without what may not be kept. */
  text(): string;
}

// Far more than all that is taken out of an answer.
const MOST_CHARACTERS = 4 * 1024 * 1024;

/**
 * Joins the texts of an agent. Runtimes give a long answer in pieces, which end or begin with the end of a line; texts
 * that were said one after the other do neither, and stand on lines of their own. Past 4 Mi characters nothing is added.
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
    const isApart = before !== undefined && !before.endsWith('\n') && !/^\r?\n/.test(text);
    return isApart ? `\n${text}` : text;
  });
  return parts.join('');
}

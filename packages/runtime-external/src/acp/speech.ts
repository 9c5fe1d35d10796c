import { textMessage } from '@svc/agent-runtime';
import { withoutOpenHalf } from '@svc/core';
import type { NewMessage } from '@svc/records';
import { type Fields, fieldsOf } from './json.ts';
import { blockText } from './tool-calls.ts';

/** What an agent says, out of the chunks in which it comes. */
export interface Speech {
  /** Takes a chunk; false for one without text. */
  add(chunk: Fields): boolean;
  /** Gives what has come so far as a message. */
  flush(): void;
  /** Whether there was anything but blanks. */
  said(): boolean;
}

const LONGEST = 64 * 1024;
const MOST = 1024 * 1024;
const MARK = '\n[Cut: the answer is longer than 1 MiB.]';

/** Makes the speech of one turn: chunks of one message go together into one. */
export function createSpeech(emit: (message: NewMessage) => void): Speech {
  let text = '';
  let messageId: unknown = null;
  let written = 0;
  let said = false;
  const take = (length: number): void => {
    const message = textMessage(text.slice(0, length).trim());
    text = text.slice(length);
    if (message.text !== '') emit(message);
  };
  const flush = (): void => take(text.length);
  return {
    add({ content, messageId: id = null }) {
      const block = blockText(fieldsOf(content));
      if (block === '') return false;
      if (id !== messageId) flush();
      messageId = id;
      if (block.trim() !== '') said = true;
      if (written > MOST) return true;
      written += block.length;
      text += written > MOST ? withoutOpenHalf(block.slice(0, MOST - written)) + MARK : block;
      // Whole lines, else whole characters: the next chunk may begin with the other half of one.
      if (text.length > LONGEST) take(text.lastIndexOf('\n') + 1 || withoutOpenHalf(text).length);
      return true;
    },
    flush,
    said: () => said,
  };
}

import { textMessage } from '@svc/agent-runtime';
import { withoutOpenHalf } from '@svc/core';
import type { NewMessage } from '@svc/records';
import { blockText } from './agent-call.ts';
import { type Fields, fieldsOf } from './json.ts';

/** Joins the text chunks of an agent into messages. */
export interface AnswerBuffer {
  add(chunk: Fields): void;
  /** Emits the buffered text as a message. */
  flush(): void;
  /** Whether any text other than whitespace was added. */
  hasText(): boolean;
}

const MAX_MESSAGE_LENGTH = 64 * 1024;
const MAX_ANSWER_LENGTH = 1024 * 1024;
const CUT_MARK = '\n[Cut: the answer is longer than 1 MiB.]';

/** Creates the answer buffer of one turn. Consecutive chunks with the same message id form one message. */
export function createAnswerBuffer(emit: (message: NewMessage) => void): AnswerBuffer {
  let text = '';
  let messageId: unknown = null;
  let received = 0;
  let hasText = false;
  const take = (length: number): void => {
    const message = textMessage(text.slice(0, length).trim());
    text = text.slice(length);
    if (message.text !== '') emit(message);
  };
  const flush = (): void => take(text.length);
  return {
    add({ content, messageId: id = null }) {
      const block = blockText(fieldsOf(content));
      if (block === '') return;
      if (id !== messageId) flush();
      messageId = id;
      if (block.trim() !== '') hasText = true;
      if (received > MAX_ANSWER_LENGTH) return;
      received += block.length;
      text +=
        received > MAX_ANSWER_LENGTH
          ? withoutOpenHalf(block.slice(0, MAX_ANSWER_LENGTH - received)) + CUT_MARK
          : block;
      // Split after a line if possible, never inside a surrogate pair: the next chunk may contain the second half.
      if (text.length > MAX_MESSAGE_LENGTH) {
        take(text.lastIndexOf('\n') + 1 || withoutOpenHalf(text).length);
      }
    },
    flush,
    hasText: () => hasText,
  };
}

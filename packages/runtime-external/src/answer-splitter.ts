import { plainText } from '@svc/agent-runtime';

/** Splits the output of a program into the messages of an answer. */
export interface AnswerSplitter {
  /** Adds bytes and returns the finished messages. */
  add(chunk: Uint8Array): readonly string[];
  /** Returns the complete buffered lines as a message; empty if there are none. */
  flush(): readonly string[];
  /** Returns the rest, and a note if the answer was cut. */
  end(): readonly string[];
  /** Whether any text other than whitespace was added. */
  hasText(): boolean;
}

// In UTF-16 code units. A message ends at a line break from the first length on, and anywhere at the second.
const TARGET_LENGTH = 8 * 1024;
const MAX_LENGTH = 4 * TARGET_LENGTH;
// An escape sequence this close to the end may be incomplete, so it moves to the next message.
const MAX_ESCAPE_LENGTH = 256;

/**
 * Creates a splitter for one answer. The joined messages are the trimmed answer as plain text. Output beyond `maxBytes` is
 * counted and discarded.
 */
export function createAnswerSplitter(maxBytes: number): AnswerSplitter {
  const decoder = new TextDecoder();
  let raw = '';
  let whitespace = '';
  let shown = 0;
  let total = 0;
  let cut = false;
  let hasText = false;
  const take = (length: number): readonly string[] => {
    const plain = plainText(raw.slice(0, length));
    raw = raw.slice(length);
    const text = whitespace + plain;
    const body = text.trimEnd();
    // Trailing whitespace is part of the answer only if text follows. Limiting it bounds the memory.
    whitespace = text.slice(body.length).slice(0, TARGET_LENGTH);
    const bare = hasText ? body : body.trimStart();
    if (bare === '' || cut) return [];
    hasText = true;
    const message = startOf(bare, maxBytes - shown);
    shown += Buffer.byteLength(message);
    cut = message.length < bare.length;
    return message === '' ? [] : [message];
  };
  return {
    add(chunk) {
      total += chunk.length;
      if (cut) return [];
      raw += decoder.decode(chunk, { stream: true });
      const messages: string[] = [];
      while (raw.length >= TARGET_LENGTH) {
        const length = splitPosition(raw);
        if (length === 0) break;
        messages.push(...take(length));
      }
      return messages;
    },
    flush: () => take(raw.lastIndexOf('\n') + 1),
    end() {
      raw += decoder.decode();
      const last = take(raw.length);
      if (!cut) return last;
      return [...last, `\n[Cut: the first ${shown} of ${total} bytes are shown.]`];
    },
    hasText: () => hasText,
  };
}

function splitPosition(raw: string): number {
  const paragraph = raw.lastIndexOf('\n\n', MAX_LENGTH) + 2;
  if (paragraph > TARGET_LENGTH / 2) return paragraph;
  const line = raw.lastIndexOf('\n', MAX_LENGTH) + 1;
  if (line > 0) return line;
  if (raw.length < MAX_LENGTH) return 0;
  const escapeAt = raw.lastIndexOf('\u001b', MAX_LENGTH);
  if (escapeAt > MAX_LENGTH - MAX_ESCAPE_LENGTH) return escapeAt;
  // Do not split a surrogate pair.
  return MAX_LENGTH - (/[\ud800-\udbff]/.test(raw[MAX_LENGTH - 1] ?? '') ? 1 : 0);
}

function startOf(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
}

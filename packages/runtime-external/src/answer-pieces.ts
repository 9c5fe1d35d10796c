import { plainText } from '@svc/agent-runtime';

/** Makes the pieces of an answer out of the bytes of a program's output. */
export interface AnswerPieces {
  /** Takes bytes; gives the pieces that are ready. */
  add(chunk: Uint8Array): readonly string[];
  /** The whole lines that wait for more, as a piece; none for none. */
  flush(): readonly string[];
  /** What is left, and the mark of a cut where there was one. */
  end(): readonly string[];
  /** Whether there was anything but blanks. */
  said(): boolean;
}

// In UTF-16 units: a piece ends with a line once it is this long, and anywhere once it is four times as long.
const PIECE = 8 * 1024;
const LONGEST = 4 * PIECE;
// A command to a terminal that is cut off at the end waits for its rest, at most this long.
const LONGEST_COMMAND = 256;

/**
 * Makes the pieces of one answer. Joined, they are the answer as plain text, but for blanks at both ends; what is beyond
 * `maxBytes` is counted and dropped.
 */
export function createAnswerPieces(maxBytes: number): AnswerPieces {
  const decoder = new TextDecoder();
  let raw = '';
  let blanks = '';
  let shown = 0;
  let total = 0;
  let cut = false;
  let said = false;
  const take = (length: number): readonly string[] => {
    const plain = plainText(raw.slice(0, length));
    raw = raw.slice(length);
    const text = blanks + plain;
    const body = text.trimEnd();
    // They count only once something follows; a few thousand are enough of them.
    blanks = text.slice(body.length).slice(0, PIECE);
    const bare = said ? body : body.trimStart();
    if (bare === '' || cut) return [];
    said = true;
    const piece = beginningOf(bare, maxBytes - shown);
    shown += Buffer.byteLength(piece);
    cut = piece.length < bare.length;
    return piece === '' ? [] : [piece];
  };
  return {
    add(chunk) {
      total += chunk.length;
      if (cut) return [];
      raw += decoder.decode(chunk, { stream: true });
      const pieces: string[] = [];
      while (raw.length >= PIECE) {
        const length = placeToCut(raw);
        if (length === 0) break;
        pieces.push(...take(length));
      }
      return pieces;
    },
    flush: () => take(raw.lastIndexOf('\n') + 1),
    end() {
      raw += decoder.decode();
      const last = take(raw.length);
      if (!cut) return last;
      return [...last, `\n[Cut: the first ${shown} of ${total} bytes are shown.]`];
    },
    said: () => said,
  };
}

function placeToCut(raw: string): number {
  const paragraph = raw.lastIndexOf('\n\n', LONGEST) + 2;
  if (paragraph > PIECE / 2) return paragraph;
  const line = raw.lastIndexOf('\n', LONGEST) + 1;
  if (line > 0) return line;
  if (raw.length < LONGEST) return 0;
  const command = raw.lastIndexOf('\u001b', LONGEST);
  if (command > LONGEST - LONGEST_COMMAND) return command;
  // Not between the two halves of one character.
  return LONGEST - (/[\ud800-\udbff]/.test(raw[LONGEST - 1] ?? '') ? 1 : 0);
}

function beginningOf(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
}

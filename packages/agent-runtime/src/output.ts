/** Maximum length of a tool result in UTF-8 bytes, before the truncation mark. */
export const MAX_RESULT_BYTES: number = 256 * 1024;

/**
 * Returns the text, or its beginning with a truncation mark. Cuts between characters.
 *
 * @param whole Length of the whole text in bytes if `text` is only its beginning of at least `MAX_RESULT_BYTES`.
 */
export function cutText(text: string, whole?: number): string {
  return cutTo(MAX_RESULT_BYTES, text, whole);
}

/** The same with another limit, in bytes. */
export function cutTo(most: number, text: string, whole?: number): string {
  // A UTF-16 code unit takes at most three bytes, so short texts need no exact count.
  if (text.length * 3 <= most) return text;
  const total = whole ?? Buffer.byteLength(text);
  if (total <= most) return text;
  const bytes = Buffer.from(text.slice(0, most));
  const kept = bytes.subarray(0, endBefore(bytes, most));
  return `${kept.toString()}\n[Cut: the first ${kept.length} of ${total} bytes are shown.]`;
}

// The last index at or before `at` where a UTF-8 character ends.
function endBefore(bytes: Uint8Array, at: number): number {
  let end = Math.min(at, bytes.length);
  while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end -= 1;
  return end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Collects any number of bytes. Keeps the beginning and the end and drops the middle. */
export interface Collector {
  add(chunk: Uint8Array): void;
  /** The collected text, with a mark where bytes were dropped. */
  text(): string;
}

/** Creates a collector that keeps at most `maxBytes` bytes, half of them from the end. */
export function createCollector(maxBytes: number): Collector {
  const half = Math.floor(maxBytes / 2);
  const head: Uint8Array[] = [];
  let room = half;
  let tail: Uint8Array[] = [];
  let tailBytes = 0;
  let total = 0;
  const joinTail = (): Buffer => {
    const whole = Buffer.concat(tail);
    const kept = Buffer.from(whole.subarray(Math.max(0, whole.length - half)));
    tail = [kept];
    tailBytes = kept.length;
    return kept;
  };
  return {
    add(chunk) {
      total += chunk.length;
      if (room > 0) head.push(chunk.subarray(0, room));
      const rest = chunk.subarray(Math.min(room, chunk.length));
      room -= chunk.length - rest.length;
      if (rest.length === 0) return;
      tail.push(rest);
      tailBytes += rest.length;
      // Joining only after the size has doubled keeps the cost per byte constant.
      if (tailBytes > 2 * half) joinTail();
    },
    text() {
      const start = Buffer.concat(head);
      const end = joinTail();
      if (start.length + end.length === total) return Buffer.concat([start, end]).toString();
      const first = start.subarray(0, completeEnd(start));
      const last = end.subarray(startAfter(end));
      const gone = total - first.length - last.length;
      return `${first.toString()}\n[Cut: ${gone} of ${total} bytes are left out here.]\n${last.toString()}`;
    },
  };
}

// The end of the last complete character; the bytes may end in the middle of one.
function completeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

// The first index where a character starts.
function startAfter(bytes: Uint8Array): number {
  let start = 0;
  while (start < Math.min(4, bytes.length) && isContinuation(bytes[start])) start += 1;
  return start;
}

/** The last line of a truncated list. */
export function cutAfter(count: number, noun: string): string {
  const shown = count === 1 ? `${noun} is` : `${count} ${noun}s are`;
  return `[Cut: the first ${shown} shown.]`;
}

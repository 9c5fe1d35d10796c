/** One message between the service and a file helper: a JSON head and a binary body. */
export interface Frame {
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

const LENGTHS = 8;
const MAX_HEAD = 1024 * 1024;
const MAX_BODY = 32 * 1024 * 1024;

/** Encodes a frame: the lengths of head and body as 32-bit numbers, the head, the body. */
export function encodeFrame(head: object, ...parts: readonly Uint8Array[]): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.alloc(LENGTHS);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(
    parts.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  return Buffer.concat([lengths, json, ...parts]);
}

/**
 * Creates a reader of frames: call it with each chunk. It returns false from the first invalid frame on, or if a head
 * exceeds 1 MiB or a body 32 MiB.
 */
export function createFrameReader(on: (frame: Frame) => void): (chunk: Buffer) => boolean {
  let chunks: Buffer[] = [];
  let total = 0;
  let needed = LENGTHS;
  let sound = true;
  const takeOne = (): boolean => {
    const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    const headEnd = LENGTHS + bytes.readUInt32BE(0);
    const end = headEnd + bytes.readUInt32BE(4);
    if (headEnd > LENGTHS + MAX_HEAD || end > headEnd + MAX_BODY) throw new Error('too large');
    chunks = [bytes];
    needed = end;
    if (total < end) return false;
    const head: unknown = JSON.parse(bytes.toString('utf8', LENGTHS, headEnd));
    if (typeof head !== 'object' || head === null) throw new Error('no object');
    chunks = [bytes.subarray(end)];
    total -= end;
    needed = LENGTHS;
    on({ head: { ...head }, body: bytes.subarray(headEnd, end) });
    return true;
  };
  return (chunk) => {
    chunks.push(chunk);
    total += chunk.length;
    try {
      while (sound && total >= needed && takeOne());
    } catch {
      sound = false;
    }
    return sound;
  };
}

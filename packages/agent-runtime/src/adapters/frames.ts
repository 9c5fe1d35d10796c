/** One message between the service and a file helper: a head in JSON, and bytes beside it. */
export interface Frame {
  readonly head: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

const LENGTHS = 8;
const MAX_HEAD = 1024 * 1024;
const MAX_BODY = 32 * 1024 * 1024;

/** The bytes of a frame: the lengths of head and body as 32-bit numbers, the head, the body. */
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
 * Makes a reader of frames: give it the bytes as they come. It answers false, for good, once they are no frames or a frame
 * is larger than 1 MiB of head or 32 MiB of body.
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

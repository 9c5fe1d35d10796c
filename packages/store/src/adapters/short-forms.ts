/** How a value is kept. */
type Kept = string | number | bigint | null | Uint8Array;

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ID_BYTES = 16;
const TIME_BYTES = 6;

/**
 * Ids and instants are most of a row: as bytes they take 16 in place of 36 and 6 in place of 24. Bytes are in the order
 * of the texts that they stand for, and any other value is kept as it is.
 */
export function shortened<T>(value: T): T | Uint8Array {
  if (typeof value !== 'string') return value;
  if (value.length === 36 && ID.test(value)) return Buffer.from(value.replaceAll('-', ''), 'hex');
  if (value.length !== 24 || !TIME.test(value)) return value;
  const ms = Date.parse(value);
  // What no clock shows is no instant, and one before 1970 would not be in order.
  if (!(ms >= 0) || new Date(ms).toISOString() !== value) return value;
  const bytes = Buffer.alloc(TIME_BYTES);
  bytes.writeUIntBE(ms, 0, TIME_BYTES);
  return bytes;
}

/** The text that a short form stands for; anything else as it is. */
export function lengthened(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (bytes.length === TIME_BYTES) {
    return new Date(bytes.readUIntBE(0, TIME_BYTES)).toISOString();
  }
  if (bytes.length !== ID_BYTES) return value;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A row as it is read, with all of its texts. */
export function lengthenedRow<R>(row: R): R {
  const cells = row as Record<string, unknown>;
  for (const column in cells) {
    if (cells[column] instanceof Uint8Array) cells[column] = lengthened(cells[column]);
  }
  return row;
}

/** What a statement is given, as it is kept. */
export function shortenedAll(values: readonly unknown[]): Kept[] {
  return values.map(shortened) as Kept[];
}

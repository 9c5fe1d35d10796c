// https://sqlite.org/fileformat2.html#the_write_ahead_log
const HEAD_BYTES = 32;
const FRAME_HEAD_BYTES = 24;
const MAGIC = 0x377f0682;
const MAX_PAGE_BYTES = 65_536;

/**
 * Whether the log of a database was damaged by something other than a power loss. SQLite treats a damaged log as
 * shorter and drops the rest. A power loss affects only the last transaction: the header is synced before the first
 * frame, and each transaction before the next one starts.
 */
export function isLogDamaged(log: Buffer): boolean {
  if (log.length <= HEAD_BYTES) return false;
  const head = readHead(log);
  return head === null || goesOnAfterBadFrame(log, head);
}

interface LogHead {
  readonly bigEndian: boolean;
  readonly pageBytes: number;
  readonly salts: Buffer;
  readonly sums: Sums;
}

type Sums = readonly [number, number];

function readHead(log: Buffer): LogHead | null {
  const magic = log.readUInt32BE(0);
  const pageBytes = log.readUInt32BE(8);
  const bigEndian = (magic & 1) === 1;
  const isKnown = (magic & ~1) === MAGIC && pageBytes >= 512 && pageBytes <= MAX_PAGE_BYTES;
  if (!isKnown) return null;
  const sums = summed(log.subarray(0, 24), [0, 0], bigEndian);
  if (!isAt(log, 24, sums)) return null;
  return { bigEndian, pageBytes, salts: log.subarray(16, 24), sums };
}

function goesOnAfterBadFrame(log: Buffer, { bigEndian, pageBytes, salts, sums }: LogHead): boolean {
  const step = FRAME_HEAD_BYTES + pageBytes;
  const belongs = (at: number): boolean =>
    at + step <= log.length && log.subarray(at + 8, at + 16).equals(salts);
  let at = HEAD_BYTES;
  let before = sums;
  for (; belongs(at); at += step) {
    const head = summed(log.subarray(at, at + 8), before, bigEndian);
    before = summed(log.subarray(at + FRAME_HEAD_BYTES, at + step), head, bigEndian);
    if (!isAt(log, at + 16, before)) break;
  }
  let committed = false;
  for (at += step; at + step <= log.length; at += step) {
    if (!belongs(at)) continue;
    if (committed) return true;
    // The last frame of each transaction holds the size of the database.
    committed = log.readUInt32BE(at + 4) !== 0;
  }
  return false;
}

function summed(bytes: Buffer, [first, second]: Sums, bigEndian: boolean): Sums {
  let a = first;
  let b = second;
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0;
    b = (b + (bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}

function isAt(log: Buffer, at: number, [a, b]: Sums): boolean {
  return log.readUInt32BE(at) === a && log.readUInt32BE(at + 4) === b;
}

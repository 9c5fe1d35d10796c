import { changesOf, type OffsetChange, type PosixRule, parsePosixTz } from './posix-tz.ts';

/** The offsets of a zone as a TZif file has them. */
export interface ZoneData {
  /** Local time minus UTC at an instant; both in milliseconds. */
  offsetAt(instant: number): number;
  /** The first change of the offset later than an instant; null where there is none any more. */
  changeAfter(instant: number): number | null;
}

const MAGIC = 0x545a6966;
const VERSION_2 = 0x32;
const HEADER = 44;

/** Reads a TZif file of version 2 or later (RFC 9636), such as those of `/usr/share/zoneinfo`; null for anything else. */
export function parseTzif(bytes: Uint8Array): ZoneData | null {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.getUint32(0) !== MAGIC || view.getUint8(4) < VERSION_2) return null;
    const start = HEADER + sizeOf(countsAt(view, 0), 4);
    if (view.getUint32(start) !== MAGIC) return null;
    const counts = countsAt(view, start);
    const changes = changesIn(view, start + HEADER, counts);
    const footer = bytes.subarray(start + HEADER + sizeOf(counts, 8));
    const [, text = ''] = new TextDecoder().decode(footer).split('\n');
    const rule = text === '' ? null : parsePosixTz(text);
    return text !== '' && rule === null ? null : zoneOf(changes, rule);
  } catch (error) {
    // It ends before what its header announces.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads a POSIX TZ string, such as `CET-1CEST,M3.5.0,M10.5.0/3`; null for one that is not well-formed. */
export function parsePosixZone(text: string): ZoneData | null {
  const rule = parsePosixTz(text);
  return rule === null ? null : zoneOf([], rule);
}

interface Counts {
  readonly utc: number;
  readonly standard: number;
  readonly leaps: number;
  readonly times: number;
  readonly types: number;
  readonly letters: number;
}

function countsAt(view: DataView, start: number): Counts {
  const [utc = 0, standard = 0, leaps = 0, times = 0, types = 0, letters = 0] = Array.from(
    { length: 6 },
    (_, n) => view.getUint32(start + 20 + n * 4),
  );
  return { utc, standard, leaps, times, types, letters };
}

/** Bytes of a data block whose instants take `width` bytes each. */
function sizeOf({ utc, standard, leaps, times, types, letters }: Counts, width: number): number {
  return times * (width + 1) + types * 6 + letters + leaps * (width + 4) + standard + utc;
}

function changesIn(view: DataView, start: number, { times, types }: Counts): OffsetChange[] {
  const kinds = start + times * 8;
  const offsets = Array.from({ length: types }, (_, n) => view.getInt32(kinds + times + n * 6));
  const first: OffsetChange = { at: Number.NEGATIVE_INFINITY, offset: offsets[0] ?? 0 };
  const changes = Array.from({ length: times }, (_, n) => ({
    at: Number(view.getBigInt64(start + n * 8)) * 1000,
    offset: offsets[view.getUint8(kinds + n)] ?? 0,
  }));
  return [first, ...changes];
}

function zoneOf(changes: readonly OffsetChange[], rule: PosixRule | null): ZoneData {
  const lastAt = changes.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  // The rule holds from the last change of the table on.
  const around = (instant: number): readonly OffsetChange[] => {
    if (rule === null || instant < lastAt) return changes;
    const year = new Date(instant).getUTCFullYear();
    const turns = [year - 1, year, year + 1].flatMap((each) => changesOf(rule, each));
    const ruled = turns.filter(({ at }) => at > lastAt);
    const before = turns.filter(({ at }) => at <= lastAt).at(-1)?.offset ?? rule.standard;
    return [{ at: Number.NEGATIVE_INFINITY, offset: before }, ...ruled];
  };
  const offsetAt = (instant: number): number =>
    (around(instant).findLast(({ at }) => at <= instant)?.offset ?? 0) * 1000;
  return {
    offsetAt,
    changeAfter(instant) {
      const listed = instant < lastAt ? changes : around(instant);
      const later = listed.filter(({ at }) => at > instant);
      return later.find(({ at }) => offsetAt(at) !== offsetAt(instant))?.at ?? null;
    },
  };
}

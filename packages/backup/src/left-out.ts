/** Why a backup does not include something. */
export type LeftOutReason =
  | 'link'
  | 'special'
  | 'name'
  | 'unreadable'
  | 'too_deep'
  | 'too_long'
  | 'too_many'
  | 'too_large';

/** A part of a home that a backup does not include. */
export interface LeftOut {
  /** Path in a home, with `/`. For a folder, nothing below it is included, or, for `too_many`, not everything. */
  readonly path: string;
  readonly reason: LeftOutReason;
}

const MAX_LEVELS = 64;
const MIB = 1024 * 1024;
/** Maximum bytes of a path in a home: a restore may create it below a home with a longer path. */
const MAX_PATH_BYTES = 1024;
/** Maximum bytes of the files of a project. */
const MAX_BYTES = 1024 * MIB;
// Maximum bytes of the manifest for one project: about 30,000 files. For the whole home it stays below the limit of a
// restore.
const MAX_LISTED = 8 * MIB;
const MAX_LISTED_OF_ALL = 48 * MIB;
/** Bytes of the manifest for a file in addition to its path. */
export const LISTED_BESIDE_PATH = 200;

const WORDS: Readonly<Record<LeftOutReason, string>> = {
  link: 'a link',
  special: 'not a regular file',
  name: 'its name cannot be restored',
  unreadable: 'svc cannot read it',
  too_deep: `more than ${MAX_LEVELS} levels deep`,
  too_long: 'a path of more than 1,024 bytes',
  too_many: 'too many files: the rest of this folder',
  too_large: 'more than 1 GiB in one project',
};

// The manifest may be from another version, or written by hand.
const wordsOf = (reason: LeftOutReason): string =>
  Object.hasOwn(WORDS, reason) ? WORDS[reason] : reason;

const MAX_LINES = 20;

/** The omitted files for people, one line each, and the number of further ones. */
export function leftOutLines(
  leftOut: readonly LeftOut[],
  quoted: (path: string) => string,
): string[] {
  const lines = leftOut
    .slice(0, MAX_LINES)
    .map(({ path, reason }) => `Not included (${wordsOf(reason)}): ${quoted(path)}`);
  const more = leftOut.length - lines.length;
  if (more > 0) lines.push(`Not included: ${more} more, listed in manifest.json in the backup.`);
  return lines;
}

/** The remaining limits of a home and of the current project. */
export interface Bounds {
  beginProject(): void;
  /** Whether the manifest has room for this path; reserves it. */
  lists(path: string): boolean;
  readonly bytesLeft: number;
  take(bytes: number): void;
  isTooDeep(level: number): boolean;
  isTooLong(path: string): boolean;
}

export function createBounds(): Bounds {
  let bytes = MAX_BYTES;
  let listed = MAX_LISTED;
  let listedOfAll = MAX_LISTED_OF_ALL;
  return {
    beginProject() {
      bytes = MAX_BYTES;
      listed = MAX_LISTED;
    },
    lists(path) {
      const size = Buffer.byteLength(JSON.stringify(path)) + LISTED_BESIDE_PATH;
      if (size > Math.min(listed, listedOfAll)) return false;
      listed -= size;
      listedOfAll -= size;
      return true;
    },
    get bytesLeft() {
      return bytes;
    },
    take(taken) {
      bytes -= taken;
    },
    isTooDeep: (level) => level > MAX_LEVELS,
    isTooLong: (path) => Buffer.byteLength(path) > MAX_PATH_BYTES,
  };
}

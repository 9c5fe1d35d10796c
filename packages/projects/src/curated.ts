import { join } from 'node:path';
import { type Checked, failure, type KeyedMutex, type Result, success } from '@svc/core';
import type { Slug } from '@svc/records';
import type { FileLocks } from './adapters/file-lock.ts';
import { readInside } from './adapters/safe-read.ts';
import { type CuratedChange, type CuratedEdit, hashOf, writeCurated } from './curated-writes.ts';
import { notLocked } from './edit-file.ts';
import { folderOf } from './folders.ts';
import {
  CURATED_FILES,
  type CuratedFile,
  decodeUtf8,
  MAX_SHOWN_BYTES,
  OWN_FOLDER,
} from './paths.ts';

/** The current content of a curated file. */
export interface CuratedText {
  /** At most its first 256 KiB, followed by a mark with the full size. */
  readonly text: string;
  /** Hash of the whole file, as hexadecimal digits. */
  readonly sha256: string;
}

/** The curated files; null for a file that does not exist. Issues are about the file: their path is empty. */
export type CuratedTexts = Readonly<Record<CuratedFile, Checked<CuratedText> | null>>;

/** `.svc/OVERVIEW.md` and `.svc/CHANGELOG.md` of the projects. No link is followed below the project folder. */
export interface Curated {
  /** Reads the files; null if there is no such project. A file over 16 MiB is an issue. */
  read(slug: string): Promise<CuratedTexts | null>;
  /**
   * Replaces files atomically and durably: all of them, or none and a sentence with the reason. Refuses a file that
   * differs from the one that was read, that is too long to have been read as a whole, or that is not a regular
   * file. A file with the same content is not written. Returns the changes.
   */
  write(
    slug: string,
    edits: readonly CuratedEdit[],
  ): Promise<Result<readonly CuratedChange[], string>>;
}

// A longer file is not read, because hashing it takes too long.
const MOST_BYTES = 16 * 1024 * 1024;

/** The place of curated files, and the lock that excludes other writers. */
interface CuratedPlace {
  readonly root: string;
  readonly locks: FileLocks;
  lockFile(slug: Slug): string;
  readonly inTurn: KeyedMutex['run'];
}

export function createCurated({ root, locks, lockFile, inTurn }: CuratedPlace): Curated {
  const write = async (slug: Slug, folder: string, edits: readonly CuratedEdit[]) => {
    const taken = await locks.take(lockFile(slug)).then(success, notLocked);
    if (!taken.ok) return failure(taken.error.message);
    const lock = taken.value;
    try {
      return await writeCurated(folder, edits, () => lock.isHeld());
    } finally {
      await lock.release();
    }
  };
  return {
    async read(slug) {
      const folder = await folderOf(root, slug);
      return folder === null ? null : readCurated(folder);
    },
    async write(slug, edits) {
      const folder = await folderOf(root, slug);
      if (folder === null) return failure('There is no such project.');
      return inTurn(slug, () => write(slug, folder, edits));
    },
  };
}

async function readCurated(folder: string): Promise<CuratedTexts> {
  const within = join(folder, OWN_FOLDER);
  const texts = CURATED_FILES.map(async (name) => {
    const read = await readInside({ file: join(within, name), within, maxBytes: MOST_BYTES });
    return [name, read === null || !read.ok ? read : shown(read.value.bytes)] as const;
  });
  return Object.fromEntries(await Promise.all(texts)) as CuratedTexts;
}

function shown(bytes: Buffer): Checked<CuratedText> {
  const sha256 = hashOf(bytes);
  const whole = decodeUtf8(bytes);
  if (!whole.ok || bytes.length <= MAX_SHOWN_BYTES) {
    return whole.ok ? success({ text: whole.value, sha256 }) : whole;
  }
  // Decoded as a stream, so that a character at the cut is omitted.
  const begun = new TextDecoder('utf-8', { ignoreBOM: true });
  const text = begun.decode(bytes.subarray(0, MAX_SHOWN_BYTES), { stream: true });
  const mark = `[Cut: the first ${Buffer.byteLength(text)} of ${bytes.length} bytes are shown.]`;
  return success({ text: `${text}\n${mark}`, sha256 });
}

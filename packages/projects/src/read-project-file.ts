import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Issue } from '@svc/core';
import { readInside } from './adapters/safe-read.ts';
import { decodeUtf8, PROJECT_FILE } from './paths.ts';

/** The text of a project file, or why it cannot be read. */
export type ProjectText =
  | { readonly ok: true; readonly text: string; readonly mode: number }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const MAX_BYTES = 1024 * 1024;

// Many programs save a file by truncating or removing it first, and write it a moment later.
const SAVE_MS = 1000;
const LOOK_AGAIN_MS = 20;
const LOOKS = 50;

/**
 * Reads the current project file of a folder; null if there is none. A file that was truncated less than a second
 * ago is read again until it has content, and so is one that is missing from a folder that was changed less than a second
 * ago, so that a save in progress is not taken for an empty or removed project.
 */
export async function readProjectText(folder: string): Promise<ProjectText | null> {
  for (let look = 1; ; look += 1) {
    const read = await readFrom(folder, PROJECT_FILE);
    const isBeingSaved =
      read === null
        ? await wasJustChanged(folder)
        : read.ok && read.text === '' && isRecent(read.writtenAt);
    if (!isBeingSaved || look === LOOKS) return read;
    // Real time, because it waits for another program, whatever clock this service uses.
    await setTimeout(LOOK_AGAIN_MS);
  }
}

async function wasJustChanged(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => null);
  return stats !== null && isRecent(stats.mtimeMs);
}

function isRecent(writtenAt: number): boolean {
  return Math.abs(Date.now() - writtenAt) < SAVE_MS;
}

/**
 * Reads a project file by its path under the same rules as that of a project: links, encodings other than UTF-8 and
 * files of more than 1 MiB are refused. Null if there is none.
 * @throws ProjectsError `unavailable` if the disk fails or no more files may be opened
 */
export async function readProjectFile(file: string): Promise<ProjectText | null> {
  const folder = await realpath(dirname(file)).catch(() => null);
  return folder === null ? null : readFrom(folder, basename(file));
}

type TimedText =
  | { readonly ok: true; readonly text: string; readonly mode: number; readonly writtenAt: number }
  | { readonly ok: false; readonly issues: readonly Issue[] };

async function readFrom(folder: string, name: string): Promise<TimedText | null> {
  const file = join(folder, name);
  const within = folder === sep ? '' : folder;
  const read = await readInside({ file, within, maxBytes: MAX_BYTES });
  if (read === null || !read.ok) return read;
  const text = decodeUtf8(read.value.bytes);
  const { mode, writtenAt } = read.value;
  return text.ok ? { ok: true, text: text.value, mode, writtenAt } : text;
}

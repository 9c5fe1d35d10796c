import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Issue } from '@svc/core';
import { readInside } from './adapters/safe-read.ts';
import { decodeUtf8, PROJECT_FILE } from './paths.ts';

/** The text of a project file, or why it cannot be had. */
export type ProjectText =
  | { readonly ok: true; readonly text: string; readonly mode: number }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const MAX_BYTES = 1024 * 1024;

// Many programs save a file by emptying it first; what they write comes a moment later.
const SAVE_MS = 1000;
const LOOK_AGAIN_MS = 20;
const LOOKS = 50;

/**
 * Reads the project file of a folder as it is now; null when the folder has none. A file that was emptied less than a
 * second ago is read again until it is not, so that a save in progress is not taken for an empty project.
 */
export async function readProjectText(folder: string): Promise<ProjectText | null> {
  for (let look = 1; ; look += 1) {
    const read = await readOnce(folder);
    const isBeingSaved = read?.ok === true && read.text === '' && isRecent(read.writtenAt);
    if (!isBeingSaved || look === LOOKS) return read;
    // Another program's work takes its own time, whatever clock this one goes by.
    await setTimeout(LOOK_AGAIN_MS);
  }
}

function isRecent(writtenAt: number): boolean {
  return Math.abs(Date.now() - writtenAt) < SAVE_MS;
}

type TimedText =
  | { readonly ok: true; readonly text: string; readonly mode: number; readonly writtenAt: number }
  | { readonly ok: false; readonly issues: readonly Issue[] };

async function readOnce(folder: string): Promise<TimedText | null> {
  const file = join(folder, PROJECT_FILE);
  const read = await readInside({
    file,
    within: folder,
    maxBytes: MAX_BYTES,
  });
  if (read === null || !read.ok) return read;
  const text = decodeUtf8(read.value.bytes);
  const { mode, writtenAt } = read.value;
  return text.ok ? { ok: true, text: text.value, mode, writtenAt } : text;
}

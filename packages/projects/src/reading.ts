import { join } from 'node:path';
import type { Issue } from '@svc/core';
import { readInside } from './adapters/safe-read.ts';
import { decodeUtf8, PROJECT_FILE } from './paths.ts';

/** The text of a project file, or why it cannot be had. */
export type ProjectText =
  | { readonly ok: true; readonly text: string; readonly mode: number }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const MAX_BYTES = 1024 * 1024;

/** Reads the project file of a folder as it is now; null when the folder has none. */
export async function readProjectText(folder: string): Promise<ProjectText | null> {
  const file = join(folder, PROJECT_FILE);
  const read = await readInside({
    file,
    within: folder,
    maxBytes: MAX_BYTES,
    label: PROJECT_FILE,
  });
  if (read === null || !read.ok) return read;
  const text = decodeUtf8(read.value.bytes, PROJECT_FILE);
  return text.ok ? { ok: true, text: text.value, mode: read.value.mode } : text;
}

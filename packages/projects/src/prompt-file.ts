import { join } from 'node:path';
import { type Checked, invalid, success } from '@svc/core';
import { readInside } from './adapters/safe-read.ts';
import { ProjectsError } from './errors.ts';
import { decodeUtf8, MAX_PROMPT_BYTES } from './paths.ts';

/**
 * Reads a prompt file of a project; `shown` is the folder, inside the project, that the name counts from. The issues
 * are about the file: their path is empty.
 *
 * @throws ProjectsError `unavailable` for a fault of the disk, or when no more files may be opened
 */
export async function readPromptFile(
  folder: string,
  shown: string,
  file: string,
): Promise<Checked<string>> {
  const issue = (message: string): Checked<string> => invalid({ path: '', message });
  if (!isPromptName(file)) return issue(`must be named as a .md file below ${shown}.`);
  const read = await readInside({
    file: join(folder, shown, file),
    within: folder,
    maxBytes: MAX_PROMPT_BYTES,
  }).catch(missing);
  if (read === null) return issue('does not exist.');
  if (!read.ok) return read;
  return promptTextOf(read.value.bytes);
}

/** The text of the bytes of a prompt file, without a byte order mark. */
export function promptTextOf(bytes: Uint8Array): Checked<string> {
  const text = decodeUtf8(bytes);
  if (!text.ok) return text;
  const prompt = text.value.replace(/^\uFEFF/, '');
  return prompt.trim() === '' ? invalid({ path: '', message: 'is empty.' }) : success(prompt);
}

// A name that no file can have, for one. That the disk fails says nothing of the file.
function missing(error: unknown): null {
  if (error instanceof ProjectsError) throw error;
  return null;
}

/** Whether a prompt file may have this name: a path of `.md` below its folder that leads nowhere else. */
export function isPromptName(file: string): boolean {
  const parts = file.split('/');
  return (
    file.endsWith('.md') &&
    !/[\\\0]/.test(file) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

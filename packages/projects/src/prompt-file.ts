import { join } from 'node:path';
import { type Checked, invalid, success } from '@svc/core';
import { readInside } from './adapters/safe-read.ts';
import { ProjectsError } from './errors.ts';
import { decodeUtf8, MAX_PROMPT_BYTES } from './paths.ts';

/**
 * Reads a prompt file of a project; `shown` is the folder, inside the project, to which the name is relative.
 * Issues are about the file: their path is empty.
 * @throws ProjectsError `unavailable` if the disk fails or no more files may be opened
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

/** The text of a prompt file, without a byte order mark. */
export function promptTextOf(bytes: Uint8Array): Checked<string> {
  const text = decodeUtf8(bytes);
  if (!text.ok) return text;
  const prompt = text.value.replace(/^\uFEFF/, '');
  return prompt.trim() === '' ? invalid({ path: '', message: 'is empty.' }) : success(prompt);
}

// For example, a name that no file can have. An error of the disk does not mean that the file is missing.
function missing(error: unknown): null {
  if (error instanceof ProjectsError) throw error;
  return null;
}

/** Whether a prompt file may have this name: a relative path of an `.md` file that stays below its folder. */
export function isPromptName(file: string): boolean {
  const parts = file.split('/');
  return (
    file.endsWith('.md') &&
    !/[\\\0]/.test(file) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

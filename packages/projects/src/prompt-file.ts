import { join } from 'node:path';
import { type Checked, invalid, sentencesOf, success } from '@svc/core';
import { readInside } from './adapters/safe-read.ts';
import { decodeUtf8 } from './paths.ts';

const MAX_BYTES = 256 * 1024;

/** Reads a prompt file of a project; `shown` is the folder, inside the project, that the name counts from. */
export async function readPromptFile(
  folder: string,
  shown: string,
  file: string,
): Promise<Checked<string>> {
  const label = `${shown}/${file}`;
  const issue = (message: string): Checked<string> => invalid({ path: 'run.promptFile', message });
  const parts = file.split('/');
  const safe =
    file.endsWith('.md') &&
    !/[\\\0]/.test(file) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..');
  if (!safe) return issue(`${JSON.stringify(file)} is not the name of a .md file below ${shown}.`);
  const read = await readInside({
    file: join(folder, shown, file),
    within: folder,
    maxBytes: MAX_BYTES,
    label,
  }).catch(() => null);
  if (read === null) return issue(`The prompt file ${label} does not exist.`);
  if (!read.ok) return issue(sentencesOf(read.issues));
  const text = decodeUtf8(read.value.bytes, label);
  if (!text.ok) return issue(sentencesOf(text.issues));
  return text.value.trim() === ''
    ? issue(`The prompt file ${label} is empty.`)
    : success(text.value);
}

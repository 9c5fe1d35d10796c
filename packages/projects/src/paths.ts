import { type Checked, invalid, success } from '@svc/core';
import type { Source } from '@svc/records';

/** Name of the file that makes a folder a project. */
export const PROJECT_FILE = 'project.yaml';

/** How long a prompt file may be. */
export const MAX_PROMPT_BYTES: number = 256 * 1024;

/** Folder, inside a project, of the prompt files of each source. */
export const PROMPT_FOLDERS: Readonly<Record<Source, string>> = {
  trigger: '.svc/triggers',
  schedule: '.svc/schedules',
};

/** The bytes of a file as text, the byte order mark kept; refused when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): Checked<string> {
  try {
    return success(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return invalid({ path: '', message: 'is not UTF-8 text: save it in that encoding.' });
  }
}

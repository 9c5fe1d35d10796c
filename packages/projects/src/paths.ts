import { type Checked, invalid, success } from '@svc/core';
import type { Source } from '@svc/records';

/** Name of the file that makes a folder a project. */
export const PROJECT_FILE = 'project.yaml';

/** Maximum size of a prompt file. */
export const MAX_PROMPT_BYTES: number = 256 * 1024;

/** Folder, inside a project, of the prompt files of each source. */
export const PROMPT_FOLDERS: Readonly<Record<Source, string>> = {
  trigger: '.svc/triggers',
  schedule: '.svc/schedules',
};

/** Folder, inside a project, of the files of the service. */
export const OWN_FOLDER = '.svc';

/** The files of `.svc/` that a curator maintains. */
export const CURATED_FILES = ['OVERVIEW.md', 'CHANGELOG.md'] as const;
/** Name of a curated file. */
export type CuratedFile = (typeof CURATED_FILES)[number];

/** Maximum size of a file that a curator is shown as a whole, in bytes. */
export const MAX_SHOWN_BYTES: number = 256 * 1024;

/** Maximum size of a text that a curator writes, in bytes. */
export const MAX_CURATED_BYTES: number = 128 * 1024;

/** Decodes a file as UTF-8, with its byte order mark; refuses other encodings. */
export function decodeUtf8(bytes: Uint8Array): Checked<string> {
  try {
    return success(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const message = 'is not UTF-8 text. Save it in that encoding.';
    return invalid({ path: '', message, line: oddLineOf(bytes), column: 1 });
  }
}

/** The first line with bytes that are not UTF-8, from 1. */
function oddLineOf(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let from = 0; from < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, from);
    const until = end < 0 ? bytes.length : end + 1;
    try {
      decoder.decode(bytes.subarray(from, until));
    } catch {
      return line;
    }
    from = until;
  }
  return line;
}

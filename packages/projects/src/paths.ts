import { type Checked, invalid, success } from '@svc/core';
import type { Source } from '@svc/records';
import { isSlug } from '@svc/trigger-schema';

/** Name of the file that makes a folder a project. */
export const PROJECT_FILE = 'project.yaml';

/** Folder, inside a project, of the prompt files of each source. */
export const PROMPT_FOLDERS: Readonly<Record<Source, string>> = {
  trigger: '.svc/triggers',
  schedule: '.svc/schedules',
};

/** The slug that a path below the projects folder belongs to; null for other paths. */
export function slugOfPath(relative: string): string | null {
  const [slug, file, ...rest] = relative.split(/[\\/]/);
  if (slug === undefined || !isSlug(slug) || rest.length > 0) return null;
  return file === undefined || file === PROJECT_FILE ? slug : null;
}

/** The bytes of a file as text, the byte order mark kept; refused when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array, file: string): Checked<string> {
  try {
    return success(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return invalid({ path: '', message: `${file} is not UTF-8 text: save it in that encoding.` });
  }
}

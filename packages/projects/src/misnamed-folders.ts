import { join } from 'node:path';
import type { Logger } from '@svc/core';
import { isSlug } from '@svc/trigger-schema';
import { isThere } from './adapters/file-mark.ts';
import { PROJECT_FILE } from './paths.ts';

/** The rule for names of project folders, as the rest of a sentence. */
export const SLUG_RULE =
  'must have 1 to 64 letters, digits, ".", "_" and "-", and begin with a letter, a digit or "_".';

/** Whether a `project.yaml` is ignored because the name of its folder is not a slug. */
export function isMisnamed(root: string, name: string): boolean {
  return isOdd(name) && isThere(join(root, name, PROJECT_FILE));
}

// Folders that begin with a dot belong to programs.
function isOdd(name: string): boolean {
  return !name.startsWith('.') && !isSlug(name);
}

/** Logs each folder once that contains a `project.yaml` but is ignored because of its name. */
export function createMisnamedReport(root: string, logger: Logger) {
  const reported = new Set<string>();
  const report = (name: string): void => {
    if (reported.has(name)) return;
    reported.add(name);
    logger.warn({ folder: name, rule: SLUG_RULE }, 'project folder ignored: invalid name');
  };
  return {
    /** For a folder that exists at start. */
    existing(name: string): void {
      if (isMisnamed(root, name)) report(name);
    },
    /** For a new folder: its file is written after the folder appears. */
    added(name: string): void {
      if (isOdd(name) && isThere(join(root, name, '.'))) report(name);
    },
  };
}

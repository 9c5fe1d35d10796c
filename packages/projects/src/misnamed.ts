import { join } from 'node:path';
import type { Logger } from '@svc/core';
import { isSlug } from '@svc/trigger-schema';
import { isThere } from './adapters/file-mark.ts';
import { PROJECT_FILE } from './paths.ts';

/** How the folder of a project has to be named, as a sentence without its subject. */
export const SLUG_RULE =
  'must have 1 to 64 letters, digits, ".", "_" and "-", and begin with a letter, a digit or "_".';

/** Whether a `project.yaml` counts for nothing, because of how its folder in the folder of projects is named. */
export function isMisnamed(root: string, name: string): boolean {
  return isOdd(name) && isThere(join(root, name, PROJECT_FILE));
}

// What begins with a dot belongs to programs.
function isOdd(name: string): boolean {
  return !name.startsWith('.') && !isSlug(name);
}

/** Tells of each folder once that is taken for a project by whoever made it, and is none because of its name. */
export function createMisnamedReport(root: string, logger: Logger) {
  const told = new Set<string>();
  const tell = (name: string): void => {
    if (told.has(name)) return;
    told.add(name);
    logger.warn({ folder: name }, `a folder is no project: its name ${SLUG_RULE}`);
  };
  return {
    /** Of what lies there. */
    found(name: string): void {
      if (isMisnamed(root, name)) tell(name);
    },
    /** Of what has come just now: its file is written later than the folder. */
    came(name: string): void {
      if (isOdd(name) && isThere(join(root, name, '.'))) tell(name);
    },
  };
}

import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Checked,
  type Clock,
  failure,
  type Issue,
  messageOf,
  type Result,
  success,
} from '@svc/core';
import { stageFile } from './adapters/atomic-write.ts';
import { type HeldLock, takeLock } from './adapters/file-lock.ts';
import type { EditError } from './errors.ts';
import { PROJECT_FILE } from './paths.ts';
import type { ProjectText } from './reading.ts';

/** Makes a new text of a file, or says why not; called again when the file changed meanwhile. */
export type TextChange = (text: string) => Checked<string>;

/** Where edits take place. */
export interface EditPlace {
  readonly folder: string;
  readonly lockFile: string;
  read(): Promise<ProjectText | null>;
  /** Faults that keep a text from being parsed. */
  faultsOf(text: string): readonly Issue[];
}

const MAX_RESTARTS = 50;

/** Changes one file under its lock, over and over until nobody else has changed it in between. */
export async function editFile(
  clock: Clock,
  place: EditPlace,
  change: TextChange,
): Promise<Result<{ text: string }, EditError>> {
  const lock = await takeLock(clock, place.lockFile).catch(() => null);
  if (lock === null) return failure(LOCKED);
  try {
    for (let attempt = 0; attempt < MAX_RESTARTS; attempt += 1) {
      const done = await editOnce(place, change, lock);
      if (done !== null) return done;
    }
    return failure({
      code: 'conflict',
      message: `${PROJECT_FILE} keeps being changed by another program: try again.`,
      issues: [],
    });
  } finally {
    await lock.release();
  }
}

async function editOnce(
  place: EditPlace,
  change: TextChange,
  lock: HeldLock,
): Promise<Result<{ text: string }, EditError> | null> {
  const before = await place.read();
  if (before === null) return failure(NOT_FOUND);
  if (!before.ok) return failure({ ...UNREADABLE, issues: before.issues });
  const faults = place.faultsOf(before.text);
  if (faults.length > 0) return failure({ ...UNREADABLE, issues: faults });
  const changed = change(before.text);
  if (!changed.ok) {
    return failure({
      code: 'invalid',
      message: 'The change is not valid.',
      issues: changed.issues,
    });
  }
  if (changed.value === before.text) return success({ text: before.text });
  const file = join(place.folder, PROJECT_FILE);
  const staged = await stageFile(file, changed.value, before.mode).catch((error: unknown) => {
    return { error: messageOf(error) };
  });
  if ('error' in staged) return failure(NOT_WRITABLE);
  const isUnchanged = (): boolean => lock.isHeld() && holds(file, before.text);
  if (await staged.commit(isUnchanged)) return success({ text: changed.value });
  await staged.discard();
  return null;
}

function holds(file: string, text: string): boolean {
  try {
    return lstatSync(file).isFile() && readFileSync(file).equals(Buffer.from(text));
  } catch {
    return false;
  }
}

const NOT_FOUND: EditError = {
  code: 'not_found',
  message: 'There is no such project.',
  issues: [],
};
const UNREADABLE = {
  code: 'conflict',
  message: `${PROJECT_FILE} cannot be read: mend it by hand first.`,
} as const;
const LOCKED: EditError = {
  code: 'unavailable',
  message: 'The project cannot be locked for editing: try again, and check permissions.',
  issues: [],
};
const NOT_WRITABLE: EditError = {
  code: 'unavailable',
  message: `${PROJECT_FILE} cannot be written: check permissions and free space.`,
  issues: [],
};

import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Checked, type Clock, failure, messageOf, type Result, success } from '@svc/core';
import type { ProjectFile, TriggerEdit } from '@svc/trigger-schema';
import { stageFile } from './adapters/atomic-write.ts';
import { type HeldLock, takeLock } from './adapters/file-lock.ts';
import type { EditError } from './errors.ts';
import { PROJECT_FILE } from './paths.ts';
import type { EditedText } from './reader.ts';
import type { ProjectText } from './reading.ts';

/** What a change wants: an edit, or null to leave the file as it is, and a value for whoever asked. */
export interface Decision<T> {
  readonly edit: TriggerEdit | null;
  readonly value: T;
}

/** Decides on a change from what the file says, or says why not; asked again when the file changed meanwhile. */
export type Change<T, E> = (file: ProjectFile) => Result<Decision<T>, E>;

/** A change that was made: the text as it is now, and the value of the decision. */
export interface Changed<T> {
  readonly text: string;
  readonly value: T;
}

/** Where edits take place. */
export interface EditPlace {
  readonly folder: string;
  readonly lockFile: string;
  read(): Promise<ProjectText | null>;
  /** What a text says, or the faults that keep it from being parsed. */
  parse(text: string): Promise<Checked<ProjectFile>>;
  apply(text: string, edit: TriggerEdit): Promise<Checked<EditedText>>;
  /** Called with what the file holds from now on. */
  written(now: EditedText): Promise<void>;
}

const MAX_RESTARTS = 50;

/** Changes one file under its lock, over and over until nobody else has changed it in between. */
export async function editFile<T, E>(
  clock: Clock,
  place: EditPlace,
  change: Change<T, E>,
): Promise<Result<Changed<T>, EditError | E>> {
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

async function editOnce<T, E>(
  place: EditPlace,
  change: Change<T, E>,
  lock: HeldLock,
): Promise<Result<Changed<T>, EditError | E> | null> {
  const before = await place.read();
  if (before === null) return failure(NOT_FOUND);
  if (!before.ok) return failure({ ...UNREADABLE, issues: before.issues });
  const { text } = before;
  const now = await place.parse(text);
  if (!now.ok) return failure({ ...UNREADABLE, issues: now.issues });
  const decided = change(now.value);
  if (!decided.ok) return decided;
  const { edit, value } = decided.value;
  const edited = edit === null ? null : await place.apply(text, edit);
  if (edited?.ok === false) return failure({ ...IN_THE_WAY, issues: edited.issues });
  if (edited === null || edited.value.text === text) return success({ text, value });
  const file = join(place.folder, PROJECT_FILE);
  const staged = await stageFile(file, edited.value.text, before.mode).catch((error: unknown) => {
    return { error: messageOf(error) };
  });
  if ('error' in staged) return failure(NOT_WRITABLE);
  const isUnchanged = (): boolean => lock.isHeld() && holds(file, text);
  if (!(await staged.commit(isUnchanged))) {
    await staged.discard();
    return null;
  }
  await place.written(edited.value);
  return success({ text: edited.value.text, value });
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
const IN_THE_WAY = {
  code: 'conflict',
  message: `${PROJECT_FILE} does not allow this change as it is written: see issues.`,
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

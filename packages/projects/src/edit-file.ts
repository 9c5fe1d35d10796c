import { join } from 'node:path';
import { type Checked, failure, type Result, SvcError, success } from '@svc/core';
import type { ProjectFile, TriggerEdit } from '@svc/trigger-schema';
import { replaceFile } from './adapters/atomic-write.ts';
import type { FileLocks } from './adapters/file-lock.ts';
import type { HeldLock } from './adapters/lock-parts.ts';
import { holdsExactly } from './adapters/safe-read.ts';
import { UNCONFIRMED } from './confirmed-check.ts';
import type { EditError } from './errors.ts';
import { PROJECT_FILE } from './paths.ts';
import type { ProjectText } from './read-project-file.ts';
import type { EditedText } from './reader.ts';

/** The decision of a change: an edit, or null to leave the file unchanged, and a value for the caller. */
export interface Decision<T> {
  readonly edit: TriggerEdit | null;
  readonly value: T;
}

/**
 * Decides on a change from the content of the file, or returns the reason for refusing it. Called again if the file
 * changed meanwhile.
 */
export type Change<T, E> = (file: ProjectFile) => Result<Decision<T>, E>;

/** A change that was made: the new text, and the value of the decision. */
export interface Changed<T> {
  readonly text: string;
  readonly value: T;
}

/** A change that would be made: the text before and after, and the value of the decision. */
export interface EditPreview<T> {
  readonly before: string;
  readonly after: string;
  readonly value: T;
}

/** What keeps agents from changing a `project.yaml`. Files are absolute paths. */
export interface FileGuard {
  /** Runs a function that replaces a file, and returns its result. */
  replace<T>(file: string, work: () => Promise<T>): Promise<T>;
  /** Whether this content of a file certainly does not come from an agent. */
  isTrusted(file: string, content: Buffer): Promise<boolean>;
  /** Trusts this content of a file from now on. */
  confirm(file: string, content: Buffer): Promise<void>;
}

/** Where to edit. */
export interface EditPlace {
  readonly folder: string;
  readonly lockFile: string;
  read(): Promise<ProjectText | null>;
  /** Parses a text; returns its faults if it does not parse. */
  parse(text: string): Promise<Checked<ProjectFile>>;
  apply(text: string, edit: TriggerEdit): Promise<Checked<EditedText>>;
  readonly guard: Pick<FileGuard, 'replace'>;
  /** Called with a text before it is written. */
  announce(text: string): Promise<void>;
  /** Called with the new content of the file. */
  written(now: EditedText): Promise<void>;
}

const MAX_RESTARTS = 50;

/** Changes a file under its lock. Starts again while other programs change it in between. */
export async function editFile<T, E>(
  locks: FileLocks,
  place: EditPlace,
  change: Change<T, E>,
): Promise<Result<Changed<T>, EditError | E>> {
  const taken = await locks.take(place.lockFile).then(success, notLocked);
  if (!taken.ok) return taken;
  const lock = taken.value;
  try {
    for (let attempt = 0; attempt < MAX_RESTARTS; attempt += 1) {
      const done = await editOnce(place, change, lock);
      if (done !== null) return done;
    }
    return failure({
      code: 'conflict',
      message: `${PROJECT_FILE} keeps being changed by another program. Try again.`,
      issues: [],
    });
  } finally {
    await lock.release();
  }
}

/** Returns the result that `editFile` would have now. Writes nothing and takes no lock. */
export async function previewEdit<T, E>(
  place: Pick<EditPlace, 'read' | 'parse' | 'apply'>,
  change: Change<T, E>,
): Promise<Result<EditPreview<T>, EditError | E>> {
  const planned = await planEdit(place, change);
  if (!planned.ok) return planned;
  const { before, after, value } = planned.value;
  return success({ before: before.text, after: after?.text ?? before.text, value });
}

interface PlannedEdit<T> {
  readonly before: { readonly text: string; readonly mode: number };
  /** Null if the file stays as it is. */
  readonly after: EditedText | null;
  readonly value: T;
}

async function planEdit<T, E>(
  place: Pick<EditPlace, 'read' | 'parse' | 'apply'>,
  change: Change<T, E>,
): Promise<Result<PlannedEdit<T>, EditError | E>> {
  const before = await place.read();
  if (before === null) return failure(NOT_FOUND);
  if (!before.ok) return failure({ ...UNREADABLE, issues: before.issues });
  const { text, mode } = before;
  const now = await place.parse(text);
  if (!now.ok) {
    const refusal = now.issues.includes(UNCONFIRMED) ? NOT_CONFIRMED : UNREADABLE;
    return failure({ ...refusal, issues: now.issues });
  }
  const decided = change(now.value);
  if (!decided.ok) return decided;
  const { edit, value } = decided.value;
  const edited = edit === null ? null : await place.apply(text, edit);
  if (edited?.ok === false) return failure({ ...IN_THE_WAY, issues: edited.issues });
  const after = edited === null || edited.value.text === text ? null : edited.value;
  return success({ before: { text, mode }, after, value });
}

async function editOnce<T, E>(
  place: EditPlace,
  change: Change<T, E>,
  lock: HeldLock,
): Promise<Result<Changed<T>, EditError | E> | null> {
  const planned = await planEdit(place, change);
  if (!planned.ok) return planned;
  const { before, after, value } = planned.value;
  if (after === null) return success({ text: before.text, value });
  const file = join(place.folder, PROJECT_FILE);
  const isUnchanged = (): boolean => lock.isHeld() && holdsExactly(file, Buffer.from(before.text));
  const content = { file, text: after.text, mode: before.mode };
  await place.announce(after.text);
  const replaced = await place.guard.replace(file, () => replaceFile(content, isUnchanged));
  if (!replaced.ok) {
    const message = `${PROJECT_FILE} cannot be written. ${replaced.error}`;
    return failure({ code: 'unavailable', message, issues: [] });
  }
  if (!replaced.value) return null;
  await place.written(after);
  return success({ text: after.text, value });
}

const NOT_FOUND: EditError = {
  code: 'not_found',
  message: 'There is no such project.',
  issues: [],
};
const UNREADABLE = {
  code: 'conflict',
  message: `${PROJECT_FILE} cannot be read. Fix it by hand first.`,
} as const;
const NOT_CONFIRMED = {
  code: 'conflict',
  message: `${PROJECT_FILE} must be confirmed first. See issues.`,
} as const;
const IN_THE_WAY = {
  code: 'conflict',
  message: `${PROJECT_FILE} does not allow this change in its current form. See issues.`,
} as const;

/** Converts the error of a lock that was not available to the error of an edit. */
export function notLocked(error: unknown): Result<never, EditError> {
  const known = error instanceof SvcError && error.code === 'unavailable';
  const message = known ? error.message : 'The project cannot be locked for editing. Try again.';
  return failure({ code: 'unavailable', message, issues: [] });
}

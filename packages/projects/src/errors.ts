import { diskFaultOf, type Issue, SvcError } from '@svc/core';

/** Why an edit was not made. Codes: `not_found`, `conflict` (see `issues`), `unavailable`. */
export interface EditError {
  readonly code: 'not_found' | 'conflict' | 'unavailable';
  /** What is wrong and how to fix it, in one sentence. */
  readonly message: string;
  readonly issues: readonly Issue[];
}

/**
 * Why a repository was not cloned. No files are left behind.
 * - `invalid`: the slug or the address is refused; see `issues` (paths `slug`, `repo`)
 * - `taken`: the name is in use
 * - `unsuitable`: its `project.yaml` is missing or not a regular file; see `issues` (path `repo`)
 * - `failed`: git failed; the message contains its reason
 * - `timed_out`, `aborted`: stopped before the clone was complete
 * - `git_missing`: git is not in PATH
 * - `unavailable`: the projects folder cannot be written, or the project is locked for too long
 */
export interface CloneError {
  readonly code:
    | 'invalid'
    | 'taken'
    | 'unsuitable'
    | 'failed'
    | 'timed_out'
    | 'aborted'
    | 'git_missing'
    | 'unavailable';
  /** One sentence, without credentials and without paths of this machine. */
  readonly message: string;
  readonly issues: readonly Issue[];
}

/** A project folder cannot be read or written because of the machine. */
export class ProjectsError extends SvcError<'unavailable'> {}

/** Converts an error of the disk to a ProjectsError with a sentence; returns other errors unchanged. */
export function asProjectsError(
  thrown: unknown,
  facts: Readonly<Record<string, unknown>>,
): unknown {
  const fault = diskFaultOf(thrown);
  return fault === null
    ? thrown
    : new ProjectsError('unavailable', fault.sentence, { cause: thrown, facts });
}

import { diskFaultOf, type Issue, SvcError } from '@svc/core';

/** Why an edit was not made. Codes: `not_found`, `conflict` (see `issues`), `unavailable`. */
export interface EditError {
  readonly code: 'not_found' | 'conflict' | 'unavailable';
  /** What is wrong and how to fix it, in one sentence. */
  readonly message: string;
  readonly issues: readonly Issue[];
}

/**
 * Why a repository was not cloned; nothing is left behind.
 *
 * - `invalid`: the slug or the address is refused; see `issues` (paths `slug`, `repo`)
 * - `taken`: there is something of that name already
 * - `unsuitable`: it was cloned, but its `project.yaml` is missing or no regular file; see `issues` (path `repo`)
 * - `failed`: git refused; the message holds what it said
 * - `timed_out`, `aborted`: ended before it was done
 * - `git_missing`: there is no git in PATH
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

/** A project folder that cannot be read or written for a reason of the machine. */
export class ProjectsError extends SvcError<'unavailable'> {}

/** An error of the file system as a sentence, where it is a fault of the disk; any other as it is. */
export function asProjectsError(
  thrown: unknown,
  facts: Readonly<Record<string, unknown>>,
): unknown {
  const fault = diskFaultOf(thrown);
  return fault === null
    ? thrown
    : new ProjectsError('unavailable', fault.sentence, { cause: thrown, facts });
}

import { type Issue, SvcError } from '@svc/core';

/** Why an edit was not made. Codes: `not_found`, `invalid` (see `issues`), `conflict`, `unavailable`. */
export interface EditError {
  readonly code: 'not_found' | 'invalid' | 'conflict' | 'unavailable';
  /** One sentence that says what to do. */
  readonly message: string;
  readonly issues: readonly Issue[];
}

/** A project folder that cannot be read or written for a reason of the machine. Code: `unavailable`. */
export class ProjectsError extends SvcError {}

import { SvcError } from '@svc/core';

/**
 * `closed`: the scheduler was closed. `foreign_key`: a request names another project than the call.
 * `duplicate_key`: two requests name the same trigger. `not_stored`: the claims port failed; the same call may be made
 * again. `bad_verdicts`: the claims port answered with another number of verdicts than it was given claims.
 * `bad_option`: a setting is outside its range.
 */
export type SchedulerErrorCode =
  | 'closed'
  | 'foreign_key'
  | 'duplicate_key'
  | 'not_stored'
  | 'bad_verdicts'
  | 'bad_option';

/** A caller's mistake, or a claims port that failed. */
export class SchedulerError extends SvcError<SchedulerErrorCode> {}

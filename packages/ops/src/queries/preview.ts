import { type Clock, failure, type Result, success } from '@svc/core';
import { hostZone, invalidInput, type OperationError } from '@svc/engine';
import {
  type CronRecurrence,
  describe,
  firesPerDay,
  type IntervalRecurrence,
  parseCron,
  parseInterval,
  upcoming,
} from '@svc/recurrence';

/** A preview of a schedule. */
export interface Preview {
  readonly upcoming: readonly string[];
  readonly description: string;
  readonly firesPerDay: number;
  readonly timezone: string | null;
}

/** A preview request: exactly one of `cron` and `interval`. */
export interface PreviewRequest {
  readonly cron?: string;
  readonly interval?: string;
  /** IANA name, for cron only. Default: the zone of the host. */
  readonly timezone?: string;
  /** Number of fires, 1 to 100. Default: 5. */
  readonly count?: number;
}

/** The next fires of a schedule, without storing anything; an interval starts now. */
export function preview(clock: Clock, request: PreviewRequest): Result<Preview, OperationError> {
  const now = new Date(clock.now());
  const { cron, interval, timezone } = request;
  if ((cron === undefined) === (interval === undefined)) {
    return failure(
      invalidInput([
        { path: 'cron', message: 'or interval is required. Give exactly one of them.' },
      ]),
    );
  }
  if (interval !== undefined && timezone !== undefined) {
    const message = 'applies to cron only. Intervals do not depend on a time zone.';
    return failure(invalidInput([{ path: 'timezone', message }]));
  }
  const parsed =
    cron === undefined
      ? parseInterval(interval, { anchor: now })
      : parseCron(cron, timezone === undefined ? {} : { timezone });
  if (!parsed.ok) return failure(invalidInput(parsed.issues));
  return success(previewOf(parsed.value, now, request));
}

function previewOf(
  recurrence: CronRecurrence | IntervalRecurrence,
  now: Date,
  request: PreviewRequest,
): Preview {
  return {
    upcoming: upcoming(recurrence, now, request.count ?? 5).map((at) => at.toISOString()),
    description: describe(recurrence),
    firesPerDay: firesPerDay(recurrence, now),
    timezone: recurrence.kind === 'cron' ? (request.timezone ?? hostZone()) : null,
  };
}

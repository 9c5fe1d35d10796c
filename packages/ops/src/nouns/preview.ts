import { type Clock, failure, type Result, success } from '@svc/core';
import {
  type CronRecurrence,
  describe,
  firesPerDay,
  type IntervalRecurrence,
  parseCron,
  parseInterval,
  upcoming,
} from '@svc/recurrence';
import { invalidInput, type OperationError } from '../errors.ts';
import type { Preview } from '../trigger-results.ts';
import type { PreviewRequest } from '../trigger-work.ts';
import { hostZone } from './host-zone.ts';

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

export { type ClockChange, clockChanges } from './clock-changes.ts';
export { type CronRecurrence, type ParseCronOptions, parseCron } from './cron.ts';
export { describe } from './describe.ts';
export { RecurrenceError, type RecurrenceErrorCode } from './errors.ts';
export { type IntervalRecurrence, type ParseIntervalOptions, parseInterval } from './interval.ts';
export {
  countFires,
  type FireCount,
  firesPerDay,
  nextFire,
  nextFireMs,
  type Recurrence,
  upcoming,
} from './next-fire.ts';
export type { Parsed, RecurrenceIssue } from './result.ts';
export { parsePosixZone, parseTzif, type ZoneData } from './tzif.ts';
export { type ZoneDifference, zoneDifference } from './zone-difference.ts';
export { zoneLike } from './zone-like.ts';
export { forgetHostZone, timezoneFault } from './zones.ts';

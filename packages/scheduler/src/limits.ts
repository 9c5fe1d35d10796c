import { SchedulerError } from './errors.ts';

/** Settings of a scheduler: whole numbers, times in milliseconds. */
export interface SchedulerOptions {
  /** How late a slot may be claimed and still count as on time; from 0. Default 60000. */
  readonly graceMs?: number;
  /** Late slots are claimed at a fixed point of this span per trigger; from 0. Default 30000. */
  readonly spreadMs?: number;
  /** Work between two yields to the event loop; from 1. Default 5. */
  readonly sliceMs?: number;
  /** Most claims in one call of the claims port; from 2. Default 200. */
  readonly maxBatch?: number;
  /** Most calls of `claim` that run at the same time; from 1. Default 4. */
  readonly maxClaimsInFlight?: number;
  /**
   * Maximum sleep before the clock is checked again, because it may have been set or the machine suspended; from 1.
   * Default 30000.
   */
  readonly maxSleepMs?: number;
}

export type Limits = Required<SchedulerOptions>;

const DEFAULT_LIMITS: Limits = Object.freeze({
  graceMs: 60_000,
  spreadMs: 30_000,
  sliceMs: 5,
  maxBatch: 200,
  maxClaimsInFlight: 4,
  maxSleepMs: 30_000,
});

const LEAST: Limits = Object.freeze({
  graceMs: 0,
  spreadMs: 0,
  sliceMs: 1,
  maxBatch: 2,
  maxClaimsInFlight: 1,
  maxSleepMs: 1,
});

/** The given settings with defaults; throws `bad_option` for one that is not a whole number in its range. */
export function resolveLimits(options: SchedulerOptions): Limits {
  const limits = { ...DEFAULT_LIMITS, ...options };
  for (const name of Object.keys(LEAST) as (keyof Limits)[]) {
    const value = limits[name];
    if (Number.isSafeInteger(value) && value >= LEAST[name]) continue;
    throw new SchedulerError('bad_option', `${name} must be a whole number from ${LEAST[name]}.`, {
      facts: { [name]: value },
    });
  }
  return limits;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** A wall clock that drifts from the monotonic one by more than this between two readings was set. */
export const STEP_MS = 2000;

import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';

/** Interval of comparisons. */
const COMPARE_MS = 10_000;
/** A slower response is too imprecise. */
const SLOWEST_MS = 1000;
/** Smaller differences are ignored, so that the time does not jitter. */
const SAME_MS = 20;
/** Larger differences are logged. */
const TOLD_MS = 1000;

/** A clock that shows the time of a database server. */
export interface DatabaseClock extends Clock {
  /** How far the local clock is behind that of the database, in milliseconds; negative if it is ahead. */
  readonly behindMs: number;
  /** Compares the clocks now, and periodically from then on. Rejects if they cannot be compared now. */
  start(): Promise<void>;
  close(): void;
}

/**
 * Creates a clock that runs like the local clock and is set by that of a database, so that all servers that share the
 * database have the same time.
 *
 * @param timeOf returns the time of the database in milliseconds since the epoch; null: the local time applies
 */
export function createDatabaseClock(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  timeOf: () => Promise<number | null>,
): DatabaseClock {
  let behindMs = 0;
  let timer: TimerHandle | null = null;
  let isOpen = true;
  const set = (found: number, rtt: number): void => {
    if (Math.abs(found - behindMs) <= Math.max(SAME_MS, rtt)) return;
    behindMs = Math.round(found);
    const fields = { behindMs };
    if (Math.abs(found) < TOLD_MS) logger.debug(fields, 'clock matches the database clock');
    else logger.warn(fields, 'clock differs from the database clock, which is used');
  };
  const compare = async (): Promise<void> => {
    const [asked, asOf] = [clock.now(), clock.mono()];
    const time = await timeOf();
    const rtt = clock.mono() - asOf;
    if (time === null || rtt > SLOWEST_MS) return;
    // The time was read at some point between request and response.
    set(time - (asked + rtt / 2), rtt);
  };
  const again = (): void => {
    if (!isOpen) return;
    timer = clock.setTimeout(() => {
      compare()
        .catch((error: unknown) => {
          logger.debug({ error: messageOf(error) }, 'cannot read the time of the database');
        })
        .finally(again);
    }, COMPARE_MS);
  };
  return {
    now: () => clock.now() + behindMs,
    mono: () => clock.mono(),
    setTimeout: (callback, ms) => clock.setTimeout(callback, ms),
    clearTimeout: (handle) => clock.clearTimeout(handle),
    yield: () => clock.yield(),
    get behindMs() {
      return behindMs;
    },
    async start() {
      await compare();
      again();
    },
    close() {
      isOpen = false;
      if (timer !== null) clock.clearTimeout(timer);
    },
  };
}

import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';

/** How often the clocks are compared. */
const COMPARE_MS = 10_000;
/** An answer that took longer tells too little. */
const SLOWEST_MS = 1000;
/** Two clocks that are no further apart are the same, so that the time does not tremble. */
const SAME_MS = 20;
/** From here on somebody should know. */
const TOLD_MS = 1000;

/** A clock of this machine that shows the time of a database. */
export interface DatabaseClock extends Clock {
  /** How far the clock of this machine is behind that of the database, in milliseconds; negative where it is ahead. */
  readonly behindMs: number;
  /** Compares the clocks, now and from then on. Rejects where they cannot be compared now. */
  start(): Promise<void>;
  close(): void;
}

/**
 * Makes a clock that runs as that of this machine does and is set by that of a database, so that all processes that share
 * the database have one time.
 *
 * @param timeOf what the clock of the database says, in milliseconds since the epoch; null: the same as that of this machine
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
    // It was read somewhere between question and answer.
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

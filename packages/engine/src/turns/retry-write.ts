import { failureLevel, messageOf, SvcError } from '@svc/core';
import { StoreError } from '@svc/store';
import type { EngineDeps } from '../deps.ts';

const TRIES = 8;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** Ends the retries; an `AbortSignal` is one. */
export type Until = Pick<AbortSignal, 'aborted'>;

/**
 * Retries a read or write that must succeed: a turn whose end is not stored would count as running forever and block
 * its trigger. Retries for about ten seconds; with `until`, as long as the store is unavailable and `until` is not
 * aborted.
 */
export async function retryWrite<T>(
  deps: Pick<EngineDeps, 'clock' | 'logger'>,
  work: () => Promise<T>,
  until?: Until,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const keepsWaiting = isStoreUnavailable(error) && until?.aborted === false;
      if (attempt + 1 >= TRIES && !keepsWaiting) throw error;
      deps.logger[failureLevel(error, 'warn')](
        { error: messageOf(error) },
        'cannot read or write turn, retrying',
      );
      await pause(deps.clock, attempt);
    }
  }
}

/**
 * The same for work that recovery could also do later: retries only while the database is unavailable, and as soon as
 * it is back.
 *
 * @param work called with whether it was delayed
 */
export async function retryWriteWhileUnavailable<T>(
  { clock, store: { connectivity } }: Pick<EngineDeps, 'clock' | 'store'>,
  work: (wasAway: boolean) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work(attempt > 0);
    } catch (error) {
      if (!isStoreUnavailable(error) || signal.aborted) throw error;
      await pause(clock, attempt, connectivity);
    }
  }
}

/** Whether the cause is the machine or a server, such as a full disk or a database that does not respond. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof SvcError && error.code === 'unavailable';
}

// Waiting for a project folder that cannot be read would block capacity of other projects.
function isStoreUnavailable(error: unknown): boolean {
  return error instanceof StoreError && isUnavailable(error);
}

async function pause(
  clock: EngineDeps['clock'],
  attempt: number,
  connectivity?: EngineDeps['store']['connectivity'],
): Promise<void> {
  const ms = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
  let stop = (): void => {};
  await new Promise<void>((resolve) => {
    const timer = clock.setTimeout(resolve, ms);
    const unsubscribe = connectivity?.subscribe((fault) => fault === null && resolve());
    stop = () => {
      clock.clearTimeout(timer);
      unsubscribe?.();
    };
  });
  stop();
}

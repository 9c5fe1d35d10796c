import type { Clock } from './clock.ts';
import { networkOf } from './network.ts';

/** How many wrong credentials one address may send. */
export interface FailedAuthLimit {
  /** Wrong credentials until refusal, 1 or more. */
  readonly attempts: number;
  /** Milliseconds from the first of them until all are forgotten. */
  readonly windowMs: number;
}

/** Counts wrong credentials by address, those of IPv6 by their first 64 bits: that is what one customer has. */
export interface Throttle {
  /** Milliseconds until the address may try again; 0: now. */
  waitOf(address: string): number;
  /** Notes a wrong credential. */
  note(address: string): void;
}

interface Count {
  wrong: number;
  readonly endsAt: number;
}

const MAX_ADDRESSES = 10_000;

/** Makes a counter; it holds the 10000 addresses that failed last, so that it cannot be filled. */
export function createThrottle(limit: FailedAuthLimit, clock: Pick<Clock, 'mono'>): Throttle {
  const counts = new Map<string, Count>();
  const live = (address: string): Count | undefined => {
    const count = counts.get(address);
    return count !== undefined && count.endsAt > clock.mono() ? count : undefined;
  };
  return {
    waitOf(from) {
      const count = live(networkOf(from));
      return count === undefined || count.wrong < limit.attempts ? 0 : count.endsAt - clock.mono();
    },
    note(from) {
      const address = networkOf(from);
      const count = live(address);
      if (count !== undefined) {
        count.wrong += 1;
        return;
      }
      counts.delete(address);
      counts.set(address, { wrong: 1, endsAt: clock.mono() + limit.windowMs });
      const [oldest] = counts.keys();
      if (counts.size > MAX_ADDRESSES && oldest !== undefined) counts.delete(oldest);
    },
  };
}

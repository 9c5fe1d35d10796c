import type { Clock } from './clock.ts';
import { networkOf } from './network.ts';

/** How many failed sign-ins an address may make. */
export interface FailedAuthLimit {
  /** Failed attempts until the address is refused, 1 or more. */
  readonly attempts: number;
  /** Milliseconds from the first failure until the count is reset. */
  readonly windowMs: number;
}

/** Counts failed sign-ins by address; IPv6 addresses by their first 64 bits, which usually belong to one customer. */
export interface Throttle {
  /** Milliseconds until the address may try again; 0 means now. */
  waitOf(address: string): number;
  /** Records a failed sign-in. */
  note(address: string): void;
}

interface Count {
  wrong: number;
  readonly endsAt: number;
}

const MAX_ADDRESSES = 10_000;

/** Creates a throttle. It keeps the 10000 addresses that failed most recently, so that its memory is bounded. */
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

import { type Clock, isRecord } from '@svc/core';
import { ownValue } from './values.ts';

/** How many wrong credentials one address may send. */
export interface FailedAuthLimit {
  /** Wrong credentials until refusal, 1 or more. */
  readonly attempts: number;
  /** Milliseconds from the first of them until all are forgotten. */
  readonly windowMs: number;
}

/** Counts wrong credentials by address. */
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
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads `{ attempts, window }`, the window in milliseconds or as a duration such as `15m`; null when it is wrong. */
export function parseFailedAuthLimit(raw: unknown): FailedAuthLimit | null {
  if (!isRecord(raw)) return null;
  const attempts = ownValue(raw, 'attempts');
  const windowMs = durationOf(ownValue(raw, 'window'));
  const isCount = typeof attempts === 'number' && Number.isSafeInteger(attempts) && attempts >= 1;
  return isCount && Number.isFinite(windowMs) && windowMs > 0 ? { attempts, windowMs } : null;
}

/** Makes a counter; it holds the 10000 addresses that failed last, so that it cannot be filled. */
export function createThrottle(limit: FailedAuthLimit, clock: Pick<Clock, 'mono'>): Throttle {
  const counts = new Map<string, Count>();
  const live = (address: string): Count | undefined => {
    const count = counts.get(address);
    return count !== undefined && count.endsAt > clock.mono() ? count : undefined;
  };
  return {
    waitOf(address) {
      const count = live(address);
      return count === undefined || count.wrong < limit.attempts ? 0 : count.endsAt - clock.mono();
    },
    note(address) {
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

function durationOf(raw: unknown): number {
  if (typeof raw === 'number') return raw;
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|m|h|d)$/.exec(String(raw)) ?? [];
  return Number(amount) * (UNITS[unit ?? ''] ?? Number.NaN);
}

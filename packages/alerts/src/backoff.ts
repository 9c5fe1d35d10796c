const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// Standard Webhooks, "Deliverability and reliability".
const PAUSES = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];

/** How long a delivery is tried, from when it was added, in milliseconds. */
export const GIVE_UP_AFTER_MS: number = 24 * HOUR;

/**
 * When a delivery that has failed is tried again, in milliseconds since 1970; null when it is given up. The last try is a
 * day after it was added.
 *
 * @param attempts Tries so far, the one that has just failed included.
 */
export function nextAttempt(addedAt: number, attempts: number, now: number): number | null {
  const end = addedAt + GIVE_UP_AFTER_MS;
  if (now >= end) return null;
  return Math.min(now + (PAUSES[attempts - 1] ?? GIVE_UP_AFTER_MS), end);
}

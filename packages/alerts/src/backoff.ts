const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

// Standard Webhooks, "Deliverability and reliability".
const PAUSES = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];

/** How long a delivery is retried, in milliseconds since it was added. */
export const GIVE_UP_AFTER_MS: number = 24 * HOUR;

/**
 * When a failed delivery is retried, in milliseconds since 1970; null when it is abandoned. The last attempt is
 * made a day after the delivery was added.
 * @param attempts The number of attempts, including the one that just failed.
 */
export function nextAttempt(addedAt: number, attempts: number, now: number): number | null {
  const end = addedAt + GIVE_UP_AFTER_MS;
  if (now >= end) return null;
  return Math.min(now + (PAUSES[attempts - 1] ?? GIVE_UP_AFTER_MS), end);
}

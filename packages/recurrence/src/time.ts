export const SECOND_MS = 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const DAY_MINUTES = 1440;

/** The largest instant a `Date` can hold, in milliseconds since the epoch; the smallest is its negative. */
export const MAX_DATE_MS = 8_640_000_000_000_000;

import { isId } from '@svc/core';

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** An instant with its zone (RFC 3339, seconds may be left out) as UTC ISO text with milliseconds; null for any other text. */
export function readInstant(text: string): string | null {
  const [, year, month, day] = INSTANT.exec(text) ?? [];
  if (year === undefined || Number.isNaN(Date.parse(text))) return null;
  // Date.parse takes 30 February for 2 March, so the day is checked separately.
  const date = new Date(`${year}-${month}-01T00:00:00Z`);
  date.setUTCDate(Number(day));
  return date.getUTCMonth() + 1 === Number(month) ? new Date(text).toISOString() : null;
}

/** What a string format takes: `read` gives the text as it is kept, null where the format does not hold. */
export interface StringFormat {
  read(text: string): string | null;
  /** The expected form, as the rest of a sentence that begins with the name of the field. */
  readonly message: string;
}

/** The string formats that a schema may name. */
export const STRING_FORMATS: {
  readonly 'date-time': StringFormat;
  readonly uuid: StringFormat;
} = {
  'date-time': {
    read: readInstant,
    message: 'must be a time with its zone, e.g. 2026-03-01T09:00:00Z.',
  },
  uuid: {
    read: (text) => (isId(text) ? text : null),
    message: 'must be an id as this service mints them, a lower-case UUID.',
  },
};

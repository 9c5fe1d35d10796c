import { daysFromMonth, daysInMonth, weekdayOf } from './civil.ts';
import { DAY_MS } from './time.ts';

/** The rule of a POSIX TZ string; offsets from UTC in seconds, east is positive. */
export interface PosixRule {
  readonly standard: number;
  readonly summer: { readonly offset: number; readonly start: Turn; readonly end: Turn } | null;
}

/** From an instant on (milliseconds since the epoch) an offset holds (seconds). */
export interface OffsetChange {
  readonly at: number;
  readonly offset: number;
}

/** A day of the year, and seconds of local time from its beginning. */
interface Turn {
  readonly day: (year: number) => number;
  readonly seconds: number;
}

const NAME = '(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)';
const OFFSET = '([+-]?\\d{1,3}(?::\\d{2}){0,2})';
const DATE = '(J\\d{1,3}|\\d{1,3}|M\\d{1,2}\\.[1-5]\\.[0-6])';
const TZ = new RegExp(
  `^${NAME}${OFFSET}(?:${NAME}${OFFSET}?,${DATE}(?:/${OFFSET})?,${DATE}(?:/${OFFSET})?)?$`,
);

/** Reads the TZ string at the end of a TZif file (RFC 9636, 3.3); null for one that is not well-formed. */
export function parsePosixTz(text: string): PosixRule | null {
  const found = TZ.exec(text);
  if (found === null) return null;
  const [, west = '', summerWest, start, startAt = '2', end, endAt = '2'] = found;
  const standard = -secondsOf(west);
  if (start === undefined || end === undefined) return { standard, summer: null };
  const offset = summerWest === undefined ? standard + 3600 : -secondsOf(summerWest);
  return {
    standard,
    summer: {
      offset,
      start: { day: dayOf(start), seconds: secondsOf(startAt) },
      end: { day: dayOf(end), seconds: secondsOf(endAt) },
    },
  };
}

/** The changes of offset in a year, in order. */
export function changesOf({ standard, summer }: PosixRule, year: number): OffsetChange[] {
  if (summer === null) return [];
  const at = ({ day, seconds }: Turn, before: number): number =>
    day(year) * DAY_MS + (seconds - before) * 1000;
  return [
    { at: at(summer.start, standard), offset: summer.offset },
    { at: at(summer.end, summer.offset), offset: standard },
  ].sort((a, b) => a.at - b.at);
}

function secondsOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[+-]/, '').split(':').map(Number);
  return (text.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
}

/** The day that a date of the rule means in a year, counted from the epoch. */
function dayOf(text: string): (year: number) => number {
  if (text.startsWith('M')) {
    const [month = 1, week = 1, weekday = 0] = text.slice(1).split('.').map(Number);
    return (year) => nthWeekday(year, month, week, weekday);
  }
  const number = Number(text.replace('J', ''));
  if (!text.startsWith('J')) return (year) => daysFromMonth(year, 1) + number;
  // Counted without 29 February.
  return (year) =>
    daysFromMonth(year, 1) + number - 1 + (number > 59 && daysInMonth(year, 2) === 29 ? 1 : 0);
}

function nthWeekday(year: number, month: number, week: number, weekday: number): number {
  const first = daysFromMonth(year, month);
  const day = (weekday - weekdayOf(first) + 7) % 7;
  const nth = day + (week - 1) * 7;
  return first + (nth < daysInMonth(year, month) ? nth : nth - 7);
}

import { authorText, type Change, type Run } from '@svc/records';

const DAY_MS = 86_400_000;

/** Formats instants in one time zone, relative to now and to the requested instant. */
export interface Formatter {
  /** For example `03:00 on Sunday`. */
  headline(at: number): string;
  /** For example `Saturday 18:02`, or `09:10` on the day of the requested instant. */
  moment(at: number): string;
  /** The same with prepositions: `on Saturday at 18:02`, or `at 09:10`. */
  when(at: number): string;
  /** For example `03:00`, or `03:00 on Tuesday` if that is not today. */
  dated(at: number): string;
}

/** @param zone IANA name; null for that of the host */
export function createFormatter(zone: string | null, asked: number, now: number): Formatter {
  const formatter = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, ...(zone !== null && { timeZone: zone }) });
  const minutes = formatter({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const seconds = formatter({
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const weekday = formatter({ weekday: 'long' });
  const date = formatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const time = (at: number): string => (at % 60_000 < 1000 ? minutes : seconds).format(at);
  const day = (at: number): string =>
    (Math.abs(now - at) < 6 * DAY_MS ? weekday : date).format(at).replace(',', '');
  const isSameDay = (at: number, as: number): boolean => date.format(at) === date.format(as);
  const headline = (at: number): string => `${time(at)} on ${day(at)}`;
  return {
    headline,
    moment: (at) => (isSameDay(at, asked) ? time(at) : `${day(at)} ${time(at)}`),
    when: (at) => (isSameDay(at, asked) ? `at ${time(at)}` : `on ${day(at)} at ${time(at)}`),
    dated: (at) => (isSameDay(at, now) ? time(at) : headline(at)),
  };
}

const UNITS = [
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A duration in its two largest units: `2 ms`, `40 s`, `3 min 20 s`. */
export function lengthOf(ms: number): string {
  const first = UNITS.findIndex(([, size]) => ms >= size);
  if (first === -1) return `${Math.max(0, Math.round(ms))} ms`;
  let rest = ms;
  return UNITS.slice(first, first + 2)
    .flatMap(([unit, size]) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return count === 0 ? [] : `${count} ${unit}`;
    })
    .join(' ');
}

/** The author of a change, for the end of a sentence. */
export function authorOf(change: Change, format: Formatter): string {
  const saved = savedOf(change, format);
  return `${sourceOf(change)}${saved === null ? '' : ` (${saved})`}`;
}

/** The same for a text that is already in parentheses. */
export function authorWithin(change: Change, format: Formatter): string {
  const saved = savedOf(change, format);
  return `${sourceOf(change)}${saved === null ? '' : `, ${saved}`}`;
}

function sourceOf({ by, via }: Change): string {
  if (by !== null) return ` by ${authorText(by)}`;
  return via === 'service' ? ' by svc' : ' in project.yaml';
}

// When a change made outside svc was saved.
function savedOf({ by, via, writtenAt }: Change, format: Formatter): string | null {
  if (by !== null || via === 'service' || writtenAt === null) return null;
  return `file saved ${format.moment(Date.parse(writtenAt))}`;
}

/** The name of the author of a change. */
export function nameOf({ by, via }: Change): string {
  return by ?? via;
}

/** A sentence without its full stop, for continuation. */
export function withoutFullStop(text: string): string {
  return text.replace(/[.\s]+$/, '');
}

/** The course of a run, as the second half of a sentence. */
export function courseOf(run: Run, format: Formatter): string {
  const { startedAt, endedAt, outcome, reason } = run;
  const why = reason === null ? '' : `: ${withoutFullStop(reason)}`;
  if (outcome === null) {
    return startedAt === null
      ? `waiting to start${why}`
      : `running since ${format.moment(Date.parse(startedAt))}`;
  }
  const ms = startedAt === null ? null : Date.parse(endedAt ?? startedAt) - Date.parse(startedAt);
  const ended = outcome.replaceAll('_', ' ');
  return `${ended}${ms === null ? '' : ` after ${lengthOf(ms)}`}${why}`;
}

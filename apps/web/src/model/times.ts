const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// The page is in English with a 24-hour clock, as in en-GB.
const LOCALE = 'en-GB';

// Creating a format costs a hundred times as much as using it, and a long list formats hundreds of texts a second.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(at: Date | number, options: Intl.DateTimeFormatOptions, locale = LOCALE) {
  const key = `${locale} ${Object.entries(options).join(' ')}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, known);
  return known.format(at);
}

const zones = new Map<string, boolean>();

// The zone data of a browser may be older than those of the service, which decides when triggers fire.
function hasZone(zone: string): boolean {
  const known = zones.get(zone) ?? isAccepted(zone);
  zones.set(zone, known);
  return known;
}

function isAccepted(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat(LOCALE, { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** A duration in its two largest units: "17 h 12 min", "2 d 12 h", "12 s". */
export function spanText(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE) return `${Math.floor(span / SECOND)} s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)} min`;
  if (span < DAY) return twoUnits(span, [HOUR, 'h'], [MINUTE, 'min']);
  return twoUnits(span, [DAY, 'd'], [HOUR, 'h']);
}

type Unit = readonly [ms: number, name: string];

function twoUnits(span: number, [large, name]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((span % large) / small);
  const whole = `${Math.floor(span / large)} ${name}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

/** The age of an instant in its largest unit: "6 h ago"; "26 min from now" when the clock of the service is ahead. */
export function agoText(at: string, now: number): string {
  const ahead = Date.parse(at) - now;
  if (ahead >= MINUTE) return `${spanText(ahead)} from now`;
  const [whole, unit] = spanText(now - Date.parse(at)).split(' ');
  return `${whole} ${unit} ago`;
}

/** An elapsed time, to the second within an hour: "2 min 14 s", "1 h 5 min". */
export function clockText(since: string, now: number): string {
  const span = Math.max(0, now - Date.parse(since));
  return span < MINUTE || span >= HOUR
    ? spanText(span)
    : twoUnits(span, [MINUTE, 'min'], [SECOND, 's']);
}

/** The start delay of a trigger: "delayed by 2 min 14 s"; null when there is none. */
export function laterText(delayMs: number): string | null {
  if (delayMs <= 0) return null;
  if (delayMs < SECOND) return 'delayed by less than a second';
  const span =
    delayMs < MINUTE || delayMs >= HOUR
      ? spanText(delayMs)
      : twoUnits(delayMs, [MINUTE, 'min'], [SECOND, 's']);
  return `delayed by ${span}`;
}

/** The time until an instant: "in 17 h 12 min"; "now" when it has come. */
export function untilText(at: string, now: number): string {
  const span = Date.parse(at) - now;
  return span < SECOND ? 'now' : `in ${spanText(span)}`;
}

// Within this range, day and month identify the year.
const FAR_DAYS = 300;

/**
 * An instant relative to the present: "16:37:28", "17:00", "tomorrow 03:00", "Mon 04:30", "23 Nov, 03:00", "29 Feb 2028,
 * 03:00"; "tomorrow 03:00 UTC" for a zone that this browser does not know.
 */
export function whenText(at: string, now: number, timeZone?: string): string {
  if (timeZone !== undefined && !hasZone(timeZone)) return `${whenText(at, now, 'UTC')} UTC`;
  const date = new Date(at);
  const zone = timeZone === undefined ? {} : { timeZone };
  const isOdd = date.getTime() % MINUTE !== 0 && Math.abs(date.getTime() - now) < HOUR;
  const time = formatted(date, { ...zone, timeStyle: isOdd ? 'medium' : 'short' });
  const days = dayOf(date, zone) - dayOf(now, zone);
  if (days === 0) return time;
  if (days === 1) return `tomorrow ${time}`;
  if (days === -1) return `yesterday ${time}`;
  if (days > 1 && days < 7) {
    return `${formatted(date, { ...zone, weekday: 'short' })} ${time}`;
  }
  const year = Math.abs(days) > FAR_DAYS ? ({ year: 'numeric' } as const) : {};
  return `${formatted(date, { ...zone, day: 'numeric', month: 'short', ...year })}, ${time}`;
}

/** A past scheduled time: "03:00", "yesterday 03:00", "Sat 03:00", "13 Nov, 03:00". */
export function dueText(at: string, now: number): string {
  const days = dayOf(new Date(now), {}) - dayOf(new Date(at), {});
  return days > 1 && days < 7 ? shortText(at) : whenText(at, now);
}

// Days since 1970 in the calendar of a zone.
function dayOf(at: Date | number, zone: { readonly timeZone?: string }): number {
  const text = formatted(at, { ...zone, dateStyle: 'short' }, 'sv-SE');
  return Math.round(Date.parse(`${text}T00:00:00Z`) / DAY);
}

/** An instant in full, with its zone, for titles: "Sunday, 22 November 2026 at 03:00:00 CET". */
export function fullText(at: string): string {
  return formatted(new Date(at), { dateStyle: 'full', timeStyle: 'long' });
}

/** Replaces the UTC ISO instants in a sentence with local times. */
export function localizeTimes(sentence: string, now: number): string {
  const instant = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
  return sentence.replace(instant, (at) => whenText(at, now));
}

/** The weekday and time of a past instant: "Sat 03:00". */
export function shortText(at: string): string {
  const date = new Date(at);
  return `${formatted(date, { weekday: 'short' })} ${formatted(date, { timeStyle: 'short' })}`;
}

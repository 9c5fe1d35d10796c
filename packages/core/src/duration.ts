import ms, { type StringValue } from 'ms';
import { type Checked, invalid } from './result.ts';
import { kindOf, quoted } from './shown.ts';

/** The longest duration, 366 days, in milliseconds. */
export const MAX_DURATION_MS: number = 366 * 86_400_000;

const SECOND_MS = 1000;
const MAX_LENGTH = 64;
const UNITS: ReadonlyMap<string, string> = new Map([
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((word) => [word, 's'] as const),
  ...['m', 'min', 'mins', 'minute', 'minutes'].map((word) => [word, 'm'] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours'].map((word) => [word, 'h'] as const),
  ...['d', 'day', 'days'].map((word) => [word, 'd'] as const),
  ...['w', 'week', 'weeks'].map((word) => [word, 'w'] as const),
]);
const GENERAL = 'use one number and one unit of s, m, h, d or w, such as "30m"';

/**
 * Reads a duration: one number, with or without a decimal part, and one unit (`s`, `m`, `h`, `d`, `w` or their long
 * forms in lower case), such as `30s`, `15m`, `1.5h` or `1 day`; rounded to whole seconds, more than 0, up to 366 days.
 *
 * The value is in milliseconds. Never throws.
 *
 * @param path The field at fault, for its issues.
 */
export function parseDuration(text: unknown, path = 'duration'): Checked<number> {
  const said = (message: string): Checked<never> => invalid({ path, message });
  if (typeof text === 'number') return said(bareNumberHint(String(text)));
  if (typeof text !== 'string') return said(`is ${kindOf(text)}; ${GENERAL}`);
  if (text.length > MAX_LENGTH) return said(`has ${text.length} characters; ${GENERAL}`);
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, '');
  const parts = /^([0-9]+(?:\.[0-9]+)?)[ \t]*([a-z]+)$/.exec(trimmed);
  const unit = UNITS.get(parts?.[2] ?? '');
  if (parts === null || unit === undefined) return said(shapeHint(trimmed));
  const value = Math.round(ms(`${parts[1]}${unit}` as StringValue) / SECOND_MS) * SECOND_MS;
  if (value <= 0) {
    return said(`${quoted(trimmed)} is zero when rounded to whole seconds; use "1s" or more`);
  }
  if (value > MAX_DURATION_MS) {
    return said(`${quoted(trimmed)} is longer than 366 days; use "366d" or less`);
  }
  return { ok: true, value };
}

function bareNumberHint(number: string): string {
  const example = /^[0-9]{1,6}$/.test(number) && Number(number) > 0 ? number : '30';
  return `${quoted(number)} has no unit; use "${example}m" for minutes, or another of s, m, h, d, w`;
}

function shapeHint(text: string): string {
  const said = quoted(text);
  if (text === '') return `is empty; ${GENERAL}`;
  if (/^[0-9]+(\.[0-9]+)?$/.test(text)) return bareNumberHint(text);
  if (/^[+-]/.test(text)) return `${said} has a sign; use the number without it, such as "5m"`;
  if (/^\.[0-9]/.test(text)) return `${said} starts with a decimal point; use "0${text}"`;
  const compound = compoundMinutes(text);
  if (compound !== null) {
    return `${said} has more than one part; use one number and one unit, such as "${compound}"`;
  }
  if (/^p/i.test(text))
    return `${said} is an ISO 8601 duration, which is not supported; ${GENERAL}`;
  const unit = /^[0-9.]+[ \t]*([A-Za-z]+)$/.exec(text)?.[1];
  return unit === undefined ? `${said} is not a duration; ${GENERAL}` : unitHint(said, unit);
}

function unitHint(said: string, unit: string): string {
  const known = UNITS.has(unit.toLowerCase());
  if (known) return `${said} has an upper-case unit; use "${unit.toLowerCase()}"`;
  if (/^(y|yr|yrs|years?)$/i.test(unit)) {
    return `${said} is in years, which vary in length; use days, up to "366d"`;
  }
  if (/^(mo|mon|months?)$/i.test(unit)) {
    return `${said} is in months, which vary in length; use days, such as "30d"`;
  }
  if (/^(ms|msecs?|milliseconds?)$/i.test(unit)) {
    return `${said} is in milliseconds; use whole seconds, such as "1s"`;
  }
  return `${said} has an unknown unit ${quoted(unit)}; ${GENERAL}`;
}

/** The sum of several parts in one unit, or null if the text is something else. */
function compoundMinutes(text: string): string | null {
  const parts = text.toLowerCase().match(/[0-9]+(?:\.[0-9]+)?[ \t]*[a-z]+/g) ?? [];
  const rest = text.toLowerCase().replace(/[0-9]+(?:\.[0-9]+)?[ \t]*[a-z]+|[ \t,]|\band\b/g, '');
  if (parts.length < 2 || rest !== '') return null;
  let total = 0;
  for (const part of parts) {
    const parsed = parseDuration(part);
    if (!parsed.ok) return null;
    total += parsed.value;
  }
  const unit = total % 3_600_000 === 0 ? 'h' : total % 60_000 === 0 ? 'm' : 's';
  return `${total / { h: 3_600_000, m: 60_000, s: 1000 }[unit]}${unit}`;
}

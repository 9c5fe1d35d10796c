import { quoted } from '@svc/core';
import {
  type CronField,
  DAY_OF_MONTH,
  DAY_OF_WEEK,
  HOUR,
  legalValues,
  MINUTE,
  MONTH,
} from './cron-fields.ts';

const MACRO_HINTS: ReadonlyMap<string, string> = new Map([
  ['@yearly', 'use "0 0 1 1 *"'],
  ['@annually', 'use "0 0 1 1 *"'],
  ['@monthly', 'use "0 0 1 * *"'],
  ['@weekly', 'use "0 0 * * 0"'],
  ['@midnight', 'use "@daily" or "0 0 * * *"'],
  ['@reboot', 'use a schedule such as "0 9 * * *"; triggers cannot fire on startup'],
  ['@every', 'use an interval, such as interval: 5m, instead of a cron expression'],
  ['@daily', 'use "@daily" in lower case, with nothing after it'],
  ['@hourly', 'use "@hourly" in lower case, with nothing after it'],
]);

export function macroHint(text: string): string {
  const name = /^@[A-Za-z]*/.exec(text)?.[0] ?? '@';
  const hint =
    MACRO_HINTS.get(name.toLowerCase()) ??
    'use five fields; of the @ forms only "@daily" and "@hourly" are known';
  return `${quoted(text)} is not supported: ${hint}`;
}

export function fieldCountHint(count: number): string {
  const expected =
    'expected 5 fields (minute hour day-of-month month day-of-week), such as "0 9 * * 1-5"';
  if (count === 6) {
    return `has 6 fields, ${expected}: seconds are not supported, leave the first field out`;
  }
  if (count === 7) {
    return `has 7 fields, ${expected}: seconds and years are not supported, leave the first and the last field out`;
  }
  return `has ${count} ${count === 1 ? 'field' : 'fields'}, ${expected}: use "*" for each field that may have any value`;
}

/** What is wrong with an element that is neither `*`, a value nor a range, and what to write instead. */
export function malformedHint(field: CronField, element: string): string {
  const said = `${field.name}: ${quoted(element)}`;
  if (element === '') {
    return `${field.name}: has an empty list element; use values separated by single commas, such as "${field.min},${field.max}"`;
  }
  const special = specialHint(field, element);
  if (special !== null) return `${said} ${special}`;
  if (/^\*./.test(element)) {
    return `${said} is not understood; use "*" alone or before a step, such as "*" or "*/2"`;
  }
  if (/[^-/*A-Za-z0-9]/.test(element)) {
    return `${said} has a character that cron does not know; use numbers${field.names.length > 0 ? ', three-letter names' : ''}, "*", "-", "/" and ","`;
  }
  return `${said} is not understood; use "*", a value, a range such as "${field.min}-${field.max}", or either with a step such as "*/2"`;
}

function specialHint(field: CronField, element: string): string | null {
  const inner = String(field.min + 1);
  if (element.includes('?')) return 'uses "?", which is not supported; use "*"';
  if (element.includes('#')) {
    return field === DAY_OF_WEEK
      ? 'uses "#" (nth weekday), which is not supported; use the weekday alone, such as "MON"'
      : 'uses "#", which is not supported; comments cannot follow an expression';
  }
  if (element.includes('~')) {
    return `uses "~" (a random value), which is not supported; use one value, such as "${inner}"`;
  }
  if (/^H(?![A-Za-z])/i.test(element)) {
    return `uses "H" (a hashed value), which is not supported; use one value, such as "${inner}"`;
  }
  if (element.includes('+')) return 'has a "+"; use the number without a sign';
  if (element.includes('%')) return 'has a "%", which is not supported; use only the five fields';
  return null;
}

/** What is wrong with a text that should be one value of the field, and what to write instead. */
export function valueHint(field: CronField, text: string): string {
  const said = `${field.name}: ${quoted(text)}`;
  const legal = `must be ${legalValues(field)}`;
  if (/^[0-9]+$/.test(text)) return `${said} is out of range: ${legal}`;
  if (/^(L|[0-9]*LW?|L-?[0-9]+)$/i.test(text)) {
    return `${said} uses "L" (last), which is not supported; ${lastHint(field)}`;
  }
  if (/^([0-9]*W)$/i.test(text)) {
    return `${said} uses "W" (nearest weekday), which is not supported; use "1-5" in day-of-week`;
  }
  if (/^[A-Za-z]+$/.test(text)) return `${said} ${nameHint(field, text)}`;
  return `${said} joins digits and letters; use a number or a name: ${legal}`;
}

function lastHint(field: CronField): string {
  if (field === DAY_OF_WEEK) return 'use the weekday alone, such as "5" or "FRI"';
  return field === DAY_OF_MONTH ? 'use day numbers, such as "28"' : `must be ${legalValues(field)}`;
}

function nameHint(field: CronField, text: string): string {
  const upper = text.toUpperCase();
  const legal = `must be ${legalValues(field)}`;
  const full = fullNameIn(field, upper);
  if (full !== undefined) {
    return `is not a three-letter name; use "${full.slice(0, 3)}"`;
  }
  const home = [MONTH, DAY_OF_WEEK].find(
    (other) =>
      other !== field &&
      other.names.some((name) => name.startsWith(upper.slice(0, 3)) && upper.length >= 3),
  );
  if (home !== undefined) return `is a name for the field ${home.name}, not for this one: ${legal}`;
  return `is not a known name: ${legal}`;
}

function fullNameIn(field: CronField, upper: string): string | undefined {
  if (upper.length < 3) return undefined;
  return field.names.find((name) => name.startsWith(upper.slice(0, 3)));
}

/** How a range that runs backwards is written forwards: as two ranges, one for each side of the wrap. */
export function backwardsHint(
  field: CronField,
  text: string,
  range: { readonly from: number; readonly to: number },
): string {
  const last = field === DAY_OF_WEEK ? 6 : field.max;
  const span = (from: number, to: number): string => (from === to ? `${from}` : `${from}-${to}`);
  const forwards =
    field === DAY_OF_WEEK && range.to === 0
      ? span(range.from, 7)
      : `${span(range.from, Math.max(range.from, last))},${span(field.min, range.to)}`;
  return `${field.name}: ${quoted(text)} runs backwards; use "${forwards}"`;
}

export function stepHint(field: CronField, step: string): string {
  return `${field.name}: step ${quoted(step)} is invalid; use a whole number of 1 or more, such as "*/${field === HOUR || field === MINUTE ? 5 : 2}"`;
}

// @ts-check
// Computes the slots of a schedule independently and simply: it shares no code with the service.

/**
 * @typedef {{ interval: string } | { cron: string, zone?: string }} When
 */

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 };
const MINUTE_MS = 60_000;
// Zones without summer time.
const ZONES = { UTC: 0, 'Asia/Kathmandu': 345, 'Asia/Kolkata': 330, 'America/Phoenix': -420 };

/** @param {string} text such as `5s` @returns {number} milliseconds */
export function periodOf(text) {
  const [, count, unit] = /^(\d+)(s|m|h)$/.exec(text) ?? [];
  return Number(count) * UNITS[/** @type {keyof typeof UNITS} */ (unit)];
}

/** Slots later than `after` and up to `until`. @param {When} when @param {{ anchor: number, after: number, until: number }} range @returns {number[]} */
export function slotsOf(when, { anchor, after, until }) {
  const slots = [];
  if ('interval' in when) {
    const period = periodOf(when.interval);
    const first = Math.floor((after - anchor) / period) + 1;
    for (let at = anchor + first * period; at <= until; at += period) slots.push(at);
    return slots;
  }
  const matches = minuteMatcher(when.cron, when.zone ?? 'UTC');
  for (let at = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS; at <= until; at += MINUTE_MS) {
    if (matches(at)) slots.push(at);
  }
  return slots;
}

/** The first slot later than `after`. @param {When} when @param {{ anchor: number, after: number }} from */
export function slotAfter(when, { anchor, after }) {
  const span = 'interval' in when ? periodOf(when.interval) : 7 * 24 * UNITS.h;
  const [slot] = slotsOf(when, {
    anchor,
    after: Math.max(after, anchor),
    until: Math.max(after, anchor) + span,
  });
  return slot ?? null;
}

/** @param {string} cron minute and hour in digits, `*`, lists, ranges and steps; any day @param {string} zone */
function minuteMatcher(cron, zone) {
  const [minute = '', hour = '', ...days] = cron.split(' ');
  if (days.join(' ') !== '* * *') throw new TypeError(`Unsupported cron: ${cron}.`);
  const minutes = setOf(minute, 59);
  const hours = setOf(hour, 23);
  const shift = ZONES[/** @type {keyof typeof ZONES} */ (zone)] * MINUTE_MS;
  return (/** @type {number} */ at) => {
    const local = new Date(at + shift);
    return minutes.has(local.getUTCMinutes()) && hours.has(local.getUTCHours());
  };
}

/** @param {string} field @param {number} most */
function setOf(field, most) {
  const values = new Set();
  for (const part of field.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [from, to] = range === '*' ? [0, most] : range.split('-').map(Number);
    for (let n = from ?? 0; n <= (to ?? from ?? 0); n += Number(step)) values.add(n);
  }
  return values;
}

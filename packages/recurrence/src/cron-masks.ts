import { CronExpressionParser } from 'cron-parser';
import { CRON_FIELDS, type CronField, DAY_OF_WEEK } from './cron-fields.ts';
import type { CronElement } from './cron-grammar.ts';
import { createMemo } from './memo.ts';

/** The values of one element; a set of at most 60 small numbers, kept as a list. */
type Values = readonly number[];

const memo = createMemo<Values>(2048);

/**
 * The values of one element, read by cron-parser.
 *
 * It is asked for one element at a time, in canonical form and with `*` in the other fields, because it refuses lists
 * whose elements overlap and fills in missing fields from the left.
 */
function valuesOf(field: CronField, element: CronElement): Values {
  const { from, to, step } = element;
  const text = from === to ? `${from}` : `${from}-${to}/${step}`;
  const key = `${field.name} ${text}`;
  const known = memo.read(key);
  if (known !== undefined) return known;
  const expression = CRON_FIELDS.map((other) => (other === field ? text : '*')).join(' ');
  const { fields } = CronExpressionParser.parse(expression, { currentDate: 0, tz: 'UTC' });
  const values = {
    minute: fields.minute,
    hour: fields.hour,
    'day-of-month': fields.dayOfMonth,
    month: fields.month,
    'day-of-week': fields.dayOfWeek,
  }[field.name].values;
  return memo.keep(key, Object.freeze(values.map(Number)));
}

/** The values of all elements of a field, in order, without repeats; Sunday is 0. */
export function fieldValues(field: CronField, elements: readonly CronElement[]): number[] {
  const all = new Set<number>();
  for (const element of elements) {
    for (const value of valuesOf(field, element)) {
      all.add(field === DAY_OF_WEEK ? value % 7 : value);
    }
  }
  return [...all].sort((a, b) => a - b);
}

/** A bit for each value: bit 0 stands for `zero`. Values outside the 31 bits that a mask holds are left out. */
export function maskOf(values: readonly number[], zero: number): number {
  let mask = 0;
  for (const value of values) {
    const bit = value - zero;
    if (bit >= 0 && bit < 31) mask |= 1 << bit;
  }
  return mask;
}

/** The values that a mask holds, in order. */
export function valuesIn(mask: number, zero: number): number[] {
  const values: number[] = [];
  for (let bit = 0; bit < 31; bit += 1) {
    if ((mask & (1 << bit)) !== 0) values.push(bit + zero);
  }
  return values;
}

/** The lowest set bit at or above `from`, or -1. */
export function nextBit(mask: number, from: number): number {
  const rest = from > 30 ? 0 : (mask >>> from) << from;
  return rest === 0 ? -1 : 31 - Math.clz32(rest & -rest);
}

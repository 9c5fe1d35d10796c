import { expect, test } from '@jest/globals';
import { agoText, laterText, spanText, untilText, whenText } from '../src/model/times.ts';

const NOW = Date.parse('2026-11-22T15:37:00.000Z');
const SECOND = 1000;
const HOUR = 3_600_000;

test.each([
  [12 * SECOND, '12 s'],
  [59 * 60 * SECOND, '59 min'],
  [17.2 * HOUR, '17 h 12 min'],
  [2 * HOUR, '2 h'],
  [60 * HOUR, '2 d 12 h'],
  [-5, '0 s'],
])('a span of %d ms is %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});

test.each([
  [0, null],
  [999, 'delayed by less than a second'],
  [42 * SECOND, 'delayed by 42 s'],
  [102 * SECOND, 'delayed by 1 min 42 s'],
  [2.5 * HOUR, 'delayed by 2 h 30 min'],
])('a start that is delayed by %d ms reads %s', (ms, text) => {
  expect(laterText(ms)).toBe(text);
});

test('past and future times are described by their span', () => {
  const at = (ms: number): string => new Date(NOW + ms).toISOString();
  expect(agoText(at(-6.5 * HOUR), NOW)).toBe('6 h ago');
  expect(agoText(at(SECOND), NOW)).toBe('0 s ago');
  expect(agoText(at(HOUR), NOW)).toBe('1 h from now');
  expect(untilText(at(17.2 * HOUR), NOW)).toBe('in 17 h 12 min');
  expect(untilText(at(400), NOW)).toBe('now');
});

test.each([
  ['2026-11-22T15:37:28.000Z', '16:37:28'],
  ['2026-11-22T16:00:00.000Z', '17:00'],
  ['2027-02-28T02:00:00.000Z', '28 Feb, 03:00'],
  ['2028-02-29T02:00:00.000Z', '29 Feb 2028, 03:00'],
  ['2025-11-22T02:00:00.000Z', '22 Nov 2025, 03:00'],
  ['2026-11-22T22:59:30.000Z', '23:59'],
  ['2026-11-23T02:00:00.000Z', 'tomorrow 03:00'],
  ['2026-11-21T17:02:00.000Z', 'yesterday 18:02'],
  ['2026-11-24T03:30:00.000Z', 'Tue 04:30'],
  ['2026-12-24T03:30:00.000Z', '24 Dec, 04:30'],
])('%s reads in Berlin as %s', (at, text) => {
  expect(whenText(at, NOW, 'Europe/Berlin')).toBe(text);
});

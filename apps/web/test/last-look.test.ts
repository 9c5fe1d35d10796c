import { beforeEach, expect, test } from '@jest/globals';
import { lastLook } from '../src/data/last-look.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_AGO = '2026-03-01T09:00:00.000Z';

beforeEach(() => localStorage.clear());

test('a first visit stays the first, however often it is read', () => {
  expect(lastLook(NOW)).toEqual({ since: DAY_AGO, isKnown: false });
  expect(lastLook(NOW)).toEqual({ since: DAY_AGO, isKnown: false });
  expect(lastLook(NOW + 5 * MINUTE_MS)).toEqual({ since: DAY_AGO, isKnown: false });
});

test('a later visit starts from the end of the previous one', () => {
  lastLook(NOW);
  const known = { since: '2026-03-02T09:00:00.000Z', isKnown: true };
  expect(lastLook(NOW + 30 * MINUTE_MS)).toEqual(known);
  expect(lastLook(NOW + 35 * MINUTE_MS)).toEqual(known);
});

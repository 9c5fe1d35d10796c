import { beforeEach, expect, test } from '@jest/globals';
import { lastLook } from '../src/data/last-look.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_AGO = '2026-03-01T09:00:00.000Z';

beforeEach(() => localStorage.clear());

test('whoever looks for the first time has not looked before, however often they are asked', () => {
  expect(lastLook(NOW)).toEqual({ since: DAY_AGO, isKnown: false });
  expect(lastLook(NOW)).toEqual({ since: DAY_AGO, isKnown: false });
  expect(lastLook(NOW + 5 * MINUTE_MS)).toEqual({ since: DAY_AGO, isKnown: false });
});

test('whoever comes back is told since the end of the last visit', () => {
  lastLook(NOW);
  const known = { since: '2026-03-02T09:00:00.000Z', isKnown: true };
  expect(lastLook(NOW + 30 * MINUTE_MS)).toEqual(known);
  expect(lastLook(NOW + 35 * MINUTE_MS)).toEqual(known);
});

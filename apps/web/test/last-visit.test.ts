import { beforeEach, expect, test } from '@jest/globals';
import { lastVisit } from '../src/data/last-visit.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_AGO = '2026-03-01T09:00:00.000Z';

beforeEach(() => localStorage.clear());

test('a first visit stays the first, however often it is read', () => {
  expect(lastVisit(NOW)).toEqual({ since: DAY_AGO, isKnown: false });
  expect(lastVisit(NOW)).toEqual({ since: DAY_AGO, isKnown: false });
  expect(lastVisit(NOW + 5 * MINUTE_MS)).toEqual({ since: DAY_AGO, isKnown: false });
});

test('a later visit starts from the end of the previous one', () => {
  lastVisit(NOW);
  const known = { since: '2026-03-02T09:00:00.000Z', isKnown: true };
  expect(lastVisit(NOW + 30 * MINUTE_MS)).toEqual(known);
  expect(lastVisit(NOW + 35 * MINUTE_MS)).toEqual(known);
});

import { describe, expect, it } from '@jest/globals';
import { parseInstantText } from '../src/instant-text.ts';

describe('--at', () => {
  const now = new Date(2026, 2, 1, 9, 30).getTime();
  const local = (...parts: [number, number, number, number, number, number?]): number =>
    new Date(...parts).getTime();

  // proves: why.cli
  it.each([
    ['03:00', local(2026, 2, 1, 3, 0)],
    ['23:15', local(2026, 1, 28, 23, 15)],
    ['9:00:05', local(2026, 2, 1, 9, 0, 5)],
    ['today 23:15', local(2026, 2, 1, 23, 15)],
    ['Yesterday 03:00', local(2026, 1, 28, 3, 0)],
    ['2026-02-03 04:05', local(2026, 1, 3, 4, 5)],
    ['2026-02-03T04:05:06.007Z', Date.parse('2026-02-03T04:05:06.007Z')],
    ['2026-02-30 04:05', null],
    ['24:00', null],
    ['noon', null],
    ['', null],
  ])('reads %p', (text, instant) => {
    expect(parseInstantText(text, now)).toBe(instant);
  });
});

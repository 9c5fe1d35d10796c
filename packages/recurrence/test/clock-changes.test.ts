import { describe, expect, it } from '@jest/globals';
import { clockChanges } from '@svc/recurrence';

const HOUR = 3_600_000;
const at = (iso: string): number => Date.parse(iso);

describe('the changes of the clocks of a zone', () => {
  const from = at('2026-01-01T00:00:00Z');
  const until = at('2027-01-01T00:00:00Z');

  it.each([
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 1, 2, '2026-10-25T01:00:00Z', 2, 1],
    ['America/New_York', '2026-03-08T07:00:00Z', -5, -4, '2026-11-01T06:00:00Z', -4, -5],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 11, 10.5, '2026-10-03T15:30:00Z', 10.5, 11],
  ])('are those of %s', (zone, first, a, b, second, c, d) => {
    expect(clockChanges(zone, from, until)).toEqual([
      { at: at(first), before: a * HOUR, after: b * HOUR },
      { at: at(second), before: c * HOUR, after: d * HOUR },
    ]);
  });

  it('are none in UTC, in a zone without them, and for a name that is no zone', () => {
    for (const zone of ['UTC', 'Asia/Tokyo', 'Nowhere/At_All'])
      expect(clockChanges(zone, from, until)).toEqual([]);
  });

  it('count from after the first instant up to the last', () => {
    const change = at('2026-03-29T01:00:00Z');
    expect(clockChanges('Europe/Berlin', change - 1, change)).toHaveLength(1);
    expect(clockChanges('Europe/Berlin', change, change + 1)).toEqual([]);
    expect(clockChanges('Europe/Berlin', change - 2, change - 1)).toEqual([]);
  });

  it('are found over many years, each once', () => {
    const changes = clockChanges('Europe/Berlin', from, at('2046-01-01T00:00:00Z'));
    expect(changes).toHaveLength(40);
    expect(new Set(changes.map((one) => one.at)).size).toBe(40);
  });
});

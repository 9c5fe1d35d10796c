import { describe, expect, it } from '@jest/globals';
import { parsePosixZone, parseTzif, zoneDifference, zoneLike } from '@svc/recurrence';

const YEAR = 366 * 86_400_000;
const at = (iso: string) => Date.parse(iso);
const JANUARY = at('2026-01-01T00:00:00Z');

interface Listed {
  readonly at: string;
  readonly offset: number;
}

function header(counts: readonly number[]): Buffer {
  const head = Buffer.alloc(44);
  head.write('TZif2');
  counts.forEach((count, n) => {
    head.writeUInt32BE(count, 20 + n * 4);
  });
  return head;
}

/** A TZif file with these changes, the offset before them and the rule after them. */
function tzif(first: number, changes: readonly Listed[], rule: string): Uint8Array {
  const offsets = [first, ...changes.map(({ offset }) => offset)];
  const times = Buffer.alloc(changes.length * 8);
  changes.forEach((change, n) => {
    times.writeBigInt64BE(BigInt(at(change.at) / 1000), n * 8);
  });
  const types = Buffer.alloc(offsets.length * 6);
  offsets.forEach((offset, n) => {
    types.writeInt32BE(offset, n * 6);
  });
  // The block of version 1 has one type and nothing else.
  const old = [header([0, 0, 0, 0, 1, 4]), Buffer.alloc(6), Buffer.from('LMT\0')];
  return Buffer.concat([
    ...old,
    header([0, 0, 0, changes.length, offsets.length, 4]),
    times,
    Buffer.from(changes.map((_, n) => n + 1)),
    types,
    Buffer.from('LMT\0'),
    Buffer.from(`\n${rule}\n`),
  ]);
}

describe('a TZif file', () => {
  it.each([
    ['Europe/Berlin', 'CET-1CEST,M3.5.0,M10.5.0/3'],
    ['America/New_York', 'EST5EDT,M3.2.0,M11.1.0'],
    ['America/Nuuk', '<-02>2<-01>,M3.5.0/-1,M10.5.0/0'],
    ['Asia/Jerusalem', 'IST-2IDT,M3.4.4/26,M10.5.0'],
    ['Australia/Lord_Howe', '<+1030>-10:30<+11>-11,M10.1.0,M4.1.0'],
    ['America/Santiago', '<-04>4<-03>,M9.1.6/24,M4.1.6/24'],
    ['Asia/Kathmandu', '<+0545>-5:45'],
    ['UTC', 'UTC0'],
  ])('of %s agrees with Node by the rule at its end, for ten years', (zone, rule) => {
    const data = parseTzif(tzif(0, [], rule));
    if (data === null) throw new Error('It was not read.');
    expect(zoneDifference(zone, data, JANUARY, JANUARY + 10 * YEAR)).toBeNull();
  });

  it('tells offsets from its table, and from the rule after that', () => {
    const changes = [
      { at: '1990-01-01T00:00:00Z', offset: 3600 },
      { at: '2026-06-01T00:00:00Z', offset: -3600 },
    ];
    const data = parseTzif(tzif(60, changes, 'XXX2YYY,J60,J305/12'));
    expect(data?.offsetAt(at('1980-01-01T00:00:00Z'))).toBe(60_000);
    expect(data?.offsetAt(at('2026-05-31T23:59:59Z'))).toBe(3_600_000);
    expect(data?.changeAfter(JANUARY)).toBe(at('2026-06-01T00:00:00Z'));
    expect(data?.offsetAt(at('2026-06-01T00:00:00Z'))).toBe(-3_600_000);
    expect(data?.changeAfter(at('2026-06-01T00:00:00Z'))).toBe(at('2026-11-01T13:00:00Z'));
    expect(data?.changeAfter(at('2026-11-02T00:00:00Z'))).toBe(at('2027-03-01T04:00:00Z'));
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['something else', Buffer.from('#!/bin/sh\n'.repeat(20))],
    ['version 1', header([0, 0, 0, 0, 1, 4])],
    [
      'one cut short',
      tzif(0, [{ at: '2026-01-01T00:00:00Z', offset: 0 }], 'UTC0').subarray(0, 110),
    ],
    ['a rule that is none', tzif(0, [], 'CET-1CEST,whenever')],
  ])('is refused where it is %s', (_, bytes) => {
    expect(parseTzif(bytes)).toBeNull();
  });
});

describe('a POSIX rule', () => {
  it.each([
    ['UTC0', 'UTC'],
    ['UTC+2', 'Etc/GMT+2'],
    ['JST-9', 'Etc/GMT-9'],
    ['CET-1CEST,M3.5.0,M10.5.0/3', 'CET'],
    ['EST5EDT,M3.2.0,M11.1.0', 'EST5EDT'],
    ['<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45', 'Pacific/Chatham'],
    ['XXX3:17', null],
    ['XXX99', null],
    ['CET-1CEST,J60,J300', null],
  ])('%s is that of the zone %s', (rule, zone) => {
    const data = parsePosixZone(rule);
    if (data === null) throw new Error('It was not read.');
    const found = zoneLike(data, JANUARY);
    const canonical = (name: string | null) =>
      name && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    expect(canonical(found)).toBe(canonical(zone));
  });

  it.each(['CET', 'CET-1CEST', '+02:00', 'Europe/Berlin', ''])('is not %j', (text) => {
    expect(parsePosixZone(text)).toBeNull();
  });
});

describe('zone data of two sources', () => {
  const berlin = (rule: string) => {
    const data = parseTzif(tzif(0, [], rule));
    if (data === null) throw new Error('It was not read.');
    return zoneDifference('Europe/Berlin', data, JANUARY, JANUARY + YEAR);
  };

  // proves: firing.clock.zone-data
  it('differ from the first instant at which their offsets do', () => {
    expect(berlin('CET-1CEST,M3.5.0,M9.5.0/3')).toEqual({
      from: at('2026-09-27T01:00:00Z'),
      ours: 7_200_000,
      theirs: 3_600_000,
    });
    expect(berlin('CET-1')).toEqual({
      from: at('2026-03-29T01:00:00Z'),
      ours: 7_200_000,
      theirs: 3_600_000,
    });
    expect(berlin('EET-2EEST,M3.5.0/3,M10.5.0/4')?.from).toBe(JANUARY);
  });

  it('are not compared beyond the end, nor for a zone that Node does not know', () => {
    const data = parseTzif(tzif(0, [], 'CET-1'));
    if (data === null) throw new Error('It was not read.');
    expect(zoneDifference('Europe/Berlin', data, JANUARY, at('2026-03-29T00:59:59Z'))).toBeNull();
    expect(zoneDifference('Europe/Nowhere', data, JANUARY, JANUARY + YEAR)).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import { createLogTail } from '../src/log-tail.ts';

const lineOf = (n: number, more = '') => JSON.stringify({ n, more });

describe('the newest lines of the log', () => {
  it('are read from the end, and then from a number on', () => {
    const tail = createLogTail();
    for (let n = 1; n <= 5; n += 1) tail.add(lineOf(n));
    const newest = tail.read(null, 2);
    expect(newest).toMatchObject({ lines: [{ n: 4 }, { n: 5 }], last: 5, dropped: 0 });
    expect(tail.read(5, 2)).toEqual({ lines: [], last: 5, dropped: 0 });
    tail.add(lineOf(6));
    expect(tail.read(5, 2)).toMatchObject({ lines: [{ n: 6 }], last: 6 });
    expect(tail.read(1, 2)).toMatchObject({ lines: [{ n: 2 }, { n: 3 }], last: 3 });
    // A number from before a restart.
    expect(tail.read(100, 2)).toMatchObject({ lines: [{ n: 5 }, { n: 6 }], last: 6, dropped: 0 });
  });

  it('replace older ones, and report how many', () => {
    const tail = createLogTail();
    for (let n = 1; n <= 2_500; n += 1) tail.add(lineOf(n));
    const { lines, last, dropped } = tail.read(10, 1_000);
    expect(lines[0]).toMatchObject({ n: dropped + 11 });
    expect(last).toBe(10 + dropped + lines.length);
    expect(last).toBe(2_500);
    expect(lines.length).toBeGreaterThanOrEqual(500);
    expect(lines.length).toBeLessThanOrEqual(1_000);
  });

  it('take at most a million characters', () => {
    const tail = createLogTail();
    for (let n = 1; n <= 50; n += 1) tail.add(lineOf(n, 'x'.repeat(100_000)));
    const { lines, last } = tail.read(0, 1_000);
    expect(last).toBe(50);
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.length).toBeLessThan(11);
  });
});

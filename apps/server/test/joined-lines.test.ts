import { describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { createJoinedLines } from '../src/joined-lines.ts';

function collected() {
  const clock = createFakeClock('2026-03-01T00:00:00.000Z');
  const written: string[] = [];
  return { clock, written, lines: createJoinedLines(clock, (text) => written.push(text)) };
}

describe('lines for an output', () => {
  it('are written at once while they are few', async () => {
    const { clock, written, lines } = collected();
    for (const name of ['a', 'b', 'c', 'd', 'e']) lines.write(`${name}\n`);
    expect(written).toEqual(['a\n', 'b\n', 'c\n', 'd\n', 'e\n']);
    await clock.advance(100);
    lines.write('f\n');
    expect(written).toHaveLength(6);
    expect(clock.pending).toBe(0);
  });

  it('are written together where they are many, in order, within a tenth of a second', async () => {
    const { clock, written, lines } = collected();
    const all = Array.from({ length: 12 }, (_, n) => `${n}\n`);
    for (const line of all) {
      lines.write(line);
      await clock.advance(10);
    }
    expect(written.join('')).toBe(all.slice(0, written.join('').split('\n').length - 1).join(''));
    expect(written).toHaveLength(8);
    await clock.advance(100);
    expect(written.join('')).toBe(all.join(''));
    expect(clock.pending).toBe(0);
  });

  it('do not overtake those that wait', async () => {
    const { clock, written, lines } = collected();
    for (let n = 0; n < 7; n += 1) lines.write(`${n}\n`);
    await clock.advance(99);
    lines.write('7\n');
    await clock.advance(1);
    lines.write('8\n');
    await clock.advance(100);
    expect(written.join('')).toBe('0\n1\n2\n3\n4\n5\n6\n7\n8\n');
  });

  it('are handed over when the process ends', () => {
    const { written, lines } = collected();
    for (let n = 0; n < 6; n += 1) lines.write(`${n}\n`);
    expect(written).toHaveLength(5);
    lines.flush();
    lines.flush();
    expect(written).toHaveLength(6);
  });
});

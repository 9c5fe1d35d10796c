import { describe, expect, it } from '@jest/globals';
import { plainText } from '@svc/agent-runtime';
import fc from 'fast-check';
import { createLineReader } from '../src/acp/lines.ts';
import { createAnswerPieces } from '../src/answer-pieces.ts';

/** Bytes, cut anywhere. */
const cut = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.array(fc.nat(200), { maxLength: 20 })).map(([whole, sizes]) => {
    const bytes = Buffer.from(whole);
    const chunks: Buffer[] = [];
    let at = 0;
    for (const size of sizes) {
      chunks.push(bytes.subarray(at, at + size));
      at += size;
    }
    return { whole, chunks: [...chunks, bytes.subarray(at)] };
  });

const words = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', ' ', '\n'), maxLength: 400 });

describe('the pieces of an answer', () => {
  it('joined are the answer, however its bytes come', () => {
    fc.assert(
      fc.property(cut(words), fc.nat(30), ({ whole, chunks }, flushed) => {
        const pieces = createAnswerPieces(1_000_000);
        const told = chunks.flatMap((chunk, i) => [
          ...pieces.add(chunk),
          ...(i === flushed ? pieces.flush() : []),
        ]);
        const joined = [...told, ...pieces.end()].join('');
        expect(joined).toBe(whole.trim());
        expect(pieces.said()).toBe(whole.trim() !== '');
      }),
    );
  });

  it('are at most as long as they may be, and cut between characters', () => {
    fc.assert(
      fc.property(cut(words), fc.integer({ min: 1, max: 300 }), ({ whole, chunks }, most) => {
        const pieces = createAnswerPieces(most);
        const joined = [...chunks.flatMap((chunk) => pieces.add(chunk)), ...pieces.end()].join('');
        const [shown = '', mark] = joined.split('\n[Cut: the first ');
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(most);
        expect(whole.trim().startsWith(shown)).toBe(true);
        expect(mark === undefined).toBe(Buffer.byteLength(whole.trim()) <= most);
      }),
    );
  });

  it('are the same however often plain text is made plain', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const plain = plainText(text);
        expect(plainText(plain)).toBe(plain);
        expect(plain).not.toMatch(/[^\P{Cc}\n\t]|\p{Surrogate}/u);
      }),
    );
  });
});

describe('lines', () => {
  it('are the same, however their bytes come', () => {
    fc.assert(
      fc.property(cut(words), ({ whole, chunks }) => {
        const lines: string[] = [];
        const reader = createLineReader(1_000_000, (line) => lines.push(line));
        for (const chunk of chunks) expect(reader.add(chunk)).toBe(true);
        const expected = whole.split('\n').slice(0, -1);
        expect(lines).toEqual(expected.map((line) => line.trim()).filter((line) => line !== ''));
      }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { plainText } from '@svc/agent-runtime';
import fc from 'fast-check';
import { createLineReader } from '../src/acp/line-reader.ts';
import { createAnswerSplitter } from '../src/answer-splitter.ts';

/** The bytes of a text, split at arbitrary positions. */
const chunked = (text: fc.Arbitrary<string>) =>
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

describe('the answer splitter', () => {
  it('returns messages that join to the answer, wherever the bytes are split', () => {
    fc.assert(
      fc.property(chunked(words), fc.nat(30), ({ whole, chunks }, flushed) => {
        const splitter = createAnswerSplitter(1_000_000);
        const messages = chunks.flatMap((chunk, i) => [
          ...splitter.add(chunk),
          ...(i === flushed ? splitter.flush() : []),
        ]);
        const joined = [...messages, ...splitter.end()].join('');
        expect(joined).toBe(whole.trim());
        expect(splitter.hasText()).toBe(whole.trim() !== '');
      }),
    );
  });

  it('limits the length of the answer and cuts between characters', () => {
    fc.assert(
      fc.property(chunked(words), fc.integer({ min: 1, max: 300 }), ({ whole, chunks }, most) => {
        const splitter = createAnswerSplitter(most);
        const joined = [...chunks.flatMap((chunk) => splitter.add(chunk)), ...splitter.end()].join(
          '',
        );
        const [shown = '', mark] = joined.split('\n[Cut: the first ');
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(most);
        expect(whole.trim().startsWith(shown)).toBe(true);
        expect(mark === undefined).toBe(Buffer.byteLength(whole.trim()) <= most);
      }),
    );
  });

  it('uses an idempotent conversion to plain text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const plain = plainText(text);
        expect(plainText(plain)).toBe(plain);
        expect(plain).not.toMatch(/[^\P{Cc}\n\t]|\p{Surrogate}/u);
      }),
    );
  });
});

describe('the line reader', () => {
  it('returns the same lines, wherever the bytes are split', () => {
    fc.assert(
      fc.property(chunked(words), ({ whole, chunks }) => {
        const lines: string[] = [];
        const reader = createLineReader(1_000_000, (line) => lines.push(line));
        for (const chunk of chunks) expect(reader.add(chunk)).toBe(true);
        const expected = whole.split('\n').slice(0, -1);
        expect(lines).toEqual(expected.map((line) => line.trim()).filter((line) => line !== ''));
      }),
    );
  });
});

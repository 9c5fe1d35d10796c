import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { indentedBytes, jsonExcess } from '../src/json-shape.ts';

const json = fc.jsonValue({ stringUnit: 'binary' });

describe('the shape of JSON text', () => {
  it('computes the exact length of the indented text', () => {
    fc.assert(
      fc.property(json, (value) => {
        const indented = JSON.stringify(value, null, 1);
        expect(indentedBytes(JSON.stringify(value))).toBe(Buffer.byteLength(indented));
      }),
      { numRuns: 500 },
    );
  });

  it('ignores the content of strings', () => {
    const deep = fc.string({
      unit: fc.constantFrom('[', '{', '"', '\\', ',', 'a'),
      minLength: 200,
    });
    fc.assert(
      fc.property(deep, (text) => {
        expect(jsonExcess(JSON.stringify({ a: [text], [text]: 1 }))).toBeNull();
      }),
    );
  });

  it.each([
    [`${'['.repeat(64)}${']'.repeat(64)}`, null],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 'nested deeper than 64 levels'],
    [`[${'1,'.repeat(499_999)}1]`, null],
    [`[${'1,'.repeat(500_000)}1]`, 'made of more than 500000 parts'],
  ])('exceeds a limit (%#)', (text, excess) => {
    expect(jsonExcess(text)).toBe(excess);
  });
});

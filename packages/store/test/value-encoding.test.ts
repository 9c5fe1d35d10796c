import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import { decode, encode } from '../src/sqlite/value-encoding.ts';

describe('short forms', () => {
  it('keep ids and instants as bytes, in their order, and give them back', () => {
    const ids = [newId(), newId(), newId()];
    const times = [
      '1970-01-01T00:00:00.000Z',
      '2026-03-01T09:00:00.001Z',
      '9999-12-31T23:59:59.999Z',
    ];
    for (const [texts, length] of [
      [ids, 16],
      [times, 6],
    ] as const) {
      const forms = texts.map((text) => Buffer.from(encode(text)));
      expect(forms.map((form) => form.length)).toEqual(texts.map(() => length));
      expect([...forms].sort(Buffer.compare)).toEqual(forms);
      expect(forms.map(decode)).toEqual(texts);
    }
  });

  it.each([
    '',
    'demo',
    // As long as an id, or as an instant, and none.
    'x'.repeat(36),
    newId().toUpperCase(),
    '123e4567-e89b-42d3-a456-426614174000',
    'x'.repeat(24),
    '2026-02-30T09:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '2026-03-01T09:00:00,001Z',
  ])('leave %j as it is, also the second time', (text) => {
    expect([encode(text), encode(text)]).toEqual([text, text]);
  });

  it('stay right when more has passed than is remembered', () => {
    const ids = Array.from({ length: 2000 }, () => newId());
    expect([...ids, ...ids].map((id) => decode(encode(id)))).toEqual([...ids, ...ids]);
  });

  it('leave other values as they are', () => {
    for (const value of [null, 0, 2n, Buffer.from('four')]) {
      expect(encode(value)).toBe(value);
      expect(decode(value)).toBe(value);
    }
  });
});

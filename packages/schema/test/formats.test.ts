import { describe, expect, it } from '@jest/globals';
import { createValidator, readInstant } from '@svc/schema';

const check = createValidator({
  type: 'object',
  properties: {
    at: { type: ['string', 'null'], format: 'date-time' },
    id: { type: 'string', format: 'uuid' },
  },
});

describe('a time', () => {
  it.each([
    ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00Z', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00:00.123456789+01:00', '2026-03-01T08:00:00.123Z'],
    ['2028-02-29T23:30:00-01:00', '2028-03-01T00:30:00.000Z'],
  ])('%s is read as %s', (text, read) => {
    expect(readInstant(text)).toBe(read);
    expect(check({ at: text })).toEqual({ ok: true, value: { at: text } });
  });

  it.each([
    'yesterday',
    '2026-03-01',
    '2026-03-01T09:00:00',
    '2026-03-01 09:00:00Z',
    '2026-02-30T09:00:00Z',
    '2027-02-29T09:00:00Z',
    '2026-13-01T09:00:00Z',
    '2026-03-01T25:00:00Z',
    '2026-03-01T09:00:00+0100',
    '',
  ])('%j is none', (at) => {
    expect(readInstant(at)).toBeNull();
    const message = 'must be a time with its zone, e.g. 2026-03-01T09:00:00Z.';
    expect(check({ at })).toEqual({ ok: false, issues: [{ path: 'at', message }] });
  });

  it('may be null where the schema says so', () => {
    expect(check({ at: null }).ok).toBe(true);
  });
});

describe('an id', () => {
  const id = '01900000-0000-7000-8000-00000000000a';

  it('is a lower-case UUID', () => {
    expect(check({ id }).ok).toBe(true);
  });

  it.each([id.toUpperCase(), `{${id}}`, id.slice(1), `${id}\n`, ''])('%j is none', (other) => {
    const message = 'must be an id as this service mints them, a lower-case UUID.';
    expect(check({ id: other })).toEqual({ ok: false, issues: [{ path: 'id', message }] });
  });
});

it('an unknown format is reported at its first use', () => {
  const odd = createValidator({ type: 'string', format: 'postcode' });
  expect(() => odd('x')).toThrow('postcode');
});

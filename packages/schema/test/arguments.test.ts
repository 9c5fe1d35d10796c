import { describe, expect, it } from '@jest/globals';
import { publishedArguments, readArguments } from '@svc/schema';

const SCHEMA = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    note: { type: 'string' },
    lines: { type: 'integer' },
    share: { type: 'number' },
    on: { type: 'boolean' },
    tools: { type: ['string', 'array'], items: { type: 'string' } },
    mode: { enum: ['a', 'b'] },
  },
} as const;

describe('arguments as models write them', () => {
  // proves: tools.arguments.read
  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [
      { lines: '5000', share: '0.5' },
      { lines: 5000, share: 0.5 },
    ],
    [
      { lines: ' 7 ', share: '-3' },
      { lines: 7, share: -3 },
    ],
    [{ on: 'true' }, { on: true }],
    [{ on: 'False' }, { on: false }],
    [{ note: null, lines: null, on: null, tools: null, name: null }, {}],
    [{ note: '', lines: '', on: '', tools: '', mode: '' }, {}],
    [{ name: '' }, { name: '' }],
    [
      { name: '5', note: 'true', mode: '1' },
      { name: '5', note: 'true', mode: '1' },
    ],
    [{ tools: '5' }, { tools: '5' }],
    [
      { lines: '1e3', share: '0x1', on: '1' },
      { lines: '1e3', share: '0x1', on: '1' },
    ],
    [
      { lines: '12345678901234567', share: 'Infinity' },
      { lines: '12345678901234567', share: 'Infinity' },
    ],
    [
      { unknown: null, constructor: '' },
      { unknown: null, constructor: '' },
    ],
    [JSON.parse('{"__proto__":""}'), JSON.parse('{"__proto__":""}')],
  ])('%j are read as %j', (args, read) => {
    expect(readArguments(SCHEMA, args)).toEqual(read);
  });

  it('keep an empty text where it is a value of its own', () => {
    const keepsEmpty = (name: string): boolean => name === 'note';
    expect(readArguments(SCHEMA, { note: '', tools: '' }, { keepsEmpty })).toEqual({ note: '' });
  });

  it('are published with one type for each, a list where a list is taken', () => {
    const { properties } = publishedArguments(SCHEMA);
    expect(Object.values(properties).map((one) => (one as { type: unknown }).type)).toEqual([
      ...['string', 'string', 'integer', 'number', 'boolean', 'array', 'string'],
    ]);
    expect(properties).toMatchObject({ mode: { enum: ['a', 'b'] }, tools: { items: {} } });
  });
});

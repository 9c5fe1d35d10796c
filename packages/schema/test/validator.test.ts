import { describe, expect, it } from '@jest/globals';
import { createFaultFinder, createValidator } from '@svc/schema';

describe('createValidator', () => {
  const check = createValidator({
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1 },
      count: { type: 'integer', minimum: 1 },
      tags: { type: 'array', maxItems: 1, items: { enum: ['a', 'b'] } },
      note: { type: ['string', 'null'] },
    },
  });

  it.each([
    [{}, 'name', 'is required.'],
    [{ name: '' }, 'name', 'must not be empty.'],
    [{ name: 1 }, 'name', 'must be a string.'],
    [{ name: 'x', count: 0 }, 'count', 'must be at least 1.'],
    [{ name: 'x', count: 1.5 }, 'count', 'must be an integer.'],
    [{ name: 'x', tags: ['c'] }, 'tags[0]', "must be one of 'a', 'b'."],
    [{ name: 'x', tags: ['a', 'b'] }, 'tags', 'must have at most 1 entry.'],
    [{ name: 'x', odd: 1 }, 'odd', 'is not a known field.'],
    [{ name: 'x', note: 1 }, 'note', 'must be a string or null.'],
    [null, '', 'must be an object.'],
  ])('%j: %s %s', (value, path, message) => {
    expect(check(value)).toEqual({ ok: false, issues: [{ path, message }] });
  });

  it('reports every fault at once and returns what is right unchanged', () => {
    const faults = check({ count: 0, tags: 'a' });
    expect(faults.ok ? [] : faults.issues.map((issue) => issue.path).sort()).toEqual([
      'count',
      'name',
      'tags',
    ]);
    const value = { name: 'x', tags: ['a'] };
    expect(check(value)).toEqual({ ok: true, value });
  });
});

it('of many faults a check tells the first and how many there are more', () => {
  const check = createValidator({ type: 'array', items: { type: 'string' } });
  const checked = check(Array.from({ length: 200_000 }, () => 1));
  const issues = checked.ok ? [] : checked.issues;
  expect(issues).toHaveLength(21);
  expect(issues.at(-1)).toEqual({ path: '', message: 'has 199980 more faults.' });
});

describe('createFaultFinder', () => {
  const find = createFaultFinder(
    {
      type: 'object',
      propertyNames: { pattern: '^[a-z]+$', 'x-wanted': 'lower case' },
      properties: {
        even: { type: 'string', format: 'even', 'x-wanted': 'an even number of letters' },
      },
    },
    {
      formats: { even: { read: (text) => (text.length % 2 === 0 ? text : null) } },
      annotations: ['x-wanted'],
    },
  );

  it('finds nothing in a valid value', () => {
    expect(find({ even: 'ab' })).toEqual([]);
  });

  it('lists faults with path, value and the part of the schema', () => {
    const schema = expect.objectContaining({ 'x-wanted': 'an even number of letters' });
    expect(find({ even: 'abc' })).toEqual([
      expect.objectContaining({
        keyword: 'format',
        path: ['even'],
        name: null,
        value: 'abc',
        schema,
      }),
    ]);
  });

  it('names invalid names of fields', () => {
    const schema = expect.objectContaining({ 'x-wanted': 'lower case' });
    expect(find({ A: 1 })[0]).toMatchObject({ keyword: 'pattern', path: [], name: 'A', schema });
  });

  it('refuses a schema with unknown keywords', () => {
    expect(() => createFaultFinder({ 'x-other': 1 })({})).toThrow('x-other');
  });
});

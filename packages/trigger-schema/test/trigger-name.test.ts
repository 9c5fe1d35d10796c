import { describe, expect, it } from '@jest/globals';
import { isReservedTriggerName, isSlug, validateTriggerName } from '@svc/trigger-schema';

describe('the name of a trigger', () => {
  it.each([
    'a',
    'constructor',
    'toString',
    'a..b',
    '...',
    'two words',
    'ünï',
    '123',
    'runtime',
    '😀'.repeat(128),
    '%2e%2e',
  ])('%j is allowed', (name) => {
    expect(validateTriggerName(name)).toEqual({ ok: true, value: name });
  });

  const refused: [unknown, string][] = [
    ['', 'must not be empty; use 1 to 128 characters.'],
    ['.', 'cannot be "."; choose another name.'],
    ['..', 'cannot be ".."; choose another name.'],
    ['__proto__', 'cannot be "__proto__"; choose another name.'],
    ['a/b', 'must not contain / or \\; use - instead.'],
    ['a\\b', 'must not contain / or \\; use - instead.'],
    ['a\nb', 'must not contain line breaks, tabs or other control characters.'],
    ['a\u0000', 'must not contain line breaks, tabs or other control characters.'],
    ['a\u0085', 'must not contain line breaks, tabs or other control characters.'],
    [' a', 'must not begin or end with a space.'],
    ['a\u00a0', 'must not begin or end with a space.'],
    ['a\ud800', 'must be valid Unicode: it contains a lone surrogate.'],
    ['x'.repeat(129), 'must have at most 128 characters.'],
    [5, 'must be text, not 5.'],
    [null, 'must be text, not null.'],
  ];
  it.each(refused)('%j is refused', (name, message) => {
    expect(validateTriggerName(name)).toEqual({ ok: false, issues: [{ path: 'name', message }] });
  });

  it('is reserved if a route uses it', () => {
    expect(['runtime', 'Runtime', 'run'].map(isReservedTriggerName)).toEqual([true, false, false]);
  });
});

describe('a slug', () => {
  it.each([
    ['a', true],
    ['My_App.2-x', true],
    ['_x', true],
    ['.x', false],
    ['-x', false],
    ['', false],
    ['a/b', false],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['a\n', false],
    [5, false],
  ])('%j: %s', (text, expected) => {
    expect(isSlug(text)).toBe(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createRedactor, redactingLogger } from '@svc/core';
import { createMemoryLogger } from '@svc/core/testing';

const KEY = 'sk-live/4f"9+Ä~x \\z';
const redactor = createRedactor(() => [KEY, 'hunter22', 'short']);

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a secret', () => {
  it.each([
    ['as it is', KEY],
    ['escaped for JSON', JSON.stringify({ key: KEY })],
    ['escaped twice', JSON.stringify(JSON.stringify({ key: KEY }))],
    ['URL-encoded', encodeURIComponent(KEY)],
    [
      'URL-encoded in small letters',
      encodeURIComponent(KEY).replace(/%../g, (x) => x.toLowerCase()),
    ],
    ['in a form', new URLSearchParams({ key: KEY }).toString()],
    ['in base64', base64(KEY)],
    ['in base64 behind one letter', base64(`a${KEY}`)],
    ['in base64 behind a name', base64(`user:${KEY}:more`)],
    ['in base64 for URLs', Buffer.from(`ab${KEY}`).toString('base64url')],
  ])('is removed %s', (_how, text) => {
    const shown = redactor.text(`before ${text} after`);
    expect(shown).toMatch(/^before .*\[redacted\].* after$/s);
    for (const part of ['live', '4f', 'sk-']) expect(shown).not.toContain(part);
    expect(shown).not.toContain(base64(KEY).slice(4, 12));
  });

  it('is removed wherever it occurs, and nothing else is', () => {
    expect(redactor.text('hunter22, hunter2 and hunter22hunter22')).toBe(
      '[redacted], hunter2 and [redacted][redacted]',
    );
  });

  it('is removed from a text that only starts like a longer one', () => {
    const nested = createRedactor(() => ['a-hunter22-b', 'hunter22']);
    expect(nested.text('a-hunter22-c a-hunter22-b')).toBe('a-[redacted]-c [redacted]');
  });

  it('is left if it has fewer than six characters', () => {
    expect(redactor.text('short')).toBe('short');
  });

  it('is removed from keys, lists and numbers too', () => {
    const numbers = createRedactor(() => ['1234567', 'hunter22']);
    const value = { hunter22: ['a hunter22', { deep: { pin: 1234567 } }], fine: 1 };
    expect(numbers.deep(value)).toEqual({
      '[redacted]': ['a [redacted]', { deep: { pin: '[redacted]' } }],
      fine: 1,
    });
    const fine = { a: ['b', { c: null }] };
    expect(numbers.deep(fine)).toBe(fine);
  });

  it('is read from the current configuration', () => {
    let secrets = ['first-one'];
    const changing = createRedactor(() => secrets);
    expect(changing.text('first-one other-one')).toBe('[redacted] other-one');
    secrets = ['other-one'];
    expect(changing.text('first-one other-one')).toBe('first-one [redacted]');
    secrets = [];
    expect(changing.text('other-one')).toBe('other-one');
  });

  it('never remains, wherever the text is split into pieces', () => {
    const text = 'a hunhunter22hunter22 b';
    for (let first = 0; first <= text.length; first += 1) {
      for (let second = first; second <= text.length; second += 1) {
        const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
        const shown = redactor.pieces(pieces);
        expect(shown).toHaveLength(3);
        expect(shown.join('')).toBe('a hun[redacted][redacted] b');
      }
    }
  });

  it('may continue past the end of a text', () => {
    expect(redactor.openEnd('say hunt')).toBe(4);
    expect(redactor.openEnd('say hunter22')).toBe(12);
    expect(redactor.openEnd('say hint')).toBe(8);
    expect(redactor.openEnd('')).toBe(0);
  });

  it('is removed from log lines', () => {
    const logger = createMemoryLogger();
    redactingLogger(logger, redactor).warn({ why: ['no hunter22'] }, 'it is hunter22');
    expect(JSON.stringify(logger.lines)).not.toContain('hunter22');
  });
});

describe('the work', () => {
  it('depends only on the length of the text, even if everything looks like the start of a secret', () => {
    const secrets = Array.from({ length: 50 }, (_, n) => `${'a'.repeat(60 + n)}b`);
    const many = createRedactor(() => secrets);
    const text = 'a'.repeat(256 * 1024);
    expect(many.text(text)).toBe(text);
    expect(many.text(`${text}b`)).toBe(`${'a'.repeat(256 * 1024 - 109)}[redacted]`);
  });
});

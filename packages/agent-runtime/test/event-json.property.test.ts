import { describe, expect, it } from '@jest/globals';
import { type EventData, eventJson, MAX_EVENT_BYTES } from '@svc/agent-runtime';
import fc from 'fast-check';

const event = (data: Record<string, unknown>): EventData => ({
  event: 'onArchive',
  project: 'demo',
  data,
});
const named = { event: 'onArchive', project: 'demo' };

const anyData = fc.dictionary(
  fc.string({ unit: 'binary' }),
  fc.oneof(
    fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }) as fc.Arbitrary<unknown>,
    fc.string({ unit: 'binary', minLength: 500, maxLength: 4000 }),
    fc.array(fc.string({ maxLength: 30 }), { minLength: 100, maxLength: 300 }),
  ),
);

describe('an event as JSON', () => {
  it('is the same value again, in characters that mean nothing more', () => {
    fc.assert(
      fc.property(anyData, fc.boolean(), (data, inOneLine) => {
        const text = eventJson(event(data), { inOneLine });
        expect(text).not.toMatch(/[`@<>&]|(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
        expect(text.includes('\n')).toBe(!inOneLine);
        const whole = JSON.parse(JSON.stringify({ ...named, ...data, ...named }));
        expect(JSON.parse(text)).toEqual(whole);
      }),
    );
  });

  // proves: events.data.bounded
  it('keeps to its limit, marked, as valid JSON', () => {
    fc.assert(
      fc.property(anyData, fc.integer({ min: 1024, max: 9000 }), (data, maxBytes) => {
        const text = eventJson(event(data), { maxBytes });
        const told = JSON.parse(text);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        expect(told).toMatchObject(named);
        const isWhole = Buffer.byteLength(eventJson(event(data))) <= maxBytes;
        expect('[Cut]' in told).toBe(!isWhole || '[Cut]' in data);
      }),
    );
  });

  it('is the beginning of its data where they are too long, up to the limit', () => {
    const chat = { name: 'long', text: 'ä`'.repeat(MAX_EVENT_BYTES), messages: 4 };
    const text = eventJson(event({ chat, after: 1 }));
    const told = JSON.parse(text);
    expect(Object.keys(told)).toEqual(['event', 'project', '[Cut]', 'chat']);
    expect(told['[Cut]']).toBe(
      `Only the beginning of the data is told here, ${MAX_EVENT_BYTES} bytes at most.`,
    );
    expect(Object.keys(told.chat)).toEqual(['name', 'text']);
    expect(told.chat.text).toMatch(/^(ä`)+ä?\[Cut\]$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(Buffer.byteLength(text)).toBeGreaterThan(MAX_EVENT_BYTES - 300);
  });

  it('leaves out what is nested too deep, however deep that is', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const told = JSON.parse(eventJson(event({ deep, after: 1 })));
    expect(told).toMatchObject({ ...named, '[Cut]': expect.any(String), after: 1 });
  });

  it('is not renamed by members of its data', () => {
    const told = eventJson(event({ project: 'other', event: 'x', ['__proto__']: { a: 1 } }));
    expect(Object.entries(JSON.parse(told))).toEqual([
      ['event', 'onArchive'],
      ['project', 'demo'],
      ['__proto__', { a: 1 }],
    ]);
  });
});

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
  it('parses to the same value, without special characters', () => {
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
  it('stays within its limit, marked, as valid JSON', () => {
    fc.assert(
      fc.property(anyData, fc.integer({ min: 1024, max: 9000 }), (data, maxBytes) => {
        const text = eventJson(event(data), { maxBytes });
        const json = JSON.parse(text);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        expect(json).toMatchObject(named);
        const isWhole = Buffer.byteLength(eventJson(event(data))) <= maxBytes;
        expect('[Cut]' in json).toBe(!isWhole || '[Cut]' in data);
      }),
    );
  });

  it('is truncated to the limit if its data is too long', () => {
    const chat = { name: 'long', text: 'ä`'.repeat(MAX_EVENT_BYTES), messages: 4 };
    const text = eventJson(event({ chat, after: 1 }));
    const json = JSON.parse(text);
    expect(Object.keys(json)).toEqual(['event', 'project', '[Cut]', 'chat']);
    expect(json['[Cut]']).toBe(`The data is truncated to ${MAX_EVENT_BYTES} bytes.`);
    expect(Object.keys(json.chat)).toEqual(['name', 'text']);
    expect(json.chat.text).toMatch(/^(ä`)+ä?\[Cut\]$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    expect(Buffer.byteLength(text)).toBeGreaterThan(MAX_EVENT_BYTES - 300);
  });

  it('leaves out data that is nested too deep, at any depth', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const json = JSON.parse(eventJson(event({ deep, after: 1 })));
    expect(json).toMatchObject({ ...named, '[Cut]': expect.any(String), after: 1 });
  });

  it('does not let its data override event and project', () => {
    const json = eventJson(event({ project: 'other', event: 'x', ['__proto__']: { a: 1 } }));
    expect(Object.entries(JSON.parse(json))).toEqual([
      ['event', 'onArchive'],
      ['project', 'demo'],
      ['__proto__', { a: 1 }],
    ]);
  });
});

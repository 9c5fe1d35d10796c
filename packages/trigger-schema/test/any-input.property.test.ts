import { describe, expect, it } from '@jest/globals';
import {
  parseProject,
  patchTrigger,
  triggerPutSchema,
  validateSchedule,
  validateTrigger,
  validateTriggerName,
} from '@svc/trigger-schema';
import fc from 'fast-check';
import { putTriggerText, removeTriggerText } from './text-edits.ts';

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
});
const { trigger, run, policy } = triggerPutSchema.properties;
const TOP = Object.keys(triggerPutSchema.properties);
const BELOW = Object.entries({ trigger, run, policy }).flatMap(([name, { properties }]) =>
  Object.keys(properties).map((below) => `${name}.${below}`),
);
/** The paths of all fields. */
const FIELDS = [...TOP, ...BELOW];
const field = fc.constantFrom(
  ...FIELDS.map((path) => path.split('.').at(-1) ?? ''),
  'jitter',
  '__proto__',
  'constructor',
  'prompt_file',
);
const entry = fc.dictionary(field, fc.oneof(anything, fc.dictionary(field, anything)), {
  noNullPrototype: false,
});

const yamlish = fc
  .array(
    fc.constantFrom(
      'triggers',
      ':',
      ' ',
      '  ',
      '\n',
      '\n  ',
      '\n    ',
      '\r\n',
      '\t',
      '-',
      '- ',
      '? ',
      ': ',
      '{',
      '}',
      '[',
      ']',
      ',',
      ', ',
      '&a',
      '*a',
      '<<',
      '!x',
      '!!str',
      '|',
      '|+',
      '>',
      '>-2',
      '"',
      "'",
      '#',
      ' # c',
      '---',
      '\n---\n',
      '\n...\n',
      '%YAML 1.2',
      'a',
      'run',
      'b: 1',
      '~',
      '\uFEFF',
      '\u0085',
      '\u0000',
      '0x1',
      '\\',
      'trigger: {type: webhook}',
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));
const anyText = fc.oneof(
  yamlish,
  yamlish.map((tail) => `triggers:\n  a: {trigger: {type: webhook}}\n  b:\n    run: ${tail}`),
  fc.string({ unit: 'binary' }),
);

describe('arbitrary input', () => {
  it('is validated without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(anything, entry), (value) => {
        for (const result of [
          validateTrigger(value),
          validateTrigger(value, { unknownKeys: 'refuse-misspelt' }),
          validateSchedule(value),
        ]) {
          if (result.ok) continue;
          expect(result.issues.length).toBeGreaterThan(0);
          for (const { path, message } of result.issues) {
            expect(message.length).toBeGreaterThan(10);
            // A field may have the same name as the first word of its fault, such as `is`; no existing field has.
            expect(FIELDS.includes(path) && message.startsWith(`${path} `)).toBe(false);
          }
        }
        validateTriggerName(value);
      }),
      { numRuns: 120 },
    );
  });

  it('is patched, and a patch without arguments is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(anything, entry), (stored) => {
        const once = patchTrigger(stored, {});
        if (!once.ok) throw new Error('refused');
        const twice = patchTrigger(once.value, {});
        expect(twice).toEqual(once);
      }),
      { numRuns: 120 },
    );
  });

  it('is parsed or refused with a position, and edited or refused', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseProject(text);
        const put = putTriggerText(text, 'a', {
          trigger: { type: 'webhook' },
          run: { prompt: 'x\ny' },
          enabled: true,
        });
        const removed = removeTriggerText(text, 'b');
        if (!parsed.ok) {
          expect(parsed.issues.length).toBeGreaterThan(0);
          for (const { line, column } of parsed.issues)
            expect([(line ?? 0) > 0, (column ?? 0) > 0]).toEqual([true, true]);
          expect([put, removed]).toEqual([parsed, parsed]);
          return;
        }
        const others = (source: string, name: string): unknown => {
          const again = parseProject(source);
          return again.ok && [...again.value.written].filter(([key]) => key !== name);
        };
        if (put.ok) expect(others(put.value, 'a')).toEqual(others(text, 'a'));
        if (removed.ok) expect(others(removed.value.text, 'b')).toEqual(others(text, 'b'));
      }),
      { numRuns: 150 },
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  abridged,
  counted,
  eventText,
  isId,
  isoTime,
  joinPath,
  newId,
  SvcError,
  sentencesOf,
  storableValue,
  textFault,
} from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';

it('joins path segments as people write them', () => {
  expect(joinPath(['run', 'tools', 2, 'name'])).toBe('run.tools[2].name');
});

it('creates ids that sort by time and are recognized', () => {
  const ids = Array.from({ length: 200 }, () => newId());
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(200);
  expect(ids.every(isId)).toBe(true);
  expect(isId('../../etc/passwd')).toBe(false);
});

it('writes instants as UTC text with milliseconds', () => {
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
});

it('keeps code, facts and cause of an error', () => {
  class OwnError extends SvcError {}
  const cause = new Error('disk');
  const error = new OwnError('full', 'Free some space.', { cause, facts: { left: 0 } });
  expect(error).toMatchObject({ name: 'OwnError', code: 'full', facts: { left: 0 }, cause });
});

describe('the fake clock', () => {
  it('runs timers at their due times, in order, with the promises that they start', async () => {
    const clock = createFakeClock('2026-01-01T00:00:00.000Z');
    const seen: string[] = [];
    const note = (name: string) => () => seen.push(`${name} ${isoTime(clock.now()).slice(17)}`);
    clock.setTimeout(note('late'), 2000);
    clock.setTimeout(() => {
      note('early')();
      void Promise.resolve().then(() => clock.setTimeout(note('nested'), 500));
    }, 1000);
    const ended = clock.setTimeout(note('ended'), 100);
    clock.clearTimeout(ended);
    await clock.advance(3000);
    expect(seen).toEqual(['early 01.000Z', 'nested 01.500Z', 'late 02.000Z']);
    expect([clock.pending, clock.mono()]).toEqual([0, 3000]);
  });

  it('distinguishes a stepped clock and a suspended machine from time that passed', async () => {
    const clock = createFakeClock(0);
    let fired = 0;
    clock.setTimeout(() => {
      fired += 1;
    }, 1000);
    clock.step(5_000_000);
    clock.suspend(60_000);
    expect([clock.now(), clock.mono(), fired]).toEqual([5_060_000, 0, 0]);
    await clock.advance(1000);
    expect(fired).toBe(1);
  });
});

it('keeps log lines for tests to read', () => {
  const logger = createMemoryLogger();
  logger.warn({ n: 1 }, 'careful');
  expect(logger.lines).toEqual([{ level: 'warn', message: 'careful', fields: { n: 1 } }]);
});

describe('texts that cannot be stored unchanged', () => {
  it.each<[unknown, object | null]>([
    ['plain, ünd \u{1f600}\n', null],
    ['a\0b', { path: '', message: 'must not contain the character U+0000.' }],
    [{ a: ['x', 'y\ud800'] }, { path: 'a[1]', message: expect.stringContaining('surrogate') }],
    [{ a: { 'k\0': 1 } }, { path: 'a', message: expect.stringContaining('U+0000') }],
    [{ a: 1, b: null, c: [true] }, null],
  ])('are found in %j', (value, fault) => {
    expect(textFault(value)).toEqual(fault);
  });
});

describe('texts made storable', () => {
  it.each<[unknown, unknown]>([
    ['\ud83d\ude00 \ud800x\udc00 \0.', '\u{1f600} \ufffdx\ufffd .'],
    [
      { '\udfff\0': ['a', { b: '\ud83d' }, 1, null] },
      { '\ufffd': ['a', { b: '\ufffd' }, 1, null] },
    ],
  ])('%j', (value, kept) => {
    expect(storableValue(value)).toEqual(kept);
    expect(textFault(storableValue(value))).toBeNull();
  });

  it('stay the same object if nothing is wrong', () => {
    const value = { a: ['x', { b: '\u{1f600}' }], c: null };
    expect(storableValue(value)).toBe(value);
  });

  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['abc\u{1f600}\u{1f600}', 5, 'abc…'],
    ['abc\u{1f600}d', 6, 'abc\u{1f600}d'],
  ])('%s in %d units is %s', (text, most, expected) => {
    expect(abridged(text, most)).toBe(expected);
  });
});

it('a message continues the name of its field, or the name of the whole input', () => {
  const issues = [
    { path: 'run.maxTurns', message: 'must be at most 200.' },
    { path: '', message: 'has 6 fields' },
    { path: 'run.x', message: 'is not a known field; did you mean y?' },
  ];
  expect(sentencesOf(issues, 'The request')).toBe(
    'run.maxTurns must be at most 200. The request has 6 fields. run.x is not a known field; did you mean y?',
  );
});

it.each([
  [0, '0 files'],
  [1, '1 file'],
  [2, '2 files'],
])('%i is written as %s', (count, said) => {
  expect(counted(count, 'file')).toBe(said);
  expect(counted(count, 'entry', 'entries')).toBe(
    said.replace('files', 'entries').replace('file', 'entry'),
  );
});

it('an event is text that ends with a blank line, and carries its id if there is one', () => {
  expect(eventText('message', '{"a":1}')).toBe('event: message\ndata: {"a":1}\n\n');
  expect(eventText('run', '{}', '7')).toBe('id: 7\nevent: run\ndata: {}\n\n');
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TriggerPut } from '../src/data/api-types.ts';
import { applyChanges, draftOf, recordOf } from '../src/model/draft.ts';
import { lineDiff } from '../src/model/line-diff.ts';

const STORED = {
  trigger: { type: 'schedule', cron: '0 3 * * *', timezone: 'Europe/Berlin' },
  run: { prompt: 'Look.', session: 'new', tools: ['Read'], maxTurns: 30, later: { deep: [1] } },
  enabled: true,
  policy: { overlap: 'skip' },
  labels: ['a'],
} as unknown as TriggerPut;

test('an unchanged draft equals its record', () => {
  expect(recordOf(draftOf(STORED), STORED)).toEqual(STORED);
});

test('a change keeps all other fields, including those that the form does not show', () => {
  const draft = { ...draftOf(STORED), maxTurns: '5', timeout: '1m' };
  const run = { ...STORED.run, maxTurns: 5, timeout: '1m' };
  expect(recordOf(draft, STORED)).toEqual({ ...STORED, run });
});

test('the keeper is an empty list of tools, another agent is its list', () => {
  const keeper = recordOf({ ...draftOf(STORED), who: 'keeper' }, STORED);
  expect(keeper.run?.tools).toEqual([]);
  expect(draftOf(keeper).who).toBe('keeper');
  expect(draftOf(STORED).who).toBe('agent');
});

test('a prompt file replaces the prompt', () => {
  const draft = { ...draftOf(STORED), promptFrom: 'file' as const, promptFile: 'daily.md' };
  const { run } = recordOf(draft, STORED);
  expect(run).toMatchObject({ promptFile: 'daily.md' });
  expect(run).not.toHaveProperty('prompt');
});

test('an invalid number is sent to the service as typed', () => {
  const draft = { ...draftOf(STORED), maxTurns: 'many' };
  expect(recordOf(draft, STORED).run?.maxTurns).toBe('many');
});

test('a policy contains only the selected fields', () => {
  const draft = { ...draftOf(STORED), overlap: 'queue', jitter: '5m', firesPerDay: '3' };
  const policy = { overlap: 'queue', jitter: '5m', firesPerDay: 3 };
  expect(recordOf(draft, STORED).policy).toEqual(policy);
  const less = { ...draft, overlap: '', jitter: '' };
  expect(recordOf(less, STORED).policy).toEqual({ firesPerDay: 3 });
});

test('applying own changes to a newer version keeps the changes of both', () => {
  const base = draftOf(STORED);
  const mine = { ...base, prompt: 'Look twice.' };
  const theirs = { ...base, cron: '0 4 * * *' };
  expect(applyChanges(mine, base, theirs)).toEqual({
    ...base,
    prompt: 'Look twice.',
    cron: '0 4 * * *',
  });
});

test('an own cron expression stays a schedule when it is applied to an interval', () => {
  const base = draftOf(STORED);
  const theirs = { ...base, when: 'interval' as const, interval: '1h', cron: '' };
  const top = applyChanges({ ...base, cron: '0 5 * * *' }, base, theirs);
  expect(top).toMatchObject({ when: 'cron', cron: '0 5 * * *' });
});

test('kept and removed lines form the old text, kept and added lines the new one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1 });
  fc.assert(
    fc.property(text, text, (old, now) => {
      const lines = lineDiff(old.join('\n'), now.join('\n'));
      const without = (sign: string) =>
        lines.filter((line) => line.sign !== sign).map((line) => line.text);
      expect(without('+')).toEqual(old);
      expect(without('-')).toEqual(now);
    }),
  );
});

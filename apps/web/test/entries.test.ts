import { describe, expect, test } from '@jest/globals';
import type { Health, Outcome, RuntimeState, Trigger } from '../src/data/api-types.ts';
import { entryReasonText } from '../src/model/describe.ts';
import { type Entry, entriesOf } from '../src/model/entries.ts';
import { attentionCount, stateOfEntries, stateOfHealth } from '../src/model/project-state.ts';
import { aHealth, aRecent, aRuntime, aTrigger, FAILING } from './service.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const PAUSE = {
  at: '2026-03-02T03:00:00.000Z',
  reason: 'The trigger was paused after 2 failures in a row.',
};
const SILENT = {
  aheadUntil: '2026-03-02T10:00:00.000Z',
  silentUntil: '2026-03-02T10:01:00.000Z',
  canResume: true,
  message: 'The clock was ahead.',
};
const AGES_AGO = '2026-02-20T03:00:00.000Z';

function entryOf(trigger: Partial<Trigger>, runtime: Partial<RuntimeState> = {}): Entry {
  const triggers = {
    triggers: [aTrigger('nightly', trigger)],
    runtime: [aRuntime('nightly', runtime)],
    invalid: [],
    legacySchedules: [],
  };
  const [entry] = entriesOf('hello', triggers, NOW);
  if (entry === undefined) throw new Error('no entry');
  return entry;
}

const failed = aRecent({ outcome: 'failed' });
const skipped = aRecent({ outcome: 'skipped_overlap' });
const missed = aRecent({ outcome: 'missed' });
const open = aRecent({ state: 'running', outcome: null });

describe('the state of a trigger', () => {
  test.each<[string, Partial<Trigger>, Partial<RuntimeState>, Entry['state'], boolean]>([
    ['armed', {}, {}, 'armed', false],
    ['succeeded', { recentRuns: [aRecent()] }, {}, 'armed', false],
    ['off', { enabled: false, recentRuns: [failed] }, { armed: false }, 'off', false],
    ['failed', { recentRuns: [failed] }, {}, 'failed', true],
    ['failed and runs again', { recentRuns: [open, failed] }, {}, 'running', true],
    ['failed, then skipped', { recentRuns: [skipped, failed] }, {}, 'failed', true],
    ['failed, then missed', { recentRuns: [missed, failed] }, {}, 'failed', true],
    ['off and runs again', { enabled: false, recentRuns: [open, failed] }, {}, 'running', false],
    ['running and not armed', { recentRuns: [open] }, { armed: false }, 'running', true],
    ['running', { recentRuns: [open] }, {}, 'running', false],
    ['paused with all, after failing', { recentRuns: [failed] }, { paused: true }, 'paused', true],
    ['paused with all', {}, { paused: true }, 'paused', false],
    ['paused itself', {}, { paused: true, pausedAfterFailures: PAUSE }, 'paused', true],
    [
      'off and paused',
      { enabled: false },
      { paused: true, pausedAfterFailures: PAUSE },
      'off',
      false,
    ],
    ['missed', { recentRuns: [missed] }, {}, 'missed', false],
    ['missed long ago', { recentRuns: [{ ...missed, at: AGES_AGO }] }, {}, 'armed', false],
    ['silent', {}, { clock: SILENT }, 'silent', false],
    ['passing over a slot', {}, { clock: { ...SILENT, silentUntil: null } }, 'armed', false],
    ['off and silent', { enabled: false }, { armed: false, clock: SILENT }, 'off', false],
    ['on and not armed', {}, { armed: false, reason: 'No.' }, 'not-armed', true],
    ['limited', {}, { attention: [{ kind: 'limited', reason: 'It is spent.' }] }, 'limited', true],
  ])('is derived for one that is %s', (_, trigger, runtime, state, needsYou) => {
    const attention = needsYou ? FAILING : {};
    expect(entryOf(trigger, { ...attention, ...runtime })).toMatchObject({ state, needsYou });
  });

  test('explains why it is not armed', () => {
    expect(entryOf({}, { armed: false, reason: 'No.' }).notArmed).toBe('No.');
  });

  test('explains what is wrong with one that is armed all the same', () => {
    expect(entryOf({}, { armed: true, reason: 'No file.' })).toMatchObject({
      ...{ state: 'armed', notArmed: null, remark: 'No file.' },
    });
    expect(entryOf({}, { armed: false, reason: 'No.' }).remark).toBeNull();
  });
});

test.each<[Outcome, RegExp]>([
  ['failed', /^failed \d/],
  ['max_turns', /^reached its call limit \d/],
  ['denied', /^denied \d/],
  ['no_model', /^failed without a model \d/],
])('the trouble of one whose last run is %s is described after its name', (outcome, words) => {
  expect(entryReasonText(entryOf({ recentRuns: [aRecent({ outcome })] }), NOW)).toMatch(words);
});

test('triggers that need attention come first, then missed, running and armed ones, disabled ones last', () => {
  const triggers = {
    triggers: [
      aTrigger('off', { enabled: false }),
      aTrigger('event', { trigger: { type: 'event', on: 'afterTurn' } }),
      aTrigger('later'),
      aTrigger('sooner'),
      aTrigger('running', { recentRuns: [open] }),
      aTrigger('missed', { recentRuns: [missed] }),
      aTrigger('unready', { problem: 'No file.' }),
      aTrigger('failed', { recentRuns: [failed] }),
    ],
    runtime: [
      aRuntime('event', { nextFire: null }),
      aRuntime('later', { nextFire: '2026-03-04T03:00:00.000Z' }),
      aRuntime('sooner'),
    ],
    invalid: [
      { name: 'invalid', source: 'trigger' as const, kind: 'invalid' as const, issues: [] },
    ],
    legacySchedules: [],
  };
  expect(entriesOf('hello', triggers, NOW).map(({ name }) => name)).toEqual([
    ...['invalid', 'failed', 'unready', 'missed', 'running', 'sooner', 'later', 'event', 'off'],
  ]);
});

test('a project has the state of its worst trigger, even while that runs again', () => {
  const again = entryOf({ recentRuns: [open, failed] }, FAILING);
  expect(stateOfEntries([entryOf({}), again])).toMatchObject({
    word: 'Failed',
    needYou: 1,
    armed: 2,
  });
  expect(stateOfEntries([])).toMatchObject({ word: 'No triggers', tone: 'idle' });
});

test('a project whose triggers the service counts has the state of its worst count', () => {
  const health = aHealth({ running: 1, armed: 3, total: 4 });
  const of = (facts: Partial<Health>, faults: readonly object[] = []) =>
    stateOfHealth({ ...health, ...facts }, faults);
  expect(of({})).toMatchObject({ word: 'Running', needYou: 0, armed: 3, total: 4 });
  expect(of({ unready: 2, failing: 2, needYou: 2 })).toMatchObject({ word: 'Failed', needYou: 2 });
  expect(of({ unready: 1, needYou: 1 }).word).toBe('Will fail');
  expect(of({ legacyNeedYou: 1 }).word).toBe('Not armed');
  expect(attentionCount(of({ needYou: 2, legacyNeedYou: 1 }, [{}]))).toBe(4);
});

test('a trigger that will fail for its prompt file needs attention, with the message of the problem', () => {
  const problem = 'run.promptFile names a.md, which does not exist.';
  const attention = [{ kind: 'unready', reason: problem }] as const;
  const entry = entryOf({ problem }, { reason: problem, attention: [...attention] });
  expect(entry).toMatchObject({ state: 'unready', needsYou: true, remark: problem });
  expect(entryReasonText(entry, NOW)).toBe(`will fail: ${problem}`);
  expect(stateOfEntries([entry])).toMatchObject({ word: 'Will fail', needYou: 1, armed: 1 });
});

// proves: attention.limited
test('a trigger whose daily limit is spent needs attention, and says so', () => {
  const reason =
    'Daily cost limit of this instance reached: 5.01 US dollars today (limits.costPerDayUsd: 5).';
  const nextFire = '2026-03-03T00:00:00.000Z';
  const entry = entryOf({}, { reason, nextFire, attention: [{ kind: 'limited', reason }] });
  expect(entry).toMatchObject({ state: 'limited', needsYou: true, remark: reason, nextFire });
  expect(entryReasonText(entry, NOW)).toBe(reason);
  const word = 'Limited';
  expect(stateOfEntries([entry])).toMatchObject({ word, tone: 'warn', needYou: 1 });
  const health = aHealth({ needYou: 1, limited: 1 });
  expect(stateOfHealth(health, [])).toMatchObject({ word, tone: 'warn', needYou: 1 });
});

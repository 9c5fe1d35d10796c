import { describe, expect, test } from '@jest/globals';
import type { Outcome, RuntimeState, Trigger } from '../src/data/shapes.ts';
import { conditionOfEntries, conditionOfHealth } from '../src/model/condition.ts';
import { troubleText } from '../src/model/describe.ts';
import { type Entry, entriesOf } from '../src/model/entries.ts';
import { aRecent, aRuntime, aTrigger } from './service.ts';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const AGES_AGO = '2026-02-20T03:00:00.000Z';

function entryOf(trigger: Partial<Trigger>, runtime: Partial<RuntimeState> = {}): Entry {
  const told = {
    triggers: [aTrigger('nightly', trigger)],
    runtime: [aRuntime('nightly', runtime)],
    invalid: [],
    legacySchedules: [],
  };
  const [entry] = entriesOf('hello', told, NOW);
  if (entry === undefined) throw new Error('There is no entry.');
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
    ['running', { recentRuns: [open] }, {}, 'running', false],
    ['paused after failing', { recentRuns: [failed] }, { paused: true }, 'paused', true],
    ['missed', { recentRuns: [missed] }, {}, 'missed', false],
    ['missed long ago', { recentRuns: [{ ...missed, at: AGES_AGO }] }, {}, 'armed', false],
    ['on and not armed', {}, { armed: false, reason: 'No.' }, 'not-armed', true],
  ])('is told for one that is %s', (_, trigger, runtime, state, needsYou) => {
    expect(entryOf(trigger, runtime)).toMatchObject({ state, needsYou });
  });

  test('says why it is not armed', () => {
    expect(entryOf({}, { armed: false, reason: 'No.' }).notArmed).toBe('No.');
  });

  test('says what is wrong with one that is armed all the same', () => {
    expect(entryOf({}, { armed: true, reason: 'No file.' })).toMatchObject({
      ...{ state: 'armed', notArmed: null, remark: 'No file.' },
    });
    expect(entryOf({}, { armed: false, reason: 'No.' }).remark).toBeNull();
  });
});

test.each<[Outcome, RegExp]>([
  ['failed', /^failed \d/],
  ['max_turns', /^ran out of turns \d/],
  ['denied', /^was denied \d/],
  ['no_model', /^had nothing that could act on it \d/],
])('the trouble of one whose last run is %s makes a sentence after its name', (outcome, words) => {
  expect(troubleText(entryOf({ recentRuns: [aRecent({ outcome })] }), NOW)).toMatch(words);
});

test('what needs somebody comes first, then what is missed, running and armed, what is off last', () => {
  const told = {
    triggers: [
      aTrigger('off', { enabled: false }),
      aTrigger('event', { trigger: { type: 'event', on: 'afterTurn' } }),
      aTrigger('later'),
      aTrigger('sooner'),
      aTrigger('running', { recentRuns: [open] }),
      aTrigger('missed', { recentRuns: [missed] }),
      aTrigger('failed', { recentRuns: [failed] }),
    ],
    runtime: [
      aRuntime('event', { nextFire: null }),
      aRuntime('later', { nextFire: '2026-03-04T03:00:00.000Z' }),
      aRuntime('sooner'),
    ],
    invalid: [{ name: 'invalid', source: 'trigger' as const, issues: [] }],
    legacySchedules: [],
  };
  expect(entriesOf('hello', told, NOW).map(({ name }) => name)).toEqual([
    ...['invalid', 'failed', 'missed', 'running', 'sooner', 'later', 'event', 'off'],
  ]);
});

test('a project is as its worst trigger, also where that runs again', () => {
  const again = entryOf({ recentRuns: [open, failed] });
  expect(conditionOfEntries([entryOf({}), again])).toMatchObject({
    word: 'Failed',
    needYou: 1,
    running: 1,
    armed: 2,
  });
  expect(conditionOfEntries([])).toMatchObject({ word: 'No triggers', tone: 'idle' });
});

test('a project whose triggers are counted by the service is as its worst count', () => {
  const health = {
    ...{ failing: 0, invalid: 0, paused: 0, unready: 0, running: 1, missed24h: 0, armed: 3 },
    nextFire: '2026-03-03T03:00:00.000Z',
  };
  expect(conditionOfHealth(health)).toMatchObject({ word: 'Running', needYou: 0, armed: 3 });
  expect(conditionOfHealth({ ...health, paused: 1, failing: 2 })).toMatchObject({
    word: 'Failed',
    needYou: 3,
  });
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TriggerPut } from '../src/data/api-types.ts';
import {
  applyChanges,
  changedKeys,
  draftOf,
  listedHosts,
  recordOf,
  withHost,
} from '../src/model/draft.ts';
import { fieldOf, ownIssues, valueText } from '../src/model/draft-text.ts';
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

const withNetwork = (network?: string[]): TriggerPut => ({
  ...STORED,
  run: { ...STORED.run, ...(network && { network }) },
});

test.each([
  [undefined, 'project', ''],
  [[], 'none', ''],
  [['api.github.com', '*.example.org:443'], 'listed', 'api.github.com\n*.example.org:443'],
] as const)('hosts %j are kept by a draft', (network, hosts, text) => {
  const record = withNetwork(network === undefined ? undefined : [...network]);
  const draft = draftOf(record);
  expect(draft).toMatchObject({ hosts, network: text });
  expect(recordOf(draft, record)).toEqual(record);
  expect(recordOf({ ...draft, maxTurns: '5' }, record).run?.network).toEqual(network);
});

test.each([
  ['project', undefined],
  ['none', []],
  ['listed', ['a.example', 'b.example:443']],
] as const)('hosts are changed to those of the choice %s', (hosts, network) => {
  const draft = { ...draftOf(withNetwork(['c.example'])), hosts };
  const { run } = recordOf({ ...draft, network: ' a.example,\n\n b.example:443 ' }, STORED);
  expect(run?.network).toEqual(network);
  expect(Object.hasOwn(run ?? {}, 'network')).toBe(hosts !== 'project');
});

test('other separators between the same hosts, and hosts that are not used, are no change', () => {
  const base = draftOf(withNetwork(['a.example', 'b.example']));
  expect(changedKeys({ ...base, network: 'a.example, b.example\n' }, base)).toEqual([]);
  expect(changedKeys({ ...draftOf(STORED), network: 'a.example' }, draftOf(STORED))).toEqual([]);
  expect(changedKeys({ ...base, network: 'a.example' }, base)).toEqual(['network']);
});

test('a list without hosts is an error of its field', () => {
  const draft = { ...draftOf(STORED), hosts: 'listed' as const, network: ' , ' };
  const issues = ownIssues(draft, 'nightly');
  expect(issues).toEqual([
    { path: 'run.network', message: 'must list at least one host. Add a host, or select None.' },
  ]);
  expect(fieldOf({ path: 'run.network[12]', message: 'is wrong.' }, draft)).toBe('network');
});

test.each([
  [undefined, []],
  [[], ['a.example:443']],
  [['b.example'], ['b.example', 'a.example:443']],
  [['a.example:443'], ['a.example:443']],
])('a host is added to the hosts %j', (network, hosts) => {
  expect(listedHosts(withHost(draftOf(withNetwork(network)), 'a.example:443'))).toEqual(hosts);
});

test('an own list stays in use when it is applied to a version without one', () => {
  const base = draftOf(withNetwork(['a.example']));
  const theirs = { ...base, hosts: 'none' as const, network: '' };
  const top = applyChanges({ ...base, network: 'a.example, b.example' }, base, theirs);
  expect(listedHosts(top)).toEqual(['a.example', 'b.example']);
  expect([valueText(top, 'network'), valueText(theirs, 'hosts')]).toEqual([
    'a.example, b.example',
    'None',
  ]);
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

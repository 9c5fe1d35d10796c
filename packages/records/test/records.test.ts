import { describe, expect, it } from '@jest/globals';
import {
  actorText,
  BUILT_IN_TOOLS,
  chatSchema,
  GRANTABLE_TOOLS,
  messageSchema,
  OPERATION_NAMES,
  outcomeText,
  RUN_OUTCOMES,
  runSchema,
  SLUG_PATTERN,
  TURN_OUTCOMES,
  triggerId,
  triggerKeyOf,
} from '@svc/records';
import { createValidator } from '@svc/schema';

const run = {
  id: '01900000-0000-7000-8000-000000000000',
  project: 'demo',
  source: 'trigger',
  trigger: 'nightly',
  cause: 'schedule',
  state: 'ended',
  scheduledFor: '2026-01-01T00:00:00.000Z',
  scheduledUntil: '2026-01-01T00:00:00.000Z',
  slotCount: 1,
  claimedAt: '2026-01-01T00:00:00.003Z',
  startedAt: null,
  endedAt: null,
  lateMs: 3,
  outcome: 'missed',
  reason: 'The service was not running.',
  sessionId: null,
  turnId: null,
  turns: 0,
  toolCalls: 0,
  toolErrors: null,
  denied: [{ tool: 'Bash', reason: 'It is not in the list.' }],
  sandbox: null,
  network: null,
  runtime: null,
  model: null,
  tokensIn: null,
  tokensOut: null,
  cost: null,
  by: null,
  person: null,
  catchUp: false,
  eventId: null,
};

describe('the schemas', () => {
  it('take a run and refuse one that leaves something out or lies about its outcome', () => {
    const check = createValidator(runSchema);
    expect(check(run).ok).toBe(true);
    expect(check({ ...run, outcome: 'fine' }).ok).toBe(false);
    expect(check({ ...run, claimedAt: 'yesterday' }).ok).toBe(false);
    const { reason: _, ...less } = run;
    expect(check(less).ok).toBe(false);
  });

  it.each([
    ['run', runSchema],
    ['chat', chatSchema],
    ['message', messageSchema],
  ])('%s: every property is required, so that no answer is ever partial', (_name, schema) => {
    expect([...schema.required].sort()).toEqual(Object.keys(schema.properties).sort());
  });
});

describe('the catalogues', () => {
  it('offer every operation as a tool, and each tool once', () => {
    const manage = GRANTABLE_TOOLS.filter((name) => name.startsWith('mcp__svc_manage__'));
    expect(manage.map((name) => name.slice('mcp__svc_manage__'.length)).sort()).toEqual(
      [...OPERATION_NAMES].sort(),
    );
    expect(new Set(GRANTABLE_TOOLS).size).toBe(BUILT_IN_TOOLS.length + OPERATION_NAMES.length);
  });

  it('count every turn outcome among the run outcomes', () => {
    expect(TURN_OUTCOMES.every((outcome) => RUN_OUTCOMES.includes(outcome))).toBe(true);
  });
});

it('names triggers and actors unambiguously', () => {
  const key = { project: 'demo', source: 'trigger', name: 'a b' } as const;
  expect(triggerId(key)).toBe('demo/trigger/a b');
  expect(triggerKeyOf('demo/trigger/a b')).toEqual(key);
  expect(actorText({ kind: 'client', id: 'ci' })).toBe('client:ci');
  expect(actorText({ kind: 'user', id: null })).toBe('user');
});

it.each([
  ['demo', true],
  ['_a.b-C9', true],
  ['.hidden', false],
  ['-x', false],
  ['a/b', false],
  ['', false],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
])('a slug like %j: %s', (slug, legal) => {
  expect(new RegExp(SLUG_PATTERN).test(slug)).toBe(legal);
});

describe('how something ended, in words', () => {
  it.each(RUN_OUTCOMES)('holds no code: %s', (outcome) => {
    expect(outcomeText(outcome)).toMatch(/^[a-z ]+$/);
  });

  it('continues a sentence that begins with a name', () => {
    expect(outcomeText('no_model')).toBe('did nothing');
    expect(outcomeText('timed_out')).toBe('timed out');
  });
});

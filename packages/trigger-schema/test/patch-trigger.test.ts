import { describe, expect, it } from '@jest/globals';
import { asArguments, patchTrigger, validateTrigger } from '@svc/trigger-schema';

const DAILY = { type: 'schedule', cron: '0 9 * * *', timezone: 'UTC' };
const STORED = {
  trigger: DAILY,
  run: { prompt: 'Hi', tools: ['Read'], model: 'm' },
  enabled: true,
  policy: { catchUp: 'none' },
};

function patched(stored: unknown, args: Record<string, unknown>): unknown {
  const result = patchTrigger(stored, args);
  return result.ok ? result.value : result.issues;
}

describe('set_trigger on a stored trigger', () => {
  // proves: set-trigger.patch
  it('changes nothing without arguments', () => {
    expect(patched(STORED, { name: 'a' })).toEqual(STORED);
    expect(patched(STORED, { name: 'a', project: 'p', cron: null, enabled: undefined })).toEqual(
      STORED,
    );
  });

  const cases: [Record<string, unknown>, Record<string, unknown>][] = [
    [{ enabled: false }, { ...STORED, enabled: false }],
    [{ enabled: 'false' }, { ...STORED, enabled: false }],
    [{ cron: '@daily' }, { ...STORED, trigger: { ...DAILY, cron: '@daily' } }],
    [{ interval: '1h' }, { ...STORED, trigger: { type: 'schedule', interval: '1h' } }],
    [
      { interval: '1h', cron: '' },
      { ...STORED, trigger: { type: 'schedule', interval: '1h' } },
    ],
    [{ timezone: '' }, { ...STORED, trigger: { type: 'schedule', cron: '0 9 * * *' } }],
    [{ prompt: 'Bye' }, { ...STORED, run: { ...STORED.run, prompt: 'Bye' } }],
    [
      { prompt_file: 'x.md' },
      { ...STORED, run: { promptFile: 'x.md', tools: ['Read'], model: 'm' } },
    ],
    [{ model: '' }, { ...STORED, run: { prompt: 'Hi', tools: ['Read'] } }],
    [
      { max_turns: '5', max_spawn_depth: 0 },
      { ...STORED, run: { ...STORED.run, maxTurns: 5, maxSpawnDepth: 0 } },
    ],
    [
      { session: 'resume', permission_mode: 'plan' },
      { ...STORED, run: { ...STORED.run, session: 'resume', permissionMode: 'plan' } },
    ],
    [
      { overlap: 'skip', catch_up: '' },
      { ...STORED, policy: { overlap: 'skip' } },
    ],
    [{ catch_up: '' }, { trigger: DAILY, run: STORED.run, enabled: true }],
    [{ type: 'schedule' }, STORED],
    [{ type: 'webhook' }, { ...STORED, trigger: { type: 'webhook' } }],
    [
      { type: 'event', event: 'onArchive' },
      { ...STORED, trigger: { type: 'event', on: 'onArchive' } },
    ],
    [{ event: 'onArchive' }, { ...STORED, trigger: { ...DAILY, on: 'onArchive' } }],
  ];
  // proves: set-trigger.type, set-trigger.cron, set-trigger.interval, set-trigger.event
  // proves: set-trigger.prompt, set-trigger.prompt-file, set-trigger.session, set-trigger.model
  // proves: set-trigger.permission-mode, set-trigger.max-spawn-depth, set-trigger.max-turns
  // proves: set-trigger.enabled
  it.each(cases)('%j', (args, expected) => {
    expect(patched(STORED, args)).toEqual(expected);
  });

  // proves: set-trigger.cron, set-trigger.prompt
  it('replaces one of a pair by the other', () => {
    const filed = { ...STORED, run: { promptFile: 'x.md' } };
    expect(patched(filed, { prompt: 'Hi' })).toEqual({ ...STORED, run: { prompt: 'Hi' } });
    const hourly = { ...STORED, trigger: { type: 'schedule', interval: '1h' } };
    const daily = { type: 'schedule', cron: '@daily' };
    expect(patched(hourly, { cron: '@daily' })).toEqual({ ...STORED, trigger: daily });
  });

  it('does not change its input', () => {
    const before = structuredClone(STORED);
    patched(STORED, { cron: '@daily', prompt_file: 'x.md', catch_up: '' });
    expect(STORED).toEqual(before);
  });

  it('works on an invalid entry, and omits unknown fields', () => {
    const broken = { trigger: { cron: '@daily', colour: 1 }, run: 'x', enabled: 7, team: 'ops' };
    expect(patched(broken, { prompt: 'Hi' })).toEqual({
      trigger: { type: 'schedule', cron: '@daily' },
      run: { prompt: 'Hi' },
      enabled: 7,
    });
    expect(patched([1], { interval: '1h', prompt: 'x' })).toMatchObject({
      trigger: { type: 'schedule', interval: '1h' },
    });
  });
});

describe('set_trigger on a new trigger', () => {
  // proves: set-trigger.type, set-trigger.enabled
  it.each([
    [
      { cron: '@daily', prompt: 'x' },
      { trigger: { type: 'schedule', cron: '@daily' }, run: { prompt: 'x' }, enabled: false },
    ],
    [
      { interval: '1h', enabled: true },
      { trigger: { type: 'schedule', interval: '1h' }, enabled: true },
    ],
    [{ event: 'onArchive' }, { trigger: { type: 'event', on: 'onArchive' }, enabled: false }],
    [{ prompt: 'x' }, { run: { prompt: 'x' }, enabled: false }],
    [
      { cron: '@daily', event: 'onArchive' },
      { trigger: { cron: '@daily', on: 'onArchive' }, enabled: false },
    ],
  ])('takes its type from its arguments: %j', (args, expected) => {
    expect(patched(null, args)).toEqual(expected);
  });

  // proves: set-trigger.tools
  it.each([
    [
      ['Read', ' Grep ', '', 'Read'],
      ['Read', 'Grep'],
    ],
    ['["Read", "Grep"]', ['Read', 'Grep']],
    ['Read, Grep\nBash,,', ['Read', 'Grep', 'Bash']],
    ['Read', ['Read']],
    ['', []],
    [[], []],
    [[5], [5]],
  ])('tools may be %j', (tools, expected) => {
    expect(patched(null, { type: 'webhook', tools })).toMatchObject({ run: { tools: expected } });
  });
});

describe('invalid arguments are named', () => {
  it.each([
    [
      { cron: '@daily', interval: '1h' },
      ['interval | and cron are both given; give exactly one of them.'],
    ],
    [
      { prompt: 'x', prompt_file: 'x.md' },
      ['prompt_file | and prompt are both given; give exactly one of them.'],
    ],
    [{ tools: 5 }, ['tools | must be a list of tool names, or text such as "Read, Grep", not 5.']],
    [
      { tools: '[Read]' },
      ['tools | must be a list of tool names, or text such as "Read, Grep", not "[Read]".'],
    ],
    [{ promptFile: 'x' }, ['promptFile | is not an argument of set_trigger; leave it out.']],
  ])('%j', (args, expected) => {
    const result = patchTrigger(STORED, args);
    expect(
      result.ok ? [] : result.issues.map(({ path, message }) => `${path} | ${message}`),
    ).toEqual(expected);
  });

  it('faults of the record can be reported with argument names', () => {
    const result = validateTrigger(patched(STORED, { max_turns: 'x', tools: 'Reed', event: 'x' }));
    expect(
      result.ok
        ? []
        : asArguments(result.issues).map(({ path, message }) => `${path} | ${message}`),
    ).toEqual([
      'event | is not valid for type schedule, only for event; remove it.',
      "event | must be 'onArchive' or 'afterTurn', not \"x\".",
      'tools[0] | "Reed" is not a known tool; did you mean "Read"?',
      'max_turns | must be a whole number of at least 1, not "x".',
    ]);
    expect(asArguments([{ path: 'enabled', message: 'm' }])).toEqual([
      { path: 'enabled', message: 'm' },
    ]);
  });
});

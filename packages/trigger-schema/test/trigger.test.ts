import { describe, expect, it } from '@jest/globals';
import { GRANTABLE_TOOLS, PERMISSION_MODES } from '@svc/records';
import { createValidator } from '@svc/schema';
import {
  type KnownRuntime,
  parseProject,
  triggerDefinitionSchema,
  validateTrigger,
} from '@svc/trigger-schema';

const DAILY = { type: 'schedule', cron: '0 9 * * *' };
const PROMPT = { prompt: 'Look around.' };

function record(parts: Record<string, unknown> = {}): Record<string, unknown> {
  return { trigger: DAILY, run: PROMPT, enabled: true, ...parts };
}
const when = (trigger: unknown): unknown => record({ trigger });
const running = (run: Record<string, unknown>): unknown => record({ run: { ...PROMPT, ...run } });
const NATIVE = {
  name: 'native',
  holds: {
    tools: GRANTABLE_TOOLS.filter((tool) => tool !== 'WebSearch'),
    toolAllowList: 'enforced',
    permissionModes: PERMISSION_MODES,
  },
  costly: false,
} as const satisfies KnownRuntime;
const CLAUDE: KnownRuntime = { ...NATIVE, name: 'claude', costly: true, freeModels: ['own'] };
const SCRIPT: KnownRuntime = {
  name: 'script',
  holds: { tools: [], toolAllowList: 'none', permissionModes: ['default'] },
  costly: false,
};
const policy = (value: unknown): unknown => record({ policy: value });

function issuesOf(value: unknown, options = {}): string[] {
  const result = validateTrigger(value, options);
  return result.ok ? [] : result.issues.map(({ path, message }) => `${path} | ${message}`);
}

function warningsOf(value: unknown, options = {}): string[] {
  return validateTrigger(value, options).warnings.map(
    ({ path, message }) => `${path} | ${message}`,
  );
}

describe('a valid trigger', () => {
  // proves: trigger.enabled.default, run.session.default, run.tools.default, run.max-turns.default
  it('is returned with its defaults filled in', () => {
    expect(validateTrigger({ trigger: DAILY, run: PROMPT })).toEqual({
      ok: true,
      warnings: [],
      value: {
        trigger: DAILY,
        run: { prompt: 'Look around.', session: 'new', tools: [], maxTurns: 30 },
        enabled: false,
      },
    });
  });

  it('may use every field that is supported', () => {
    const run = {
      promptFile: 'reports/daily.md',
      session: 'resume',
      tools: ['Read', 'mcp__svc_manage__list_chats'],
      model: 'm',
      permissionMode: 'acceptEdits',
      maxTurns: 5,
      maxSpawnDepth: 0,
      timeout: '7d',
      runtime: 'native',
    };
    const trigger = { ...DAILY, timezone: 'Europe/Berlin' };
    const policies = { overlap: 'skip', catchUp: 'none', catchUpWindow: '2h' };
    const value = { trigger, run, enabled: true, policy: policies };
    expect(validateTrigger(value)).toEqual({ ok: true, value, warnings: [] });
  });

  const sound: [string, unknown][] = [
    ['an interval', when({ type: 'schedule', interval: '1 day' })],
    ['the macro @hourly', when({ type: 'schedule', cron: '@hourly' })],
    ['a webhook alone', { trigger: { type: 'webhook' } }],
    [
      'an enabled webhook with a run that has no prompt',
      { trigger: { type: 'webhook' }, run: {}, enabled: true },
    ],
    [
      'null in place of absent fields',
      record({
        trigger: { ...DAILY, interval: null, timezone: null, on: null },
        run: {
          ...PROMPT,
          promptFile: null,
          session: null,
          tools: null,
          model: null,
          maxTurns: null,
          timeout: null,
          runtime: null,
        },
        enabled: null,
        policy: null,
      }),
    ],
    ['null in a policy', policy({ overlap: null, jitter: null, firesPerDay: null })],
    ['a limit of cost', policy({ costPerDayUsd: 0.5 })],
    ['a blank prompt beside a promptFile', running({ prompt: ' \n', promptFile: 'x.md' })],
    ['a file below folders', running({ prompt: null, promptFile: 'a/b c/d..e.md' })],
    ['a file named like an option', running({ prompt: null, promptFile: '..a.md' })],
    ['a prompt of 256 KiB', running({ prompt: 'x'.repeat(256 * 1024) })],
    ['a model of 200 characters', running({ model: 'x'.repeat(200) })],
  ];
  // proves: trigger.webhook.reserved
  it.each(sound)('%s is accepted', (_what, value) => {
    expect(issuesOf(value)).toEqual([]);
  });

  it('matches the published schema', () => {
    const matches = createValidator(triggerDefinitionSchema);
    for (const [, value] of sound) {
      const result = validateTrigger(value);
      if (!result.ok) throw new Error(JSON.stringify(result.issues));
      expect(matches(result.value)).toEqual({ ok: true, value: result.value });
    }
  });

  it('loses duplicate tools and keeps their order', () => {
    const result = validateTrigger(running({ tools: ['Grep', 'Read', 'Grep'] }));
    expect(result.ok && result.value.run.tools).toEqual(['Grep', 'Read']);
  });

  it('loses a policy without fields and a blank prompt', () => {
    const value = record({ policy: {}, run: { prompt: '', promptFile: 'x.md' } });
    const result = validateTrigger(value);
    expect(result.ok && Object.keys(result.value)).toEqual(['trigger', 'run', 'enabled']);
    expect(result.ok && result.value.run.prompt).toBe(undefined);
  });
});

describe('a fault has its path and the fix', () => {
  const cases: [string, unknown, string[]][] = [
    [
      'no value',
      undefined,
      [' | is empty; it must be a map with the fields trigger, run and enabled.'],
    ],
    ['a list', [], [' | is a list; it must be a map with the fields trigger, run and enabled.']],
    [
      'no trigger',
      { run: PROMPT },
      ['trigger | is required: a map such as { type: schedule, cron: "0 9 * * *" }.'],
    ],
    ['a trigger that is text', when('daily'), ['trigger | must be a map of fields, not "daily".']],
    [
      'no type',
      when({ cron: '0 9 * * *' }),
      ["trigger.type | is required: 'schedule', 'event' or 'webhook'."],
    ],
    [
      'an unknown type',
      when({ type: 'cron' }),
      ["trigger.type | must be 'schedule', 'event' or 'webhook', not \"cron\"."],
    ],
    [
      'no cron and no interval',
      when({ type: 'schedule' }),
      ['trigger.cron | or interval is required: a schedule needs exactly one of them.'],
    ],
    [
      'cron and interval',
      when({ ...DAILY, interval: '1h' }),
      ['trigger.interval | and cron are both set; a schedule needs exactly one of them.'],
    ],
    [
      'a cron that never fires',
      when({ type: 'schedule', cron: '0 0 30 2 *' }),
      [expect.stringMatching(/^trigger\.cron \| never fires/) as unknown as string],
    ],
    [
      'a cron of four fields',
      when({ type: 'schedule', cron: '0 9 * *' }),
      [expect.stringMatching(/^trigger\.cron \| has 4 fields/) as unknown as string],
    ],
    [
      'a cron that is a number',
      when({ type: 'schedule', cron: 5 }),
      [expect.stringMatching(/^trigger\.cron \| /) as unknown as string],
    ],
    [
      'an interval without unit',
      when({ type: 'schedule', interval: 30 }),
      [expect.stringMatching(/^trigger\.interval \| .*"30m"/) as unknown as string],
    ],
    [
      'a compound interval',
      when({ type: 'schedule', interval: '1h30m' }),
      [expect.stringMatching(/^trigger\.interval \| .*"90m"/) as unknown as string],
    ],
    [
      'a time zone that is none',
      when({ ...DAILY, timezone: 'Mars' }),
      [expect.stringMatching(/^trigger\.timezone \| "Mars" is not an IANA/) as unknown as string],
    ],
    [
      'a time zone with an interval',
      when({ type: 'schedule', interval: '1h', timezone: 'UTC' }),
      ['trigger.timezone | applies only to cron, not to interval; remove it.'],
    ],
    [
      'an event that is none',
      when({ type: 'event', on: 'onOpen' }),
      ["trigger.on | must be 'onArchive' or 'afterTurn', not \"onOpen\"."],
    ],
    [
      'no event',
      when({ type: 'event' }),
      ["trigger.on | is required for an event trigger: 'onArchive' or 'afterTurn'."],
    ],
    [
      'a cron on an event',
      when({ type: 'event', on: 'onArchive', cron: '@daily' }),
      ['trigger.cron | is not valid for type event, only for schedule; remove it.'],
    ],
    [
      'an event on a schedule',
      when({ ...DAILY, on: 'onArchive' }),
      ['trigger.on | is not valid for type schedule, only for event; remove it.'],
    ],
    [
      'an interval on a webhook',
      when({ type: 'webhook', interval: '1h' }),
      ['trigger.interval | is not valid for type webhook, only for schedule; remove it.'],
    ],
    ['no run', { trigger: DAILY }, ['run | is required: a map with a prompt or a promptFile.']],
    ['a run that is a list', record({ run: [] }), ['run | must be a map of fields, not a list.']],
    [
      'no prompt',
      record({ run: {} }),
      ['run.prompt | or promptFile is required, and must not be blank.'],
    ],
    [
      'a blank prompt',
      record({ run: { prompt: '\t' } }),
      ['run.prompt | or promptFile is required, and must not be blank.'],
    ],
    [
      'both prompts',
      running({ promptFile: 'x.md' }),
      ['run.promptFile | and prompt are both given; keep exactly one of them.'],
    ],
    [
      'both prompts on a webhook',
      { trigger: { type: 'webhook' }, run: { ...PROMPT, promptFile: 'x.md' } },
      ['run.promptFile | and prompt are both given; keep exactly one of them.'],
    ],
    [
      'a prompt that is a number',
      record({ run: { prompt: 7 } }),
      ['run.prompt | must be text, not 7.'],
    ],
    [
      'a prompt of more than 256 KiB',
      running({ prompt: 'é'.repeat(128 * 1024 + 1) }),
      ['run.prompt | must be at most 256 KiB; put a longer one into a promptFile.'],
    ],
    [
      'half a character',
      running({ prompt: 'a\ud800' }),
      ['run.prompt | must be valid Unicode: remove the lone surrogate.'],
    ],
    [
      'another session',
      running({ session: 'old' }),
      ["run.session | must be 'new' or 'resume', not \"old\"."],
    ],
    [
      'tools that are text',
      running({ tools: 'Read' }),
      ['run.tools | must be a list of tool names, such as [Read, Grep], not "Read".'],
    ],
    [
      'an unknown tool',
      running({ tools: ['Read', 'reed'] }),
      ['run.tools[1] | "reed" is not a known tool; did you mean "Read"?'],
    ],
    [
      'an operation without the name of its server',
      running({ tools: ['create_chat'] }),
      [
        'run.tools[0] | "create_chat" is not a known tool; did you mean "mcp__svc_manage__create_chat"?',
      ],
    ],
    [
      'an unknown tool',
      running({ tools: ['Teleport'] }),
      [
        'run.tools[0] | "Teleport" is not a known tool. Known tools: Read, Glob, Grep, Edit, Write, NotebookEdit, Bash, WebFetch, WebSearch, Task, and operations of svc.',
      ],
    ],
    [
      'a tool that is null',
      running({ tools: [null] }),
      ['run.tools[0] | must be the name of a tool, not null.'],
    ],
    [
      '201 tools',
      running({ tools: Array(201).fill('Read') }),
      ['run.tools | must have at most 200 entries, not 201.'],
    ],
    [
      'an empty model',
      running({ model: '' }),
      ['run.model | must not be empty; use a value or leave it out.'],
    ],
    [
      'a long model',
      running({ model: 'x'.repeat(201) }),
      ['run.model | must have at most 200 characters, not 201.'],
    ],
    [
      'another mode',
      running({ permissionMode: 'yolo' }),
      [
        "run.permissionMode | must be 'default', 'acceptEdits', 'bypassPermissions' or 'plan', not \"yolo\".",
      ],
    ],
    [
      'no turns',
      running({ maxTurns: 0 }),
      ['run.maxTurns | must be a whole number of at least 1, not 0.'],
    ],
    [
      'turns as text',
      running({ maxTurns: '5' }),
      ['run.maxTurns | must be a whole number of at least 1, not "5".'],
    ],
    [
      'half a turn',
      running({ maxTurns: 1.5 }),
      ['run.maxTurns | must be a whole number of at least 1, not 1.5.'],
    ],
    [
      'a negative depth',
      running({ maxSpawnDepth: -1 }),
      ['run.maxSpawnDepth | must be a whole number of at least 0, not -1.'],
    ],
    ['a timeout of eight days', running({ timeout: '8d' }), ['run.timeout | must be at most 7d.']],
    [
      'a timeout of nothing',
      running({ timeout: '0s' }),
      [expect.stringMatching(/^run\.timeout \| "0s" is zero/) as unknown as string],
    ],
    [
      'a timeout that is a number',
      running({ timeout: 60 }),
      [expect.stringMatching(/^run\.timeout \| .*"60m"/) as unknown as string],
    ],
    [
      'another runtime',
      running({ runtime: 'claude' }),
      ['run.runtime | "claude" is unknown; use \'native\'.'],
    ],
    [
      'enabled as text',
      record({ enabled: 'yes' }),
      ['enabled | must be true or false, not "yes".'],
    ],
    ['a policy that is text', policy('skip'), ['policy | must be a map of fields, not "skip".']],
    [
      'overlap: allow on one chat',
      record({ run: { ...PROMPT, session: 'resume' }, policy: { overlap: 'allow' } }),
      [
        "policy.overlap | 'allow' cannot be combined with session: resume, whose turns never overlap; use 'skip' or 'queue'.",
      ],
    ],
    [
      'another overlap',
      policy({ overlap: 1 }),
      ["policy.overlap | must be 'skip', 'queue' or 'allow', not 1."],
    ],
    [
      'another catch-up',
      policy({ catchUp: 'all' }),
      ["policy.catchUp | must be 'none' or 'latest', not \"all\"."],
    ],
    [
      'a window without unit',
      policy({ catchUpWindow: '5' }),
      [expect.stringMatching(/^policy\.catchUpWindow \| .*"5m"/) as unknown as string],
    ],
    [
      'a jitter that is too long',
      policy({ jitter: '25h' }),
      [expect.stringMatching(/^policy\.jitter \| .*1d/) as unknown as string],
    ],
    [
      'no failures to be paused after',
      policy({ pauseAfterFailures: 0 }),
      ['policy.pauseAfterFailures | must be a whole number from 1 to 1000, not 0.'],
    ],
    [
      'too many failures to be paused after',
      policy({ pauseAfterFailures: 1001 }),
      ['policy.pauseAfterFailures | must be a whole number from 1 to 1000, not 1001.'],
    ],
    [
      'firesPerDay',
      policy({ firesPerDay: 0 }),
      ['policy.firesPerDay | must be a whole number from 1 to 86400, not 0.'],
    ],
    [
      'costPerDayUsd',
      policy({ costPerDayUsd: 0 }),
      ['policy.costPerDayUsd | must be a number above 0, up to 100000, not 0.'],
    ],
    [
      'costPerDayUsd as text',
      policy({ costPerDayUsd: '5' }),
      ['policy.costPerDayUsd | must be a number above 0, up to 100000, not "5".'],
    ],
  ];
  // proves: trigger.type, trigger.cron.form, trigger.event.names, trigger.schedule.one-of
  // proves: run.prompt.one-of, run.prompt.both, run.tools.catalogue, run.permission-mode
  // proves: run.max-spawn-depth
  it.each(cases)('%s', (_what, value, expected) => {
    expect(issuesOf(value)).toEqual(expected);
  });

  // proves: run.prompt-file.name
  it.each([
    '../x.md',
    'a/../b.md',
    '/etc/x.md',
    'C:x.md',
    'C:/x.md',
    'a\\b.md',
    '..\\x.md',
    'x.md\0.txt',
    'a\0.md',
    'a//b.md',
    './x.md',
    'a/./b.md',
    'a/',
    'x.txt',
    'x',
    'x.MD',
    '.md',
    'a/.md',
    ' x.md',
    'a/ b.md',
    'x.md ',
    'x\n.md',
    `${'x'.repeat(253)}.md`,
    5,
    ['x.md'],
    '..',
    '../.md',
  ])('the file name %j is refused', (promptFile) => {
    const issues = issuesOf({ trigger: DAILY, run: { promptFile } });
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(/^run\.promptFile \| .*\.$/);
  });

  it('all faults are reported at once', () => {
    const value = {
      trigger: { type: 'schedule', cron: '61 * * * *', timezone: 'Nowhere' },
      run: { tools: ['Red', 3], maxTurns: 'x', session: 'x', timeout: 'x' },
      enabled: 1,
      policy: { overlap: 'x', jitter: 1 },
    };
    const result = validateTrigger(value);
    expect(result.ok ? [] : result.issues.map((issue) => issue.path)).toEqual([
      'trigger.cron',
      'trigger.timezone',
      'run.prompt',
      'run.session',
      'run.tools[0]',
      'run.tools[1]',
      'run.maxTurns',
      'run.timeout',
      'enabled',
      'policy.overlap',
      'policy.jitter',
    ]);
  });

  it('inherited fields do not count', () => {
    expect(issuesOf(Object.create({ trigger: DAILY, run: PROMPT }))).toHaveLength(2);
  });
});

describe('options', () => {
  it('set the shortest interval', () => {
    const value = when({ type: 'schedule', interval: '10s' });
    expect(issuesOf(value)).toEqual([]);
    expect(issuesOf(value, { minIntervalMs: 60_000 })).toEqual([
      'trigger.interval | must be at least 60s.',
    ]);
  });

  it('name the runtimes and tools', () => {
    const value = running({ runtime: 'claude', tools: ['Own'] });
    expect(issuesOf(value, { runtimes: [NATIVE, CLAUDE], tools: ['Own'] })).toEqual([]);
  });

  it('add a warning about tools that will be absent', () => {
    const unavailableTools = [
      { name: 'WebSearch', reason: 'the native runtime does not offer it' },
    ];
    expect(warningsOf(running({ tools: ['Read', 'WebSearch'] }), { unavailableTools })).toEqual([
      'run.tools[1] | "WebSearch" will not be available when the trigger fires: the native runtime does not offer it.',
    ]);
  });
});

describe('a cost warning', () => {
  const often = { type: 'schedule', interval: '1m' };
  const on = (runtime?: string, model?: string) =>
    record({ trigger: often, run: { ...PROMPT, runtime, model } });
  const runtimes = [NATIVE, CLAUDE];
  it.each([
    ['a runtime that costs', on('claude'), {}, 1],
    ['one that does not', on('native'), {}, 0],
    ['the default, which does not', on(), {}, 0],
    ['the default, which does', on(), { defaultRuntime: 'claude' }, 1],
    ['a model that costs nothing', on('claude', 'own'), {}, 0],
    ['where none costs', on(), { runtimes: [NATIVE] }, 0],
  ])('for %s', (_name, trigger, rules, warnings) => {
    expect(warningsOf(trigger, { runtimes, ...rules })).toHaveLength(warnings);
  });

  it('follows the runtime of the keeper, also for legacy schedules', () => {
    const text = (runtime: string) =>
      `keeper: { runtime: ${runtime} }
triggers: { a: { trigger: { type: schedule, interval: 1m }, run: { prompt: Go. }, enabled: true } }
schedules: { b: { type: interval, interval: 1m, prompt: Go. } }
`;
    const count = (runtime: string, name: string) => {
      const file = parseProject(text(runtime), { runtimes });
      if (!file.ok) throw new Error('not a file');
      const { triggers, schedules } = file.value;
      return (triggers.get(name) ?? schedules.get(name))?.warnings.length;
    };
    expect([count('claude', 'a'), count('native', 'a')]).toEqual([1, 0]);
    expect([count('claude', 'b'), count('native', 'b')]).toEqual([1, 0]);
  });
});

describe('a cost limit', () => {
  const costUnknown = 'cannot be enforced: the cost of turns of claude is not known. Set prices.';
  const runtimes = [NATIVE, { ...CLAUDE, costUnknown }];
  const limited = { costPerDayUsd: 1 };
  const on = (runtime: string, policy?: object, model?: string) =>
    record({ run: { ...PROMPT, runtime, model }, policy });

  // proves: limits.cost-per-day.known
  it.each([
    ['of its own', on('claude', limited), {}, [`policy.costPerDayUsd | ${costUnknown}`]],
    [
      'of the project',
      on('claude'),
      { projectCostPerDayUsd: 1 },
      [`run.runtime | conflicts with the costPerDayUsd of the project: ${costUnknown}`],
    ],
    ['of its own, with a model that is free', on('claude', limited, 'own'), {}, []],
    ['of its own, where the cost is known', on('native', limited), {}, []],
    ['of none', on('claude'), {}, []],
  ])('is refused if turns have no known cost: %s', (_name, trigger, rules, issues) => {
    expect(issuesOf(trigger, { runtimes, ...rules })).toEqual(issues);
  });

  it('of a project applies to its legacy schedules too', () => {
    const file = parseProject(
      'costPerDayUsd: 1\nkeeper: { runtime: claude }\nschedules: { b: { type: interval, interval: 1h, prompt: Go. } }\n',
      { runtimes },
    );
    const invalid = file.ok ? file.value.invalid : [];
    expect(invalid.map(({ name, issues }) => [name, issues[0]?.message])).toEqual([
      ['b', expect.stringContaining(costUnknown)],
    ]);
  });
});

describe('a limit that the runtime cannot enforce', () => {
  const rules = { runtimes: [NATIVE, SCRIPT] };
  const onScript = (run: object, trigger: object = DAILY) =>
    record({ trigger, run: { ...PROMPT, runtime: 'script', ...run } });
  const event = { type: 'event', on: 'onArchive' };
  const why = 'cannot be enforced: the script runtime does not restrict its agent';
  const better = 'use runtime: native, or';

  it.each([
    [
      'a list of tools',
      onScript({ tools: ['Read'] }),
      [`run.tools | ${why}; ${better} leave the list out.`],
    ],
    [
      'an event without a list',
      onScript({}, event),
      [
        `run.tools | is empty, which means no tools on an event, and that ${why}; ${better} fire it on a schedule.`,
      ],
    ],
    [
      'plan',
      onScript({ permissionMode: 'plan' }),
      [`run.permissionMode | is plan, which ${why}; ${better} use another mode.`],
    ],
    [
      'a spawn depth, also 0',
      onScript({ maxSpawnDepth: 0 }),
      [`run.maxSpawnDepth | ${why}; ${better} leave it out.`],
    ],
    ['another mode: none', onScript({ permissionMode: 'bypassPermissions', maxTurns: 3 }), []],
    ['the keeper on a schedule: none', onScript({ tools: [] }), []],
    ['a runtime that holds all: none', running({ tools: ['Read'], permissionMode: 'plan' }), []],
  ])('%s', (_name, trigger, issues) => {
    expect(issuesOf(trigger, rules)).toEqual(issues);
  });

  it('is reported if the runtime is that of the project or instance', () => {
    expect(issuesOf(running({ tools: ['Read'] }), { ...rules, defaultRuntime: 'script' })).toEqual([
      `run.tools | ${why}; ${better} leave the list out.`,
    ]);
  });

  it('is plan, if a runtime that enforces lists does not know that mode', () => {
    const simple = { ...NATIVE, name: 'simple', holds: { ...NATIVE.holds, permissionModes: [] } };
    const given = { runtimes: [simple], defaultRuntime: 'simple' };
    expect(issuesOf(running({ permissionMode: 'plan', tools: ['Read'] }), given)).toEqual([
      'run.permissionMode | is plan, which cannot be enforced: the simple runtime does not know it; use another mode.',
    ]);
  });

  it('leaves an entry of a file valid, with a warning at its position', () => {
    const file = parseProject(
      `keeper: { runtime: script }
triggers:
  a: { trigger: { type: schedule, interval: 1h }, run: { prompt: Go., tools: [Read] }, enabled: true }
`,
      rules,
    );
    if (!file.ok) throw new Error('not a file');
    expect(file.value.invalid).toEqual([]);
    const message = `${why}; ${better} leave the list out; it will not fire.`;
    expect(file.value.triggers.get('a')?.warnings).toEqual([
      { path: 'run.tools', message, line: 3, column: 78 },
    ]);
  });
});

describe('an unknown runtime', () => {
  const rules = { runtimes: [NATIVE, CLAUDE] };

  it.each([
    ['cloude', '"cloude" is unknown; did you mean "claude"?'],
    ['gpt', `"gpt" is unknown; use 'native' or 'claude'.`],
  ])('is a fault: %s', (runtime, message) => {
    expect(issuesOf(running({ runtime }), rules)).toEqual([`run.runtime | ${message}`]);
  });

  it('makes an entry of a file invalid', () => {
    const text = 'triggers: { a: { trigger: { type: webhook }, run: { runtime: cloude } } }';
    const file = parseProject(text, rules);
    expect(file.ok && file.value.invalid.map(({ name }) => name)).toEqual(['a']);
  });
});

describe('a tool that the runtime lacks', () => {
  it('is accepted with a warning, whatever the runtime', () => {
    const bare = { ...NATIVE, name: 'bare', holds: { ...NATIVE.holds, tools: ['Read'] } };
    const value = running({ runtime: 'bare', tools: ['Read', 'Bash'] });
    expect(warningsOf(value, { runtimes: [NATIVE, bare] })).toEqual([
      'run.tools[1] | "Bash" will not be available when the trigger fires: the bare runtime does not have it.',
    ]);
  });
});

describe('a warning', () => {
  const cases: [string, unknown, string[]][] = [
    [
      'of an interval under five minutes',
      when({ type: 'schedule', interval: '1m' }),
      [
        'trigger.interval | "1m" fires 1440 times a day, and each run may incur model costs on the native runtime.',
      ],
    ],
    ['is not given for five minutes', when({ type: 'schedule', interval: '5m' }), []],
    ['is not given for an event trigger', when({ type: 'event', on: 'onArchive' }), []],
    [
      'of a catch-up on a webhook',
      { trigger: { type: 'webhook' }, policy: { catchUp: 'none' } },
      ["policy.catchUp | has no effect on a trigger of type 'webhook'."],
    ],
  ];
  it.each(cases)('%s', (_what, value, expected) => {
    expect(warningsOf(value)).toEqual(expected);
  });
});

describe('unknown fields', () => {
  const value = {
    trigger: { ...DAILY, colour: 'red' },
    run: { ...PROMPT, budget: 3 },
    enabled: false,
    'x-own': 1,
    team: 'ops',
    name: 'n',
    agentName: 'a',
    lastRun: null,
    upcoming: [],
  };

  it('of a file are kept with a warning, except those that begin with x-', () => {
    const result = validateTrigger(value, { unknownKeys: 'warn' });
    expect(result.ok).toBe(true);
    expect(result.warnings.map((warning) => warning.path)).toEqual([
      'team',
      'name',
      'agentName',
      'lastRun',
      'upcoming',
      'trigger.colour',
      'run.budget',
    ]);
    expect(result.warnings[0]?.message).toBe('is not a known field and has no effect.');
  });

  it('of a record in a request are ignored with a warning; read-only fields of a response are accepted', () => {
    const result = validateTrigger(value, { unknownKeys: 'refuse-misspelt' });
    expect(result.ok).toBe(true);
    expect(result.warnings.map((warning) => warning.path)).toEqual([
      'team',
      'trigger.colour',
      'run.budget',
    ]);
  });

  const misspelt: [Record<string, unknown>, string, string][] = [
    [{ run: { ...PROMPT, prompt_file: 'x' } }, 'run.prompt_file', 'promptFile'],
    [{ run: { ...PROMPT, permission_mode: 'x' } }, 'run.permission_mode', 'permissionMode'],
    [{ run: { ...PROMPT, maxturns: 1 } }, 'run.maxturns', 'maxTurns'],
    [{ run: { ...PROMPT, 'max-spawn-depth': 1 } }, 'run.max-spawn-depth', 'maxSpawnDepth'],
    [{ run: { ...PROMPT, tool: [] } }, 'run.tool', 'tools'],
    [{ run: { ...PROMPT, sessoin: 'new' } }, 'run.sessoin', 'session'],
    [{ run: { ...PROMPT, cron: '@daily' } }, 'run.cron', 'trigger.cron'],
    [{ trigger: { ...DAILY, corn: 1 } }, 'trigger.corn', 'cron'],
    [{ trigger: { ...DAILY, event: 'onArchive' } }, 'trigger.event', 'on'],
    [{ enabeld: true }, 'enabeld', 'enabled'],
    [{ Run: {} }, 'Run', 'run'],
    [{ prompt: 'x' }, 'prompt', 'run.prompt'],
    [{ policy: { catch_up: 'none' } }, 'policy.catch_up', 'catchUp'],
  ];
  it.each(misspelt)('%j looks like a typo', (parts, path, meant) => {
    const message = 'is not a known field';
    expect(issuesOf(record(parts), { unknownKeys: 'refuse-misspelt' })).toEqual([
      `${path} | ${message}; did you mean ${meant}?`,
    ]);
    expect(warningsOf(record(parts), { unknownKeys: 'warn' })).toEqual([
      `${path} | ${message} and has no effect; did you mean ${meant}?`,
    ]);
  });
});

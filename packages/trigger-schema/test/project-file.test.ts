import { describe, expect, it } from '@jest/globals';
import { createValidator } from '@svc/schema';
import {
  type KnownRuntime,
  type ProjectFile,
  parseProject,
  projectSettingsSchema,
} from '@svc/trigger-schema';

function project(text: string): ProjectFile {
  const parsed = parseProject(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.value;
}

function faultsOf(text: string): string[] {
  const parsed = parseProject(text);
  return parsed.ok
    ? []
    : parsed.issues.map((issue) => `${issue.line}:${issue.column} ${issue.message}`);
}

const RUNTIME: KnownRuntime = {
  name: 'native',
  holds: { tools: ['Read'], toolAllowList: 'enforced', permissionModes: ['default', 'plan'] },
  costly: false,
};

const DEFAULTS = { status: 'active', hooksMcpEnabled: false, keeper: {} };

describe('a project file', () => {
  it.each([
    '',
    '\n',
    '# only a comment',
    '\uFEFF',
    '---\n',
    '---\n...\n',
    '...\n',
    'null',
    '~ # nothing',
  ])('without content, %j, is an empty project', (text) => {
    const { settings, triggers, schedules, invalid, fileIssues, warnings } = project(text);
    expect(settings).toEqual(DEFAULTS);
    expect([triggers.size, schedules.size, invalid, fileIssues, warnings]).toEqual([
      0,
      0,
      [],
      [],
      [],
    ]);
  });

  it.each(['triggers:\nschedules: ~\n', 'triggers: null', 'triggers: {}\nschedules: {}'])(
    'may have empty maps: %j',
    (text) => {
      const { triggers, fileIssues } = project(text);
      expect([triggers.size, fileIssues]).toEqual([0, []]);
    },
  );

  it('contains its settings, triggers and schedules', () => {
    const text = `\uFEFFname: Web
summary: The site
area: marketing
status: paused
repo: https://example.org/web.git
hooksMcpEnabled: false
maxSpawnDepth: 2
keeper: { runtime: native, model: m, permissionMode: plan, instructions: Be kind }
triggers:
  daily:
    trigger: { type: schedule, cron: "0 9 * * *" }
    run: { prompt: Hi }
    enabled: true
schedules:
  old: { type: interval, interval: 6h, prompt: Hi }
`;
    const { settings, triggers, schedules, invalid, fileIssues, warnings, written } = project(text);
    expect(settings).toEqual({
      name: 'Web',
      summary: 'The site',
      area: 'marketing',
      status: 'paused',
      repo: 'https://example.org/web.git',
      hooksMcpEnabled: false,
      maxSpawnDepth: 2,
      keeper: { runtime: 'native', model: 'm', permissionMode: 'plan', instructions: 'Be kind' },
    });
    expect(createValidator(projectSettingsSchema)(settings).ok).toBe(true);
    expect([...triggers]).toEqual([
      [
        'daily',
        {
          record: {
            trigger: { type: 'schedule', cron: '0 9 * * *' },
            run: { prompt: 'Hi', session: 'new', tools: [], maxTurns: 30 },
            enabled: true,
          },
          warnings: [],
          promptAt: { line: 12, column: 20 },
        },
      ],
    ]);
    expect(schedules.get('old')?.record).toEqual({
      type: 'interval',
      interval: '6h',
      prompt: 'Hi',
      resume_session: false,
      enabled: true,
    });
    expect(written.get('daily')).toEqual({
      trigger: { type: 'schedule', cron: '0 9 * * *' },
      run: { prompt: 'Hi' },
      enabled: true,
    });
    expect([invalid, fileIssues, warnings]).toEqual([[], [], []]);
  });

  // proves: trigger.stored
  it('one invalid entry does not affect others, and its faults have lines and columns', () => {
    const text = `triggers:
  good: { trigger: { type: webhook }, enabled: true }
  bad:
    trigger:
      type: schedule
      cron: "0 9 * *"
    run:
      prompt: Hi
      tools:
        - Read
        - Reed
      maxTurns: zero
  worse: [1]
  empty:
  a/b: { trigger: { type: webhook } }
`;
    const { triggers, invalid } = project(text);
    expect([...triggers.keys()]).toEqual(['good']);
    const places = invalid.map(({ source, name, issues }) => [
      source,
      name,
      issues.map(({ path, line, column }) => `${path} ${line}:${column}`),
    ]);
    expect(places).toEqual([
      ['trigger', 'bad', ['trigger.cron 6:13', 'run.tools[1] 11:11', 'run.maxTurns 12:17']],
      ['trigger', 'worse', [' 13:10']],
      ['trigger', 'empty', [' 14:3']],
      ['trigger', 'a/b', ['name 15:3']],
    ]);
  });

  it('a fault of an absent field has the position of the map that lacks it', () => {
    const { invalid } = project(
      'triggers:\n  a:\n    trigger: {type: schedule}\n    run:\n      maxTurns: 3\n    enabled: true\n',
    );
    expect(invalid[0]?.issues.map(({ path, line, column }) => [path, line, column])).toEqual([
      ['trigger.cron', 3, 5],
      ['run.prompt', 4, 5],
    ]);
  });

  it('any allowed name works, __proto__ is refused', () => {
    const names = [
      'constructor',
      'toString',
      'a..b',
      'hasOwnProperty',
      '123',
      '007',
      'true',
      'null',
      '~',
    ];
    const entries = [...names, '__proto__'].map(
      (name) => `  ${name}: {trigger: {type: webhook}, enabled: true}`,
    );
    const { triggers, invalid, written } = project(`triggers:\n${entries.join('\n')}\n`);
    expect([...triggers.keys()]).toEqual(names);
    expect(invalid.map(({ name }) => name)).toEqual(['__proto__']);
    expect([...written.keys()]).toEqual([...names, '__proto__']);
    expect(({} as Record<string, unknown>)['trigger']).toBe(undefined);
  });

  it('fields named __proto__ inside an entry are unknown fields', () => {
    const { triggers } = project(
      'triggers: {a: {trigger: {type: webhook, __proto__: {type: event}}, enabled: true}}',
    );
    expect(triggers.get('a')?.warnings.map((warning) => warning.path)).toEqual([
      'trigger.__proto__',
    ]);
    expect(triggers.get('a')?.record.trigger).toEqual({ type: 'webhook' });
  });

  // proves: trigger.enabled.default
  it('absent enabled is false with a warning in triggers, true in schedules', () => {
    const { triggers, schedules } = project(
      'triggers:\n  a: {trigger: {type: webhook}}\nschedules:\n  b: {type: cron, cron: "@daily", prompt: x}\n',
    );
    expect(triggers.get('a')).toEqual({
      record: {
        trigger: { type: 'webhook' },
        run: { session: 'new', tools: [], maxTurns: 30 },
        enabled: false,
      },
      warnings: [
        {
          path: 'enabled',
          message: 'is absent, so the trigger is not armed; set enabled: true or false.',
          line: 2,
          column: 3,
        },
      ],
    });
    expect(schedules.get('b')).toMatchObject({ record: { enabled: true }, warnings: [] });
  });

  // proves: schedules.coexist
  it('a name in both maps is a warning', () => {
    const { warnings, triggers, schedules } = project(
      'triggers:\n  a: {trigger: {type: webhook}, enabled: true}\nschedules:\n  a: {type: cron, cron: "@daily", prompt: x}\n',
    );
    expect([triggers.size, schedules.size]).toEqual([1, 1]);
    expect(warnings).toEqual([
      {
        path: 'schedules.a',
        message: 'is also the name of a trigger; both are armed.',
        line: 4,
        column: 3,
      },
    ]);
  });

  it('a value that must be a map is reported, and the other map works', () => {
    const { triggers, schedules, fileIssues } = project(
      'triggers: [1]\nschedules:\n  b: {type: cron, cron: "@daily", prompt: x}\n',
    );
    expect([triggers.size, schedules.size]).toEqual([0, 1]);
    expect(fileIssues).toEqual([
      {
        path: 'triggers',
        message: 'must be a map from names to entries, not a list; none are armed.',
        line: 1,
        column: 11,
      },
    ]);
  });

  it('an unsupported feature is reported, not ignored', () => {
    const { settings, fileIssues } = project('hooksMcpEnabled: true\nkeeper: {runtime: claude}\n');
    expect(settings).toEqual({
      ...DEFAULTS,
      hooksMcpEnabled: true,
      keeper: { runtime: 'claude' },
    });
    expect(fileIssues.map(({ path, line }) => [path, line])).toEqual([['keeper.runtime', 2]]);
  });

  it('a bad setting is reported and left at its default, or at its strictest value if it restricts agents', () => {
    const { settings, fileIssues } = project(
      'status: sleeping\nhooksMcpEnabled: "true"\nmaxSpawnDepth: 9\nname: [x]\nsummary: ""\nkeeper: {permissionMode: yolo, model: m}\ncostPerDayUsd: 5 dollars\n',
    );
    expect(settings).toEqual({
      ...DEFAULTS,
      maxSpawnDepth: 0,
      costPerDayUsd: 0,
      keeper: { model: 'm', permissionMode: 'plan' },
    });
    expect(fileIssues.map(({ path, line, column }) => [path, line, column])).toEqual([
      ['name', 4, 7],
      ['status', 1, 9],
      ['hooksMcpEnabled', 2, 18],
      ['maxSpawnDepth', 3, 16],
      ['costPerDayUsd', 7, 16],
      ['keeper.permissionMode', 6, 26],
    ]);
  });

  it('unknown settings have a warning with a suggestion', () => {
    const { warnings } = project('tiggers: {}\nx-own: 1\nkeeper: {modell: m}\n');
    expect(warnings.map(({ message, line }) => `${line} ${message}`)).toEqual([
      '1 is not a known field and has no effect; did you mean triggers?',
      '3 is not a known field and has no effect; did you mean model?',
    ]);
  });

  it('options apply to the entries', () => {
    const text =
      'triggers: {a: {trigger: {type: schedule, interval: 10s}, run: {prompt: x, runtime: r}, enabled: true}}';
    const parsed = parseProject(text, {
      minIntervalMs: 60_000,
      runtimes: [{ ...RUNTIME, name: 'r' }],
    });
    expect(parsed.ok && parsed.value.invalid[0]?.issues.map((issue) => issue.path)).toEqual([
      'trigger.interval',
    ]);
  });
});

describe('YAML', () => {
  it('is version 1.2 with the core schema', () => {
    const { written } = project('triggers: {a: [yes, on, 010, 0o10, 1_000, 2024-01-01, ~, .inf]}');
    expect(written.get('a')).toEqual(['yes', 'on', 10, 8, '1_000', '2024-01-01', null, Infinity]);
  });

  it('anchors, aliases and merge keys are resolved', () => {
    const text = `x-base: &base
  run: &run { prompt: shared, maxTurns: 5 }
triggers:
  a: { <<: *base, trigger: { type: webhook }, enabled: true }
  b: { trigger: { type: webhook }, run: { maxTurns: 6, <<: *run }, enabled: true }
  c: { <<: [{ enabled: true, run: { prompt: first } }, *base], trigger: { type: webhook } }
`;
    const runs = [...project(text).triggers.values()].map(({ record }) => [
      record.run.prompt,
      record.run.maxTurns,
      record.enabled,
    ]);
    expect(runs).toEqual([
      ['shared', 5, true],
      ['shared', 6, true],
      ['first', 30, true],
    ]);
  });

  const faults: [string, string, string[]][] = [
    ['a doubled key', 'a: 1\nb:\n  c: 1\n  c: 2\n', ['4:3 has the key "c" twice; keep one.']],
    [
      'a key doubled in another form',
      'triggers:\n  1: {}\n  "1": {}\n',
      ['3:3 has the key "1" twice; keep one.'],
    ],
    [
      'two documents',
      'a: 1\n---\nb: 2\n',
      ['2:1 contains a second document; keep one, without a further ---.'],
    ],
    [
      'a custom tag',
      'a: 1\nb: !env HOME\n',
      [
        '2:4 is not valid YAML: Unresolved tag: !env; only tags of the YAML core schema are allowed, remove it.',
      ],
    ],
    [
      'a tag beyond the core schema',
      'b: !!binary aGk=\n',
      [
        '1:4 is not valid YAML: Unresolved tag: tag:yaml.org,2002:binary; only tags of the YAML core schema are allowed, remove it.',
      ],
    ],
    [
      'an alias without anchor',
      'a: *b\nb: &b 1\n',
      ['1:4 has the alias *b, which has no anchor before it; use the value itself.'],
    ],
    [
      'a circle',
      'a: &a\n  b: *a\n',
      ['2:6 has the alias *a, which is inside its own anchor; use the value itself.'],
    ],
    ['a list', '- 1\n', ['1:1 must be a map of settings, such as "name: My project", not a list.']],
    [
      'text',
      '  hello\n',
      ['1:3 must be a map of settings, such as "name: My project", not "hello".'],
    ],
    [
      'a tab as indentation',
      'a:\n\tb: 1\n',
      ['2:1 is not valid YAML: Tabs are not allowed as indentation.'],
    ],
    [
      'a cron without quotes, which YAML takes for aliases',
      'triggers:\n  a:\n    trigger:\n      type: schedule\n      cron: */5 * * * *\n    run: { prompt: x }\n',
      [
        '5:13 has a cron that begins with *, which has a special meaning in YAML; quote it: cron: "*/5 * * * *".',
      ],
    ],
    [
      'crons without quotes on one line with other fields',
      'a: { cron: * 9 * * 1-5, timezone: UTC }\nb: { cron: @daily }\n',
      [
        '1:12 has a cron that begins with *, which has a special meaning in YAML; quote it: cron: "* 9 * * 1-5".',
        '2:12 has a cron that begins with @, which has a special meaning in YAML; quote it: cron: "@daily".',
      ],
    ],
    [
      'an indentation by non-breaking spaces',
      'a:\n  b:\n\u00a0\u00a0\u00a0\u00a0c: 1\n\u00a0\u00a0\u00a0\u00a0d: 1\n    e: 2\n',
      ['3:1 is indented with a non-breaking space (U+00A0); use plain spaces.'],
    ],
    [
      'an indentation by spaces and others',
      'a:\n  b: 1\n \u2003c: [\n  d: 2\n',
      [
        '3:1 is indented with U+2003, which is not a space; use plain spaces.',
        '3:1 is not valid YAML: All mapping items must start at the same column.',
      ],
    ],
    [
      'a fault behind an empty first line',
      '\n  %YAML 1.2#| &a',
      ['2:3 is not valid YAML: Plain value cannot start with directive indicator character %.'],
    ],
    [
      'an indentation by a non-breaking space behind an empty first line',
      '\n\u00a0a: [\n',
      ['2:1 is indented with a non-breaking space (U+00A0); use plain spaces.'],
    ],
    [
      'an open bracket',
      'a: [1\n',
      [
        '2:1 is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].',
      ],
    ],
    ['a list as key', '[a]: 1\n', ['1:1 has a key that is a list or a map; use plain text.']],
    [
      'a control character',
      'a: 1\r\nb: \u0007\r\n',
      ['2:4 contains the control character U+0007; remove it.'],
    ],
    [
      'a fault behind a byte order mark',
      '\uFEFFa: *b\n',
      ['1:4 has the alias *b, which has no anchor before it; use the value itself.'],
    ],
    [
      'a file of more than 1 MiB',
      `# ${'é'.repeat(512 * 1024)}`,
      ['1:1 must be at most 1 MiB; move prompts into files.'],
    ],
  ];
  it.each(faults)('%s is refused', (_what, text, expected) => {
    expect(faultsOf(text)).toEqual(expected);
  });

  it('a file of 1 MiB is read', () => {
    expect(faultsOf(`# ${'x'.repeat(1024 * 1024 - 2)}`)).toEqual([]);
  });

  it('aliases that multiply are refused at once', () => {
    const laughs = (line: (i: number) => string) =>
      ['a0: &a0 {x: lol}', ...Array.from({ length: 40 }, (_, i) => line(i + 1))].join('\n');
    const times = (i: number) =>
      Array(9)
        .fill(`*a${i - 1}`)
        .join(', ');
    const list = laughs((i) => `a${i}: &a${i} [${times(i)}]`);
    expect(faultsOf(list)[0]).toMatch(/repeats more than 1 MiB of itself through aliases/);
    const values = laughs(
      (i) =>
        `a${i}: &a${i} {${Array.from({ length: 9 }, (_, k) => `k${k}: *a${i - 1}`).join(', ')}}`,
    );
    expect(faultsOf(values)[0]).toMatch(/repeats more than 1 MiB of itself through aliases/);
    const merges = laughs((i) => `a${i}: &a${i} {<<: [${times(i)}]}`);
    expect(parseProject(merges).ok).toBe(true);
  });

  it('a hundred uses of one anchor are fine', () => {
    const uses = Array.from(
      { length: 300 },
      (_, i) => `  t${i}: {trigger: {type: webhook}, run: *r, enabled: true}`,
    );
    const { triggers } = project(
      `x-r: &r {prompt: hi, tools: [Read]}\ntriggers:\n${uses.join('\n')}\n`,
    );
    expect(triggers.size).toBe(300);
  });

  const hostile: [string, string][] = [
    ['open brackets', '['],
    ['open braces', '{'],
    ['nested lists', '- '],
    ['nested keys', '? '],
    ['pairs on a line', 'a: '],
    ['anchors', '&a '],
    ['tags', '! '],
    ['directives', '%A\n'],
    ['closing brackets', ']'],
    ['quotes', '"'],
    ['documents', '---\n'],
    ['block headers', '|'],
  ];
  it.each(hostile)('a file full of %s is refused within seconds', (_what, piece) => {
    const start = performance.now();
    expect(faultsOf(piece.repeat(50_000)).length).toBeGreaterThan(0);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it.each(['[', '{', '- ', '? ', '{a: ['])('nesting is bounded: %j', (piece) => {
    expect(faultsOf(piece.repeat(5000))[0]).toMatch(/nests more than 100 levels deep; flatten it/);
    expect(faultsOf(`a: ${'['.repeat(40)}${']'.repeat(40)}`)).toEqual([]);
  });

  it('many different keys are read in linear time', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `x-k${i}: ${i}`).join('\n');
    const start = performance.now();
    expect(faultsOf(text)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

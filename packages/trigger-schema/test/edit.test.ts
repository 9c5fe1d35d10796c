import { describe, expect, it } from '@jest/globals';
import { parseProject, type WrittenTrigger } from '@svc/trigger-schema';
import { putTriggerText, removeTriggerText } from './text-edits.ts';

const HOOK: WrittenTrigger = { trigger: { type: 'webhook' }, enabled: true };
const DAILY = {
  trigger: { type: 'schedule', cron: '0 9 * * *' },
  run: { prompt: 'Say hi.', tools: ['Read'] },
  enabled: true,
};

function put(text: string, record: WrittenTrigger, name = 'a'): string {
  const edited = putTriggerText(text, name, record);
  if (!edited.ok) throw new Error(JSON.stringify(edited.issues));
  return edited.value;
}

function remove(text: string, name = 'a'): string {
  const edited = removeTriggerText(text, name);
  if (!edited.ok) throw new Error(JSON.stringify(edited.issues));
  return edited.value.text;
}

function promptAfter(text: string, prompt: string): unknown {
  const parsed = parseProject(put(text, { ...DAILY, run: { prompt } }));
  return parsed.ok && parsed.value.triggers.get('a')?.record.run.prompt;
}

describe('a new entry', () => {
  const entry = 'a:\n    trigger:\n      type: webhook\n    enabled: true';
  const cases: [string, string, string][] = [
    ['an empty file', '', `triggers:\n  ${entry}\n`],
    ['a byte order mark alone', '\uFEFF', `\uFEFFtriggers:\n  ${entry}\n`],
    ['comments without a last line break', '# mine', `# mine\n\ntriggers:\n  ${entry}`],
    ['document markers', '---\n# x\n...\n', `---\n# x\n\ntriggers:\n  ${entry}\n...\n`],
    [
      'no triggers',
      'name: x   # n\n\n# end\n',
      `name: x   # n\n\n# end\n\ntriggers:\n  ${entry}\n`,
    ],
    [
      'triggers without value',
      'triggers:  # all\nname: x\n',
      `triggers:  # all\n  ${entry}\nname: x\n`,
    ],
    ['triggers that are null', 'triggers: ~ # all\n', `triggers: # all\n  ${entry}\n`],
    ['an empty flow map', 'triggers: {}\nname: x', `triggers:\n  ${entry}\nname: x`],
    [
      'a flow map with a comment',
      'triggers: { # none\n }\n',
      'triggers: {a: {trigger: {type: webhook}, enabled: true} # none\n }\n',
    ],
    [
      'a flow map with entries',
      'triggers: {b: ~ ,}\n',
      'triggers: {b: ~, a: {trigger: {type: webhook}, enabled: true} ,}\n',
    ],
    [
      'a file in one flow map',
      '{name: x}',
      '{name: x, triggers: {a: {trigger: {type: webhook}, enabled: true}}}',
    ],
    [
      'comments that belong to no entry',
      'triggers:\n  b: ~\n  # c: later\n\n    # far in\nname: x\n# y\n',
      `triggers:\n  b: ~\n  # c: later\n\n    # far in\n\n  ${entry}\nname: x\n# y\n`,
    ],
    [
      'comments that belong to no entry, at the end',
      'triggers:\r\n  b: ~\r\n  # c: later',
      `triggers:\n  b: ~\n  # c: later\n\n  ${entry}`.replaceAll('\n', '\r\n'),
    ],
    [
      'other triggers',
      'triggers:\n  b: ~ # b\n\n# end\n',
      `triggers:\n  b: ~ # b\n  ${entry}\n\n# end\n`,
    ],
  ];
  it.each(cases)('is written to %s', (_what, text, expected) => {
    expect(put(text, HOOK)).toBe(expected);
  });

  it('is written quickly below half a million of #', () => {
    const text = `${'#'.repeat(500_000)}\n \n`;
    expect(put(text, HOOK)).toBe(`${text}triggers:\n  ${entry}\n`);
  });

  it('uses the indentation and line ends of the file', () => {
    const text = 'triggers:\r\n   b:\r\n       trigger:\r\n           type: webhook\r\n';
    expect(put(text, HOOK)).toBe(
      `${text}   a:\r\n       trigger:\r\n           type: webhook\r\n       enabled: true\r\n`,
    );
  });

  it('is readable', () => {
    const record = {
      trigger: { type: 'schedule', cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
      run: {
        prompt: '# Report\n\nLook at:\n  - mail\n',
        session: 'resume',
        tools: ['Read', 'mcp__svc_manage__list_chats'],
        maxTurns: 5,
        timeout: '10m',
      },
      enabled: false,
      policy: { catchUp: 'none' },
    };
    expect(put('', record, 'week days')).toBe(`triggers:
  week days:
    trigger:
      type: schedule
      cron: "0 9 * * 1-5"
      timezone: Europe/Berlin
    run:
      prompt: |
        # Report

        Look at:
          - mail
      session: resume
      tools: [Read, mcp__svc_manage__list_chats]
      maxTurns: 5
      timeout: 10m
    policy:
      catchUp: none
    enabled: false
`);
  });

  it.each([
    'constructor',
    'a..b',
    'true',
    '1',
    'a: b',
    '- x',
    '#x',
    '"',
    'ünï',
    '*a',
    '<<',
    'x'.repeat(128),
  ])('may have the name %j', (name) => {
    const parsed = parseProject(put('name: x\n', HOOK, name));
    expect(parsed.ok && [...parsed.value.triggers.keys()]).toEqual([name]);
  });
});

describe('a prompt', () => {
  it.each([
    ['a\nb', '|-\n        a\n        b\n'],
    ['a\nb\n', '|\n        a\n        b\n'],
    ['a\n\n', '|+\n        a\n\n'],
    [' a\n', '|2\n         a\n'],
    ['a\r\nb', '"a\\r\\nb"\n'],
    ['Say hi, then go.', 'Say hi, then go.\n'],
    ['yes', '"yes"\n'],
  ])('%j is written in a readable style', (prompt, expected) => {
    const text = put('', { trigger: { type: 'webhook' }, run: { prompt, model: 'm' } });
    expect(text).toContain(`      prompt: ${expected}      model: m\n`);
  });

  it.each(
    [
      'one line',
      'a\nb',
      'a\nb\n',
      'a\nb\n\n',
      '\na\n',
      '\n\n  a\n',
      '  a\nb',
      '\ta\nb',
      ' \na',
      'a  \n b\t\n',
      'a\r\nb\r\n',
      'a\u0000b\nc',
      'a\u2028b\nc',
      'a\u0085b\nc',
      '\uFEFFa\nb',
      '---\na\n...\n',
      '# a\n# b',
      'a: b\n- c',
      '\n',
      ' ',
      'yes',
      '1e3',
      '0x10',
      '"q" \'s\'',
      '|',
      '> x',
      '%x',
      '@x',
      '`x`',
      'a #b',
      'a: b',
      'é😀\né',
      '\u007f\n',
      '{a: 1}',
      '[a]',
      '!x',
      '&x',
      '*x',
      'x'.repeat(3000),
    ].filter((prompt) => /\S/.test(prompt)),
  )('comes back exactly: %j', (prompt) => {
    expect(promptAfter('', prompt)).toBe(prompt);
    expect(promptAfter('name: x\r\n', prompt)).toBe(prompt);
    expect(promptAfter('triggers: {b: ~}', prompt)).toBe(prompt);
    expect(promptAfter('triggers:\n  a:\n    run: {prompt: x}\n\n\n  # end\n', prompt)).toBe(
      prompt,
    );
    expect(
      promptAfter('triggers:\n  a:\n    run:\n      prompt: |+\n        x\n\n  b:', prompt),
    ).toBe(prompt);
  });
});

describe('a changed entry', () => {
  const TEXT = `triggers:
  # about a
  a:   # head
    # inside
    trigger: {type: schedule, interval: 1h,}   # when
    run:
      # what
      prompt: >-  # folded
        hello
        world

      x-own: 1
      tools:
        # to read
        - Read   # r
        - Grep
      maxTurns: 30
    team: [ops,
      web]
    # trailing
  # about b
  b: {trigger: {type: webhook}, enabled: true}
# end`;
  const read = {
    trigger: { type: 'schedule', interval: '1h' },
    run: { prompt: 'hello world', tools: ['Read', 'Grep'] },
    enabled: false,
  };

  it('keeps its bytes if nothing changes', () => {
    expect(put(TEXT, read)).toBe(TEXT);
    expect(
      put(TEXT, {
        ...read,
        run: { ...read.run, session: 'new', maxTurns: 30, model: null },
        policy: {},
      }),
    ).toBe(TEXT);
  });

  const changes: [string, WrittenTrigger, [string, string][]][] = [
    [
      'enabled',
      { ...read, enabled: true },
      [['maxTurns: 30\n', 'maxTurns: 30\n    enabled: true\n']],
    ],
    [
      'the interval',
      { ...read, trigger: { type: 'schedule', interval: '2h' } },
      [['interval: 1h', 'interval: 2h']],
    ],
    [
      'interval to cron',
      { ...read, trigger: { type: 'schedule', cron: '@daily' } },
      [['interval: 1h,', 'cron: "@daily",']],
    ],
    [
      'one tool',
      { ...read, run: { ...read.run, tools: ['Read', 'Bash'] } },
      [['        - Grep\n', '        - Bash\n']],
    ],
    [
      'no tools',
      { ...read, run: { prompt: 'hello world' } },
      [['      tools:\n        # to read\n        - Read   # r\n        - Grep\n', '']],
    ],
    [
      'the order of tools',
      { ...read, run: { ...read.run, tools: ['Grep', 'Read'] } },
      [['\n        # to read\n        - Read   # r\n        - Grep\n', ' [Grep, Read]\n']],
    ],
    [
      'the prompt',
      { ...read, run: { ...read.run, prompt: 'bye' } },
      [['>-  # folded\n        hello\n        world\n', 'bye  # folded\n']],
    ],
    [
      'prompt to file',
      { ...read, run: { ...read.run, promptFile: 'x.md', prompt: null } },
      [['      prompt: >-  # folded\n        hello\n        world\n', '      promptFile: x.md\n']],
    ],
    ['maxTurns', { ...read, run: { ...read.run, maxTurns: 5 } }, [['maxTurns: 30', 'maxTurns: 5']]],
    [
      'a further field',
      { ...read, run: { ...read.run, model: 'm' } },
      [['        - Grep\n', '        - Grep\n      model: m\n']],
    ],
    [
      'a policy',
      { ...read, policy: { overlap: 'skip' } },
      [['maxTurns: 30\n', 'maxTurns: 30\n    policy:\n      overlap: skip\n']],
    ],
  ];
  it.each(changes)('changes %s and nothing else', (_what, record, replacements) => {
    let expected = TEXT;
    for (const [from, to] of replacements) {
      expect(expected).toContain(from);
      expected = expected.replace(from, to);
    }
    expect(put(TEXT, record)).toBe(expected);
  });

  // proves: rest.put
  it('loses known fields that the record does not have, and keeps unknown ones', () => {
    const text = `triggers:
  a:
    trigger: {type: schedule, cron: "@daily", timezone: UTC, since: 1}
    run:
      prompt: x
      # why
      model: m
      maxTurns: 9
      note: kept
    policy: {catchUp: none}
    enabled: true
`;
    expect(put(text, { trigger: { type: 'webhook' }, enabled: true })).toBe(`triggers:
  a:
    trigger: {type: webhook, since: 1}
    run:
      # why
      note: kept
    enabled: true
`);
  });

  it.each([
    [
      'a scalar',
      'triggers:\n  a: 5 # five\n',
      'triggers:\n  a: # five\n    trigger:\n      type: webhook\n    enabled: true\n',
    ],
    [
      'a list',
      'triggers:\n  a:\n  - 1\n  - 2\n  b: 1\n',
      'triggers:\n  a:\n    trigger:\n      type: webhook\n    enabled: true\n  b: 1\n',
    ],
    [
      'a text',
      'triggers:\n  a: |\n    x\n\n  b: 1\n',
      'triggers:\n  a:\n    trigger:\n      type: webhook\n    enabled: true\n\n  b: 1\n',
    ],
    ['nothing', 'triggers: {a}\n', 'triggers: {a: {trigger: {type: webhook}, enabled: true}}\n'],
    [
      'sections that are none',
      'triggers:\n  a:\n    trigger: [1]\n    run: x\n',
      'triggers:\n  a:\n    trigger:\n      type: webhook\n    enabled: true\n',
    ],
  ])('replaces %s', (_what, text, expected) => {
    expect(put(text, HOOK)).toBe(expected);
  });
});

describe('anchors, aliases and merge keys', () => {
  const BASE = `x-base: &base
  trigger: {type: webhook}
  run: {prompt: shared, owner: me}
  enabled: false
`;

  it('an entry that is an alias is written out, with its unknown fields', () => {
    const text = `${BASE}triggers:\n  a: *base # shared\n  b: *base\n`;
    expect(put(text, { ...HOOK, run: { prompt: 'own' } })).toBe(
      `${BASE}triggers:\n  a: # shared\n    trigger:\n      type: webhook\n    run:\n      prompt: own\n      owner: me\n    enabled: true\n  b: *base\n`,
    );
  });

  it('a field from a merge key stays if it has the desired value, and is overridden otherwise', () => {
    const text = `${BASE}triggers:\n  a:\n    <<: *base\n    enabled: true\n`;
    expect(put(text, { ...HOOK, run: { prompt: 'shared' } })).toBe(text);
    expect(put(text, { ...HOOK, run: { prompt: 'own' }, enabled: false })).toBe(
      `${BASE}triggers:\n  a:\n    <<: *base\n    enabled: false\n    run:\n      prompt: own\n      owner: me\n`,
    );
    const field =
      'x-r: &r {model: m}\ntriggers:\n  a:\n    trigger: {type: webhook}\n    run:\n      <<: *r\n    enabled: true\n';
    expect(put(field, { ...HOOK, run: { prompt: 'x' } })).toBe(
      field.replace('<<: *r\n', '<<: *r\n      prompt: x\n      model: null\n'),
    );
  });

  it.each([
    ['is an anchor', 'triggers:\n  a: &t {trigger: {type: webhook}}\n  b: *t\n'],
    ['is used outside triggers', 'triggers:\n  a: &t {trigger: {type: webhook}}\nx-copy: *t\n'],
    [
      'holds an anchor',
      'triggers:\n  a:\n    trigger: {type: webhook}\n    run: {prompt: &t hi}\n  b: {run: {prompt: *t}}\n',
    ],
    [
      'is merged elsewhere',
      'triggers:\n  a: &t\n    trigger: {type: webhook}\n    run: {prompt: hi}\n  b:\n    <<: *t\n',
    ],
  ])('an entry that %s is not changed through another entry', (_what, text) => {
    for (const edited of [putTriggerText(text, 'a', DAILY), removeTriggerText(text, 'a')]) {
      expect(edited.ok).toBe(false);
      expect(!edited.ok && edited.issues[0]?.message).toMatch(
        /^holds the anchor &t, which line \d refers to; edit project\.yaml by hand\.$/,
      );
    }
  });

  it('an unused anchor does not block an edit', () => {
    const text = 'triggers:\n  a: &t {trigger: &u {type: webhook}}\n';
    expect(put(text, HOOK)).toBe(
      'triggers:\n  a: &t {trigger: &u {type: webhook}, enabled: true}\n',
    );
    expect(remove(text)).toBe('triggers:\n');
  });

  it('entries that come completely from elsewhere are refused', () => {
    const alias = 'x: &t {a: {trigger: {type: webhook}}}\ntriggers: *t\n';
    const merged = 'x: &t {a: {trigger: {type: webhook}}}\ntriggers: {<<: *t}\n';
    for (const edited of [
      putTriggerText(alias, 'a', HOOK),
      removeTriggerText(alias, 'a'),
      removeTriggerText(merged, 'a'),
    ]) {
      expect(!edited.ok && edited.issues).toEqual([
        { path: 'triggers.a', message: expect.stringMatching(/comes from an anchor elsewhere/) },
      ]);
    }
    expect(put(merged, HOOK)).toBe(
      'x: &t {a: {trigger: {type: webhook}}}\ntriggers: {<<: *t, a: {trigger: {type: webhook}, enabled: true}}\n',
    );
  });
});

describe('a removed entry', () => {
  const cases: [string, string, string][] = [
    [
      'the first of two',
      'triggers:\n  # a\n  a: 1 # x\n  # b\n  b: 2\n',
      'triggers:\n  # a\n  # b\n  b: 2\n',
    ],
    [
      'the last',
      'triggers:\n  b: 2\n\n  a:\n    run: |\n      x\n\n# end\nname: x',
      'triggers:\n  b: 2\n\n\n# end\nname: x',
    ],
    ['the only one', 'triggers:\n  a: 1\nname: x\n', 'triggers:\nname: x\n'],
    [
      'one at the end without line break',
      'triggers:\r\n  b: 2\r\n  a: 1',
      'triggers:\r\n  b: 2\r\n',
    ],
    ['the first of a flow map', 'triggers: {a: 1, b: 2}', 'triggers: {b: 2}'],
    ['the last of a flow map', 'triggers: { b: 2, a: 1 }', 'triggers: { b: 2 }'],
    ['the only one of a flow map', 'triggers: {a: 1,}\n', 'triggers: {}\n'],
    [
      'one among comments of a flow map',
      'triggers: { # x\n  a: 1, # a\n  b: 2 # b\n}',
      'triggers: { # x\n   # a\n  b: 2 # b\n}',
    ],
    [
      'one below a text that keeps blank lines',
      'triggers:\n  b: |+\n    x\n  a: 1\n\nname: x\n',
      'triggers:\n  b: |+\n    x\n  #\n\nname: x\n',
    ],
    ['one with an explicit key', 'triggers:\n  ? a\n  : x: 1\n  b: 1\n', 'triggers:\n  b: 1\n'],
  ];
  it.each(cases)('%s', (_what, text, expected) => {
    expect(removeTriggerText(text, 'a')).toEqual({
      ok: true,
      value: { text: expected, removed: true },
    });
  });

  it.each(['', 'triggers:\n  b: 1\n', 'triggers: [a]\n', 'name: x\n', 'triggers: ~'])(
    'that does not exist in %j is no fault',
    (text) => {
      expect(removeTriggerText(text, 'a')).toEqual({ ok: true, value: { text, removed: false } });
    },
  );

  it('may be invalid, or have an invalid name', () => {
    expect(remove('triggers:\n  "a/b": 1\n  __proto__: 2\n', 'a/b')).toBe(
      'triggers:\n  __proto__: 2\n',
    );
    expect(remove('triggers:\n  "a/b": 1\n  __proto__: 2\n', '__proto__')).toBe(
      'triggers:\n  "a/b": 1\n',
    );
  });
});

describe('an edit is refused', () => {
  it('of a file that does not parse, with its faults', () => {
    const issues = [{ path: '', message: 'has the key "a" twice; keep one.', line: 2, column: 1 }];
    expect(putTriggerText('a: 1\na: 2\n', 'x', HOOK)).toEqual({ ok: false, issues });
    expect(removeTriggerText('a: 1\na: 2\n', 'x')).toEqual({ ok: false, issues });
  });

  it.each([
    [
      'triggers that are a list',
      'triggers: [1]\n',
      'cannot be stored because triggers is not a map of entries; fix it by hand.',
    ],
    [
      'an explicit key',
      'triggers:\n  ? a\n  : x: 1\n',
      'is written in a form that cannot be edited in place; reformat it by hand.',
    ],
  ])('on %s', (_what, text, message) => {
    expect(putTriggerText(text, 'a', HOOK)).toEqual({
      ok: false,
      issues: [{ path: 'triggers.a', message }],
    });
  });

  it('for an invalid name and a record that is not a map', () => {
    expect(putTriggerText('', '__proto__', HOOK)).toMatchObject({
      ok: false,
      issues: [{ path: 'name' }],
    });
    expect(putTriggerText('', 'a', [] as never)).toMatchObject({
      ok: false,
      issues: [{ path: 'triggers.a' }],
    });
  });

  it('if the file would exceed 1 MiB', () => {
    const text = `# ${'x'.repeat(1024 * 1024 - 100)}\n`;
    const edited = putTriggerText(text, 'a', DAILY);
    expect(edited.ok).toBe(false);
  });
});

it('an edit that would make the file too large reports that', () => {
  const text = `name: x\n# ${'x'.repeat(1_048_000)}\n`;
  const put = putTriggerText(text, 'big', {
    trigger: { type: 'webhook' },
    run: { prompt: 'y'.repeat(1000) },
  });
  expect(put).toEqual({
    ok: false,
    issues: [
      {
        path: 'triggers.big',
        message: 'would make project.yaml larger than 1 MiB; move prompts into separate files.',
      },
    ],
  });
});

describe('an edit of one field', () => {
  const entry = (trigger: string, prompt = 'Do it.') =>
    `triggers:\n  a:\n    trigger: ${trigger}\n    run:\n      prompt: ${prompt}\n    enabled: true\n`;
  const inBlock = (cron: string, more = '') =>
    entry(`\n      type: schedule\n      cron: ${cron}${more}`);
  const record = (cron: string, prompt = 'Do it.', more = {}) => ({
    ...{ trigger: { type: 'schedule', cron, ...more }, run: { prompt }, enabled: true },
  });

  it.each(['0 3 * * 1-5', "'0 3 * * 1-5'", '"0 3 * * 1-5"', '0 3 * * 1-5 # why'])(
    'keeps the style of the cron expression: %s',
    (cron) => {
      const off = { ...record('0 3 * * 1-5'), enabled: false };
      expect(put(inBlock(cron), off)).toBe(
        inBlock(cron).replace('enabled: true', 'enabled: false'),
      );
      const zone = record('0 3 * * 1-5', 'Do it.', { timezone: 'UTC' });
      expect(put(inBlock(cron), zone)).toBe(inBlock(cron, '\n      timezone: UTC'));
      expect(put(inBlock(cron), record('0 3 * * 1-5', 'Stop.'))).toBe(
        inBlock(cron).replace('Do it.', 'Stop.'),
      );
    },
  );

  it.each([
    ['0 3 * * 1-5', '0 4,5 * * 1-5', '0 4,5 * * 1-5'],
    ['0 3 * * 1-5 # why', '30 4 * * MON', '30 4 * * MON # why'],
    ['0 3 * * 1-5', '*/5 * * * *', '"*/5 * * * *"'],
    ['0 3 * * 1-5', '@daily', '"@daily"'],
    ["'0 3 * * 1-5'", '*/5 * * * *', "'*/5 * * * *'"],
    ['"0 3 * * 1-5"', '0 4 * * 1-5', '"0 4 * * 1-5"'],
  ])('writes the expression in the style of the author: %s becomes %s', (before, cron, after) => {
    expect(put(inBlock(before), record(cron))).toBe(inBlock(after));
  });

  it('keeps a map on one line', () => {
    const flow = (cron: string) => entry(`{ type: schedule, cron: ${cron} }`);
    expect(put(flow('0 3 * * 1-5'), record('0 4 * * 1-5'))).toBe(flow('0 4 * * 1-5'));
    expect(put(flow('0 3 * * 1-5'), record('0 4,5 * * *'))).toBe(flow('"0 4,5 * * *"'));
    expect(put(flow("'0 3 * * 1-5'"), record('0 4,5 * * *'))).toBe(flow("'0 4,5 * * *'"));
  });

  it('keeps single quotes around a text that contains one', () => {
    const quoted = (prompt: string) => entry('{ type: webhook }', prompt);
    const hook = { trigger: { type: 'webhook' }, run: { prompt: "It's on: go." }, enabled: true };
    expect(put(quoted("'Go.'"), hook)).toBe(quoted("'It''s on: go.'"));
  });
});

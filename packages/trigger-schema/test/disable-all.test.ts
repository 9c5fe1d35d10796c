import { describe, expect, it } from '@jest/globals';
import { openProject } from '@svc/trigger-schema';
import fc from 'fast-check';
import { parse } from 'yaml';

function disabled(text: string): string | null {
  const project = openProject(text);
  const edited = project.ok ? project.value.edited({ disable: 'all' }) : project;
  return edited.ok ? edited.value.text : null;
}

/** The value of `enabled` in each entry that is a map, read with another parser. */
function switchesOf(text: string): unknown[] {
  const read = parse(text, { merge: true, uniqueKeys: false }) as Record<string, object | null>;
  const entries = [read['triggers'], read['schedules']].flatMap((map) => Object.values(map ?? {}));
  const maps = entries.filter((entry) => entry?.constructor === Object);
  return maps.map(({ enabled }: { readonly enabled?: unknown }) => enabled);
}

const RUN = '{ prompt: x }';

describe('disabling every entry of a project.yaml', () => {
  // proves: clone.disabled
  it.each([
    // The usual form: only the value changes; comments and order stay.
    [
      'triggers:\n  a:\n    trigger: { type: schedule, cron: "0 3 * * *" } # at night\n    enabled: true # yes\n    run: { prompt: x }\n',
      'triggers:\n  a:\n    trigger: { type: schedule, cron: "0 3 * * *" } # at night\n    enabled: false # yes\n    run: { prompt: x }\n',
    ],
    // A schedule without `enabled` is enabled; a trigger without it will have a warning.
    [
      `schedules:\n  old:\n    type: interval\n    interval: 1h\n    prompt: x\ntriggers:\n  b:\n    run: ${RUN}\n`,
      `schedules:\n  old:\n    enabled: false\n    type: interval\n    interval: 1h\n    prompt: x\ntriggers:\n  b:\n    enabled: false\n    run: ${RUN}\n`,
    ],
    [
      'triggers: {a: {enabled: true}, b: {}, c: {enabled}}',
      'triggers: {a: {enabled: false}, b: { enabled: false }, c: {enabled: false}}',
    ],
    [`triggers: {a: {run: ${RUN}}}\n`, `triggers: {a: { enabled: false,run: ${RUN}}}\n`],
    [
      'triggers:\r\n  a:\r\n    run: x\r\n',
      'triggers:\r\n  a:\r\n    enabled: false\r\n    run: x\r\n',
    ],
    ['\uFEFFtriggers:\n  a:\n    enabled: yes\n', '\uFEFFtriggers:\n  a:\n    enabled: false\n'],
    [
      'triggers:\n  a:\n    enabled:\n  b:\n    enabled: |\n      true\n    run: x\n',
      'triggers:\n  a:\n    enabled: false\n  b:\n    enabled: false\n    run: x\n',
    ],
    // Values from an alias or a merge key are changed where they are written.
    [
      'base: &b\n  enabled: true\ntriggers:\n  a: *b\n  c:\n    <<: *b\n    run: x\n',
      'base: &b\n  enabled: false\ntriggers:\n  a: *b\n  c:\n    enabled: false\n    <<: *b\n    run: x\n',
    ],
    [
      'all: &all { a: { enabled: true } }\ntriggers: *all\n',
      'all: &all { a: { enabled: false } }\ntriggers: *all\n',
    ],
    [
      '<<: { schedules: { a: { type: interval } } }\n',
      '<<: { schedules: { a: { enabled: false, type: interval } } }\n',
    ],
    [
      'on: &on true\ntriggers:\n  a:\n    enabled: *on\n',
      'on: &on true\ntriggers:\n  a:\n    enabled: false\n',
    ],
    [
      'triggers:\n  a:\n    enabled: &on true\n  b:\n    enabled: *on\n',
      'triggers:\n  a:\n    enabled: &on false\n  b:\n    enabled: false\n',
    ],
    [
      '"triggers":\n  ? a\n  : trigger: x\n    run: y\n',
      '"triggers":\n  ? a\n  : enabled: false\n    trigger: x\n    run: y\n',
    ],
    [
      'triggers:\n  a:\n    enabled:\n      deep: [1, 2]\n    run: x\n',
      'triggers:\n  a:\n    enabled:\n      false\n    run: x\n',
    ],
  ])('changes %j', (before, after) => {
    expect(disabled(before)).toBe(after);
    expect(disabled(after)).toBe(after);
  });

  // proves: clone.disabled
  it.each([
    'name: x\n',
    '',
    'triggers:\n  a: { enabled: false }\n  b: text\n  c:\n',
    'triggers: [ { enabled: true } ]\nschedules: text\n',
  ])('leaves %j unchanged', (text) => expect(disabled(text)).toBe(text));

  // proves: clone.disabled
  it.each([
    'triggers: [',
    'triggers:\n  a: { enabled: false }\n  a: { enabled: true }\n',
    'triggers: {}\ntriggers: { a: { enabled: true } }\n',
    'triggers:\n  a:\n    enabled: !!str true\n',
    'triggers: { a: { enabled: &b { enabled: true } }, c: *b }\n',
  ])('refuses %j', (text) => expect(disabled(text)).toBeNull());

  // proves: clone.disabled
  it('leaves no entry enabled, however it is written', () => {
    const value = fc.constantFrom(
      'true',
      'false',
      'yes',
      '"true"',
      '&v true',
      '*w',
      '',
      '1',
      '|\n      true',
    );
    const key = fc.constantFrom('enabled', '"enabled"', "'enabled'", 'run', 'trigger', '<<');
    const line = fc
      .tuple(key, value)
      .map(([name, is]) => `    ${name}: ${name === '<<' ? '*base' : is}`);
    const block = fc
      .array(line, { minLength: 1, maxLength: 4 })
      .map((lines) => `\n${lines.join('\n')}`);
    const flow = fc.constantFrom(
      ' {}',
      ' {enabled: true}',
      ' { enabled : yes, run: x }',
      ' {enabled}',
      ' *base',
      ' !!map {a: 1}',
      ' [x]',
      ' text',
      '',
    );
    const entry = fc.oneof(block, flow);
    const map = fc
      .array(entry, { maxLength: 4 })
      .map((entries) => entries.map((is, n) => `  e${n}:${is}`).join('\n'));
    const text = fc
      .tuple(map, map, fc.constantFrom('\n', '\r\n'))
      .map(([triggers, schedules, eol]) =>
        `base: &base { enabled: true, w: &w true }\ntriggers:\n${triggers}\nschedules:\n${schedules}\n`.replaceAll(
          '\n',
          eol,
        ),
      );
    let made = 0;
    fc.assert(
      fc.property(text, (given) => {
        const after = disabled(given);
        if (after === null) return;
        made += 1;
        for (const is of switchesOf(after)) expect(is).toBe(false);
      }),
    );
    expect(made).toBeGreaterThan(20);
  });
});

function narrowed(text: string): string | null {
  const project = openProject(text);
  const edited = project.ok ? project.value.edited({ narrow: { maxSpawnDepth: 2 } }) : project;
  return edited.ok ? edited.value.text : null;
}

describe('narrowing the settings of a project.yaml', () => {
  // proves: clone.disabled
  it.each([
    [
      '# mine\nhooksMcpEnabled: true # all\nmaxSpawnDepth: 99\nkeeper:\n  permissionMode: "bypassPermissions" # yes\n  instructions: x\n',
      '# mine\nhooksMcpEnabled: false # all\nmaxSpawnDepth: 2\nkeeper:\n  permissionMode: default # yes\n  instructions: x\n',
    ],
    [
      'keeper: { permissionMode: bypassPermissions }\r\nmaxSpawnDepth: 3\r\n',
      'keeper: { permissionMode: default }\r\nmaxSpawnDepth: 2\r\n',
    ],
    [
      'b: &b { hooksMcpEnabled: true, maxSpawnDepth: 8 }\n<<: *b\nk: &k { permissionMode: bypassPermissions }\nkeeper: { <<: *k }\n',
      'maxSpawnDepth: 2\nhooksMcpEnabled: false\nb: &b { hooksMcpEnabled: true, maxSpawnDepth: 8 }\n<<: *b\nk: &k { permissionMode: bypassPermissions }\nkeeper: { permissionMode: default, <<: *k }\n',
    ],
    ['on: &on true\nhooksMcpEnabled: *on\n', 'on: &on true\nhooksMcpEnabled: false\n'],
  ])('changes %j', (before, after) => {
    expect(narrowed(before)?.split('\n').sort()).toEqual(after.split('\n').sort());
    expect(narrowed(after)).toBe(after);
  });

  // proves: clone.disabled
  it.each([
    '',
    'hooksMcpEnabled: false\nmaxSpawnDepth: 2\nkeeper: { permissionMode: plan, model: x }\n',
    'hooksMcpEnabled: "true"\nmaxSpawnDepth: 0\nkeeper: bypassPermissions\n',
  ])('leaves %j unchanged', (text) => expect(narrowed(text)).toBe(text));

  // proves: clone.disabled
  it.each([
    'hooksMcpEnabled: &on true\nagentTriggersStartDisabled: *on\n',
    'keeper: &k { permissionMode: bypassPermissions }\nother: *k\n',
  ])('refuses %j', (text) => expect(narrowed(text)).toBeNull());
});

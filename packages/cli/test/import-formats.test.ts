import { describe, expect, it } from '@jest/globals';
import { parsePlaybook } from '@svc/agent-runtime';
import { openProject, parseProject } from '@svc/trigger-schema';
import fc from 'fast-check';
import { namesUsers, readCrontab } from '../src/importing/crontab.ts';
import { freeName, type Imported, type ImportedTrigger } from '../src/importing/imported.ts';
import { readWorkflow } from '../src/importing/workflow.ts';

const crontab = (text: string, hasUser = false): Imported =>
  readCrontab(text, { file: 'tab', hasUser });

interface Flat {
  readonly name: string;
  readonly cron: string;
  readonly timezone?: string;
  readonly prompt: string;
  readonly timeout?: string;
}

function flat({ name, record }: ImportedTrigger): Flat {
  const { trigger, run } = record as { trigger: Omit<Flat, 'name'>; run: Omit<Flat, 'name'> };
  return { name, ...trigger, ...run };
}

function only(text: string, hasUser = false): Flat {
  const [first, ...others] = crontab(text, hasUser).triggers.map(flat);
  if (first === undefined || others.length > 0) throw new Error('expected one trigger');
  return first;
}

const scriptOf = ({ prompt }: Flat): string =>
  /^(`{3,})bash\n([\s\S]*)\n\1$/m.exec(prompt)?.[2] ?? '';

describe('a line of a crontab', () => {
  // proves: import.crontab
  it.each([
    ['0 9 * * 1-5 /opt/report.sh --all', 'report', '0 9 * * 1-5', '/opt/report.sh --all'],
    ['*/5\t*  * JAN,feb 7   check', 'check', '*/5 * * JAN,feb 7', 'check'],
    ['@daily /opt/a', 'a', '0 0 * * *', '/opt/a'],
    ['@Midnight a', 'a', '0 0 * * *', 'a'],
    ['@hourly a', 'a', '0 * * * *', 'a'],
    ['@weekly a', 'a', '0 0 * * 0', 'a'],
    ['@monthly a', 'a', '0 0 1 * *', 'a'],
    ['@yearly a', 'a', '0 0 1 1 *', 'a'],
    ['@annually a', 'a', '0 0 1 1 *', 'a'],
    ['1 2 * * * cd /srv && FOO=1 ./clean up', 'clean', '1 2 * * *', 'cd /srv && FOO=1 ./clean up'],
    ['1 2 * * * FOO=1 sudo -n make it', 'make', '1 2 * * *', 'FOO=1 sudo -n make it'],
    ['1 2 * * * date +\\%F', 'date', '1 2 * * *', 'date +%F'],
    ['1 2 * * * $(x)', 'x', '1 2 * * *', '$(x)'],
    ['1 2 * * * 日本', 'cron-1', '1 2 * * *', '日本'],
  ])('%s', (line, name, cron, script) => {
    const made = only(line);
    expect(made).toMatchObject({ name, cron });
    expect(scriptOf(made)).toBe(script);
  });

  it('passes the text after a percent sign as input', () => {
    expect(scriptOf(only('0 0 * * * mail me%Hello\\%%EOF%x'))).toBe(
      "{ mail me\n} <<'EOF_'\nHello%\nEOF\nx\nEOF_",
    );
  });

  it('runs unchanged, whatever fences it contains', () => {
    for (const script of ['echo ```bash', '```', '```` x']) {
      const { steps } = parsePlaybook(only(`0 0 * * * ${script}`).prompt);
      expect(steps).toMatchObject([{ name: 'Bash', input: { command: script }, fault: null }]);
    }
  });

  // proves: import.left
  it.each([
    ['@reboot x', '@reboot is not supported'],
    ['@fortnightly x', '@fortnightly is not a time that svc supports'],
    ['99 * * * * x', '"99" is out of range'],
    ['0 0 30 2 * x', 'never fires'],
    ['* * * *', 'it does not have five time fields and a command'],
    ['@daily', 'it has no command after @daily'],
    ['0 0 * * * a\u0007', 'it contains control characters'],
    ['0~59 * * * * x', '0~59'],
  ])('is left out with a reason: %s', (line, reason) => {
    const { triggers, notes } = crontab(line);
    expect(triggers).toEqual([]);
    expect(notes).toEqual([expect.stringContaining(reason)]);
    expect(notes[0]).toContain('line 1 of tab was not imported');
  });

  it('is ignored when it is a comment or blank', () => {
    expect(crontab('# 0 0 * * * x\n\n   \n\t# y\n')).toEqual({ triggers: [], notes: [] });
  });

  // proves: import.crontab.system
  it.each([
    ['0 0 * * * root /opt/x\n', 'tab'],
    ['A=b\n@daily www-data x\n', '-'],
    ['# m h dom mon dow user\tcommand\n', 'tab'],
    ['0 0 * * * backup x\n', '/etc/cron.d/backup'],
    ['', '/etc/crontab'],
  ])('%j of %s looks like a system crontab', (text, file) => {
    expect(namesUsers(text, file)).toBe(true);
  });

  it.each([
    '0 0 * * * root -b macro.C\n',
    '0 0 * * * root\n',
    '0 0 * * * /opt/root x\n',
    '# root x',
  ])('%j does not', (text) => {
    expect(namesUsers(text, '/home/a/crontab')).toBe(false);
  });

  it('in a system crontab has a user', () => {
    const [made] = crontab('0 0 * * * www-data /opt/x\n', true).triggers;
    expect(made?.comment).toContain(
      'It ran as www-data. Here it runs as the user that agents run as (agents.user).',
    );
    expect(scriptOf(only('@daily root /opt/x', true))).toBe('/opt/x');
    expect(crontab('0 0 * * * /opt/x', true).triggers).toEqual([]);
  });

  it('reports how the two fields of days are combined', () => {
    const ruleOf = (line: string) => crontab(line).triggers[0]?.comment[1] ?? '';
    expect(ruleOf('0 0 1 * 5 x')).toContain('the day of the month or the weekday');
    expect(ruleOf('0 0 */2 * 5 x')).toContain('the day of the month and the weekday');
    expect(ruleOf('0 0 * * 5 x')).toBe('');
  });
});

describe('a variable of a crontab', () => {
  // proves: import.crontab
  it('is set in the steps below it', () => {
    const [a, b] = crontab('0 0 * * * a\nX = "it\'s"\nPATH=/bin:/sbin\n0 0 * * * b').triggers;
    if (a === undefined || b === undefined) throw new Error('expected two triggers');
    expect(scriptOf(flat(a))).toBe('a');
    expect(scriptOf(flat(b))).toBe("export X='it'\\''s'\nexport PATH='/bin:/sbin'\nb");
  });

  // proves: import.crontab.zone
  it.each(['TZ', 'CRON_TZ'])('%s applies to the commands, not to the schedules', (name) => {
    const { triggers, notes } = crontab(`${name}=Asia/Tokyo\n0 0 * * * date`);
    expect(triggers.map((one) => flat(one).timezone)).toEqual([undefined]);
    expect(triggers.map((one) => scriptOf(flat(one)))).toEqual([
      `export ${name}='Asia/Tokyo'\ndate`,
    ]);
    expect(notes[0]).toBe(
      `${name} (line 1 of tab) applies to the commands below it, as in Debian's cron; their schedules use the time zone of the service. If your cron applies ${name} to schedules, set timezone: Asia/Tokyo in the imported triggers.`,
    );
    expect(crontab(`${name}=Mars\n0 0 * * * date`).notes[0]).toMatch(/zone of the service\.$/);
  });

  // proves: import.left
  it.each([
    ['MAILTO=me', 'sends no mail'],
    ['SHELL=/bin/zsh', 'steps run in bash'],
    ['DB_PASSWORD=x', 'may be a secret'],
    ['API_TOKEN=x', 'may be a secret'],
    ['RANDOM_DELAY=5', 'policy.jitter'],
    ['A-B=5', 'not a valid variable name'],
  ])('is reported when it is not carried over: %s', (line, reason) => {
    const { triggers, notes } = crontab(`${line}\n0 0 * * * a`);
    expect(notes[0]).toContain(reason);
    expect(triggers.map((one) => scriptOf(flat(one)))).toEqual(['a']);
  });

  it('is not reported when it selects bash', () => {
    expect(crontab('SHELL=/bin/bash').notes).toEqual([]);
  });
});

function workflow(text: string): Imported {
  const read = readWorkflow(text, 'nightly.yml');
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return read.value;
}

const ON = "on: { schedule: [{ cron: '0 5 * * *' }] }\n";

describe('a GitHub workflow', () => {
  // proves: import.workflow
  it('becomes a trigger for each of its schedules', () => {
    const { triggers } = workflow(
      "name: Nightly Build!\non:\n  schedule:\n    - cron: '0 5 * * *'\n    - { cron: '1 6 * * 1', timezone: Asia/Tokyo }\njobs: { a: { timeout-minutes: 20, steps: [{ run: npm ci }, { name: Test, run: npm test }] } }\n",
    );
    const prompt = '```bash\nset -e\nnpm ci\n```\n\nTest\n\n```bash\nset -e\nnpm test\n```\n';
    expect(triggers.map(flat)).toMatchObject([
      { name: 'nightly-build', cron: '0 5 * * *', timezone: 'UTC', timeout: '20m' },
      { name: 'nightly-build', cron: '1 6 * * 1', timezone: 'Asia/Tokyo' },
    ]);
    expect(triggers.map((one) => flat(one).prompt)).toEqual(
      Array(2).fill(`From the workflow Nightly Build.\n\n${prompt}`),
    );
  });

  it('sets its variables and folders in its steps', () => {
    const text = `${ON}env: { A: 1 }\njobs: { a: { env: { B: true, C: "it's" }, defaults: { run: { working-directory: web } }, steps: [{ run: "x\\n", env: { A: 2 } }, { run: y, working-directory: "it's" }] } }`;
    const [made] = workflow(text).triggers;
    const { prompt } = flat(made as ImportedTrigger);
    expect(prompt).toContain(
      "export A='1'\nexport B='true'\nexport C='it'\\''s'\nexport A='2'\nset -e\ncd 'web'\nx\n",
    );
    expect(prompt).toContain("cd 'it'\\''s'\ny\n");
    expect(flat(made as ImportedTrigger).name).toBe('nightly');
  });

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: GitHub writes them so
  // proves: import.left
  it.each([
    ['{ uses: actions/checkout@v4 }', 'it uses actions/checkout@v4'],
    ["{ run: 'echo ${{ github.sha }}' }", 'it contains a GitHub expression'],
    ["{ run: x, working-directory: '${{ x }}' }", 'it contains a GitHub expression'],
    ['{ run: x, shell: pwsh }', 'it runs in pwsh'],
    ['{ run: x, if: always() }', 'it runs only if "always()"'],
    ['{ name: Wait }', 'it has no commands'],
    ['5', 'it is not a step'],
  ])('has a failing step in place of one that is left out: %s', (step, reason) => {
    const { triggers, notes } = workflow(
      `${ON}jobs: { a: { steps: [{ run: test }, ${step}, { run: deploy }] } }`,
    );
    const [called, explained] = (notes[0] ?? '').split(' was not imported: ');
    expect([called, explained]).toEqual([
      expect.stringMatching(/^jobs\.a\.steps\[1\]( \(Wait\))?$/),
      `${reason}.`,
    ]);
    const { steps } = parsePlaybook(flat(triggers[0] as ImportedTrigger).prompt);
    expect(steps.map(({ input }) => (input as { command: string }).command)).toEqual([
      'set -e\ntest',
      expect.stringMatching(/^echo '[^']+ was not imported: [^']+' >&2\nexit 1$/),
      'set -e\ndeploy',
    ]);
    const alone = workflow(`${ON}jobs: { a: { steps: [${step}] } }`).triggers;
    expect(flat(alone[0] as ImportedTrigger).prompt).toContain('None of its steps');
  });
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above

  // proves: import.workflow.gates
  it.each([
    ['if: always()', 'it runs only under a condition'],
    ['uses: ./.github/workflows/test.yml', 'it uses another workflow'],
    ['environment: production', 'it may wait for an approval'],
  ])('has a failing step before a job with %s', (line, reason) => {
    const { triggers } = workflow(
      `${ON}jobs:\n  a:\n    ${line}\n    steps: [{ run: x }]\n  b: { steps: [{ run: y }] }\n`,
    );
    expect(flat(triggers[0] as ImportedTrigger).prompt).toMatch(
      new RegExp(`jobs\\.a was not imported: ${reason}[^]*exit 1[^]*\\nx\\n[^]*\\ny\\n`),
    );
  });

  // proves: import.workflow.gates
  it('runs jobs after those that they need', () => {
    const job = (id: string, needs: string) =>
      `${id}: { needs: ${needs}, steps: [{ run: ${id} }] }`;
    const ordered = (...jobs: string[]): string[] => {
      const [made] = workflow(`${ON}jobs: { ${jobs.join(', ')} }`).triggers;
      const { prompt } = flat(made as ImportedTrigger);
      return [...prompt.matchAll(/set -e\n(\w+)/g)].map(([, id = '']) => id);
    };
    expect(ordered(job('c', '[b, a]'), job('b', 'a'), job('a', '[]'), job('d', 'x'))).toEqual([
      ...['a', 'b', 'c', 'd'],
    ]);
    expect(ordered(job('a', 'b'), job('b', 'a'))).toEqual(['b', 'a']);
  });

  it('is refused with a line number when its YAML is invalid', () => {
    expect(readWorkflow('name: a\non: {\njobs: [\n', 'x.yml')).toMatchObject({
      ok: false,
      issues: [
        { line: 3, column: 1, message: expect.stringMatching(/^is not valid YAML: .+\.$/) },
        {},
      ],
    });
  });

  // proves: import.left
  it('reports everything else that is left out', () => {
    const { notes } = workflow(
      `on: { push: {}, workflow_dispatch: null, schedule: [{ cron: '0 5 * * *' }, { cron: x }, 5] }\npermissions: read\nenv: { API_TOKEN: x }\njobs: { a: { container: x, steps: [{ run: x, continue-on-error: true }] }, b: {} }`,
    );
    expect(notes).toEqual([
      expect.stringContaining('on: push, workflow_dispatch was not imported'),
      'permissions: not imported.',
      expect.stringContaining('env.API_TOKEN was not imported'),
      'jobs.a.container: not imported.',
      'jobs.a.steps[0].continue-on-error: not imported.',
      expect.stringContaining('Jobs run one after another'),
      expect.stringContaining('on.schedule: "x" was not imported'),
      'An entry of on.schedule was not imported, because it has no cron.',
      ...Array(2).fill(expect.any(String)),
    ]);
  });

  it('is refused when it is no workflow', () => {
    for (const text of ['', '- a', 'a: [', 'just words', '&a [*a]']) {
      expect(readWorkflow(text, 'x.yml')).toMatchObject({ ok: false });
    }
    expect(workflow('on: push').triggers).toEqual([]);
    expect(workflow('on: [push, pull_request]').notes[0]).toContain('push, pull_request');
  });
});

describe('hostile workflows', () => {
  const ON = "on: { schedule: [{ cron: '0 3 * * *' }] }\n";

  it.each([
    ['lists', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['maps', `${'{ a: '.repeat(50_000)}${'}'.repeat(50_000)}`],
    ['entries', `\n  ${'- '.repeat(50_000)}a`],
  ])('are refused when %s nest too deeply, with the limit', (_, value) => {
    expect(readWorkflow(`x: ${value}\n`, 'x.yml')).toMatchObject({
      ok: false,
      issues: [{ message: 'nests more than 100 levels deep; flatten it.' }],
    });
  });

  it('are read in linear time, however many keys, variables and steps they have', () => {
    const lines = (count: number, line: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => line(n)).join('');
    const variables = `env:\n${lines(40_000, (n) => `  k${n}: 1\n`)}`;
    const steps = `jobs: { a: { steps: [${lines(10_000, () => '{ run: e },')}] } }`;
    expect(workflow(`${ON}${variables}${steps}`).notes).toContain(
      'Its steps are too long for a prompt and were not imported.',
    );
    const jobs = `jobs:\n${lines(15_000, (n) => `  j${n}: { steps: [{ run: e }] }\n`)}`;
    expect(workflow(`${ON}${jobs}`).triggers).toHaveLength(1);
  });

  it('may have more parts than a call can have arguments', () => {
    const ticks = `jobs: { a: { steps: [{ run: "${'` '.repeat(300_000)}" }] } }`;
    expect(workflow(`${ON}${ticks}`).triggers).toHaveLength(1);
    const needs = `jobs: { a: { needs: [${'b,'.repeat(300_000)}b], steps: [{ run: e }] }, b: {} }`;
    expect(workflow(`${ON}${needs}`).triggers).toHaveLength(1);
  });

  it('may have maps in the place of text', () => {
    const odd = '{ toString: 1, valueOf: 2 }';
    const jobs = `jobs: { a: { needs: [${odd}], steps: [{ run: e, if: ${odd} }] } }`;
    expect(workflow(`${ON}${jobs}`).notes[0]).toContain('it runs only if');
  });
});

/** Whether the imported triggers can be added to a project: all are valid and disabled. */
function expectValid({ triggers, notes }: Imported): void {
  const taken = new Set<string>();
  const add = triggers.map(({ name, record, comment }) => {
    const free = freeName(name, (one) => taken.has(one));
    taken.add(free);
    return { name: free, record, comment: [...notes, ...comment] };
  });
  const project = openProject('name: Demo\n');
  const edited = project.ok && project.value.edited({ add });
  if (edited === false || !edited.ok) throw new Error(JSON.stringify(edited));
  const parsed = parseProject(edited.value.text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  expect(parsed.value.invalid).toEqual([]);
  expect([...parsed.value.triggers.keys()]).toEqual([...taken]);
  for (const { record } of parsed.value.triggers.values()) {
    expect(record.enabled).toBe(false);
    const { steps } = parsePlaybook(record.run.prompt ?? '');
    expect(steps.filter(({ name, fault }) => name !== 'Bash' || fault !== null)).toEqual([]);
    expect(steps).toHaveLength((record.run.prompt ?? '').split(/^`{3,}bash$/m).length - 1);
  }
}

const word = fc.oneof(
  fc.constantFrom(
    '*',
    '*/5',
    '0',
    '7',
    '1-5',
    'MON',
    '@daily',
    '@reboot',
    'root',
    'A=b',
    '%',
    '\\%',
  ),
  fc.constantFrom('```', '#', "'", '"', '=', '<!--', 'cd', '&&', '|', '~~~', '\u0000', '\u2028'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const anyLine = fc.array(word, { maxLength: 9 }).map((words) => words.join(' '));
const timed = fc
  .tuple(fc.constantFrom('* * * * *', '0 9 1 * 5', '@weekly'), anyLine)
  .map((parts) => parts.join(' '));
const anyCrontab = fc
  .array(fc.oneof(anyLine, timed), { maxLength: 8 })
  .map((all) => all.join('\n'));

describe('any input', () => {
  // proves: import.sound
  it('as a crontab throws nothing and creates valid triggers only', () => {
    fc.assert(
      fc.property(anyCrontab, fc.boolean(), (text, hasUser) => expectValid(crontab(text, hasUser))),
    );
  });

  // proves: import.sound
  it('as a workflow throws nothing and creates valid triggers only', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'binary' }),
      word,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const map = fc.dictionary(fc.constantFrom('A', 'B_TOKEN', 'x y', '__proto__'), scalar);
    const step = fc.record(
      {
        name: scalar,
        run: fc.oneof(scalar, timed),
        env: fc.oneof(map, scalar),
        uses: scalar,
        shell: scalar,
        if: scalar,
        'working-directory': scalar,
      },
      { requiredKeys: [] },
    );
    const job = fc.record(
      {
        steps: fc.oneof(fc.array(fc.oneof(step, scalar)), scalar),
        env: map,
        'timeout-minutes': scalar,
        defaults: map,
      },
      { requiredKeys: [] },
    );
    const cron = fc.record(
      {
        cron: fc.oneof(fc.constantFrom('0 5 * * *', '*/5 * */2 * 1'), scalar),
        timezone: fc.oneof(fc.constant('Asia/Tokyo'), scalar),
      },
      { requiredKeys: [] },
    );
    const whole = fc.record(
      {
        name: scalar,
        on: fc.oneof(
          fc.record({ schedule: fc.array(fc.oneof(cron, scalar)), push: scalar }),
          scalar,
        ),
        env: map,
        jobs: fc.oneof(fc.dictionary(fc.string(), fc.oneof(job, scalar)), scalar),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(whole, (value) => {
        const read = readWorkflow(JSON.stringify(value), 'x.yml');
        if (read.ok) expectValid(read.value);
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), anyCrontab), (text) => {
        const read = readWorkflow(text, 'x.yml');
        if (read.ok) expectValid(read.value);
      }),
    );
  });
});

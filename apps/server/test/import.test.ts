import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type OpenHome, openHome } from './harness.ts';
import { type CommandOutput, svc } from './in-process.ts';

const PROJECT = `# Mine.
name: Demo
triggers:
  backup: # stays
    trigger: { type: schedule, cron: "0 9 * * *" }
    run: { prompt: x }
    enabled: true
`;
const CRONTAB = 'MAILTO=me\n0 3 * * * /opt/backup.sh\n@reboot x\n5 * * * * runtime\n';
const WORKFLOW =
  "name: Nightly\non: { schedule: [{ cron: '0 5 * * *' }] }\njobs: { a: { steps: [{ run: npm ci }] } }\n";

let home: OpenHome = openHome();
beforeEach(async () => {
  await home.close();
  home = openHome();
  home.write('projects/demo/project.yaml', PROJECT);
  home.write('tab', CRONTAB);
  home.write('nightly.yml', WORKFLOW);
  home.write('system', '17 * * * * root run-parts /etc/cron.hourly\n');
  home.write('broken.yml', 'name: a\non: [\n');
  home.write('empty', '# Nothing.\n');
});
afterAll(() => home.close());

const from = (kind: string, file: string, ...given: string[]): Promise<CommandOutput> =>
  svc(['import', kind, join(home.home, file), '--project', 'demo', ...given, '--home', home.home]);
const text = (): string => home.read('projects/demo/project.yaml');

describe('svc import', () => {
  it('reads at most 1 MiB, also from a file without a size', async () => {
    home.write('large', `#${'x'.repeat(1024 * 1024)}`);
    expect(await from('crontab', 'large')).toMatchObject({
      code: 1,
      error: expect.stringContaining('is too large: the limit is 1 MiB.'),
    });
    expect(
      await svc(['import', 'crontab', '/dev/zero', '--project', 'demo', '--home', home.home]),
    ).toMatchObject({ code: 1, error: 'svc: /dev/zero is too large: the limit is 1 MiB.' });
  });

  // proves: import.keeps, import.left, import.crontab
  it('adds the triggers of a crontab to the existing ones, and reports what is left to do', async () => {
    const { code, out, error } = await from('crontab', 'tab');
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'demo/backup-2: 0 3 * * *, because a trigger backup already exists',
      'demo/runtime-2: 5 * * * *, because a trigger runtime already exists',
      '2 triggers added and disabled. Enable those you want to fire.',
    ]);
    expect(error).toContain('MAILTO: line 1 of tab was not imported');
    expect(text().startsWith(PROJECT)).toBe(true);
    expect(text()).toContain('  # @reboot x: line 3 of tab was not imported');
    expect(text()).toContain('  # From line 2 of tab.\n  backup-2:\n');
    const checked = await svc(['validate', '--home', home.home]);
    expect(checked.out).toMatch(
      /:6:20 warning backup: run\.prompt has no steps, [^\n]+\n1 file checked: 0 errors, 1 warning\.$/,
    );
    const simulated = await svc(['simulate', 'demo', '--home', home.home, '--json']);
    expect((JSON.parse(simulated.out) as { triggers: object[] }).triggers).toHaveLength(1);
  });

  // proves: import.workflow
  it('adds the triggers of a workflow, each time under unused names', async () => {
    for (const name of ['nightly', 'nightly-2', 'nightly-3']) {
      expect((await from('github-workflow', 'nightly.yml')).out).toMatch(
        new RegExp(`^demo/${name}: 0 5 \\* \\* \\* UTC`),
      );
    }
    expect(text()).toContain('set -e\n        npm ci\n');
  });

  // proves: import.keeps
  it('shows what it would write, and writes nothing', async () => {
    const { code, out } = await from('crontab', 'tab', '--dry-run');
    expect(code).toBe(0);
    expect(text()).toBe(PROJECT);
    expect(out).toContain('  backup-2:\n    trigger:\n');
    expect(out).not.toContain('stays');
    expect(out).toMatch(/2 triggers would be added\. Nothing was written\.$/);
    const report = JSON.parse((await from('crontab', 'tab', '--dry-run', '--json')).out) as object;
    expect(report).toMatchObject({
      ...{ project: 'demo', dryRun: true, notes: expect.any(Array) },
      added: [
        { name: 'backup-2', renamedFrom: 'backup', schedule: '0 3 * * *', timezone: null },
        {},
      ],
      text: expect.stringContaining('backup-2:'),
    });
  });

  // proves: commands.whole
  it('prints long output to a pipe completely', async () => {
    home.write(
      'tab',
      Array.from({ length: 400 }, (_, n) => `${n % 60} * * * * job${n}\n`).join(''),
    );
    const file = join(home.home, 'tab');
    const given = ['import', 'crontab', file, '--project', 'demo', '--dry-run'];
    const { out, code } = await home.run(...given);
    expect(out.length).toBeGreaterThan(80_000);
    expect(out).toMatch(/400 triggers would be added\. Nothing was written\.\n$/);
    expect(code).toBe(0);
  });

  it('leaves out commands that are too long for a prompt', async () => {
    home.write('tab', `${CRONTAB}0 0 * * * x ${'y'.repeat(300_000)}\n`);
    const { out, error } = await from('crontab', 'tab');
    expect(out).toMatch(/2 triggers added/);
    expect(error).toMatch(/^From line 5 of tab\. Not imported\. run\.prompt/m);
  });

  it('refuses schedules whose steps together do not fit in a project', async () => {
    const schedules = Array.from({ length: 60 }, (_, n) => `{ cron: '${n} 3 * * *' }`).join(', ');
    const jobs = `jobs: { a: { steps: [{ run: ${'x'.repeat(20_000)} }] } }`;
    home.write('many.yml', `on: { schedule: [${schedules}] }\n${jobs}\n`);
    const { code, error } = await from('github-workflow', 'many.yml');
    expect(error).toMatch(
      /would create 60 triggers, which do not fit in one project: at most 2000 and/,
    );
    expect(code).toBe(1);
    expect(text()).toBe(PROJECT);
  });

  // proves: import.encoding
  it('refuses input that is not UTF-8, with its line', async () => {
    for (const [kind, name] of [
      ['crontab', 'tab'],
      ['github-workflow', 'nightly.yml'],
    ] as const) {
      writeFileSync(join(home.home, name), Buffer.from('# a\n# caf\xe9\n', 'latin1'));
      const { code, error } = await from(kind, name);
      expect([code, error]).toEqual([1, expect.stringMatching(/is not UTF-8 text \(line 2\)/)]);
    }
    expect(text()).toBe(PROJECT);
  });

  it.each([
    [['crontab', 'system'], 'is a system crontab: its lines name a user. Add --system.'],
    [['github-workflow', 'broken.yml'], 'broken.yml:3:1: is not valid YAML: '],
    [['crontab', 'empty'], 'has nothing that can be imported as a trigger'],
    [['crontab', 'nowhere'], 'does not exist.'],
    [['github-workflow', 'empty'], 'is not a workflow'],
    [['crontab', 'tab', '--project', 'unknown'], 'There is no such project'],
  ])('reports why it adds nothing: %j', async ([kind = '', file = '', ...given], message) => {
    const { code, error } = await from(kind, file, ...given);
    expect(error).toContain(message);
    expect(code).toBe(1);
    expect(text()).toBe(PROJECT);
  });

  it.each([
    [['import'], 'import takes crontab or github-workflow'],
    [['import', 'anacron', 'x', '--project', 'demo'], 'import takes crontab or github-workflow'],
    [['import', 'crontab', 'x'], 'import requires --project'],
    [
      ['import', 'github-workflow', 'x', '--project', 'demo', '--system'],
      '--system requires crontab',
    ],
  ])('refuses %j', async (given, message) => {
    const { code, error } = await svc([...given, '--home', home.home]);
    expect(error).toContain(message);
    expect(code).toBe(2);
  });
});

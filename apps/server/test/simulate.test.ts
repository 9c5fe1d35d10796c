import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenHome, openHome } from './harness.ts';
import { type CommandOutput, svc } from './in-process.ts';

const PROJECT = `name: Demo
triggers:
  nightly:
    trigger: { type: schedule, cron: "30 2 * * *", timezone: Europe/Berlin }
    run: { prompt: x }
    enabled: true
  report:
    trigger: { type: schedule, interval: 1h }
    run: { prompt: x, timeout: 2h }
    policy: { firesPerDay: 10 }
    enabled: true
  off:
    trigger: { type: schedule, interval: 1h }
    run: { prompt: x }
    enabled: false
`;
const OTHER = `name: Other
triggers:
  leap:
    trigger: { type: schedule, cron: "0 0 29 2 *" }
    run: { prompt: x }
    enabled: true
  wrong:
    trigger: { type: schedule, cron: "0 0 29 2" }
    run: { prompt: x }
    enabled: true
  wrong-but-off:
    trigger: { type: schedule, cron: "0 0 29 2" }
    run: { prompt: x }
    enabled: false
`;

let home: OpenHome;
beforeAll(() => {
  home = openHome();
  home.write('svc.config.yaml', 'limits: { concurrentTurns: 1 }\n');
  home.write('projects/demo/project.yaml', PROJECT);
  home.write('projects/other/project.yaml', OTHER);
  home.write('often/project.yaml', PROJECT.replaceAll('interval: 1h', 'interval: 1s'));
});
afterAll(() => home.close());

const DAYS = ['--from', '2026-03-26T12:15:00Z', '--days', '4'];
const simulate = (...given: string[]): Promise<CommandOutput> =>
  svc(['simulate', ...given, '--home', home.home]);

interface Forecast {
  readonly fires: number;
  readonly costUsd: number | null;
  readonly triggers: readonly {
    readonly name: string;
    readonly fires: number;
    readonly days: Readonly<Record<string, number>>;
  }[];
  readonly failed: readonly { readonly on: string }[];
  readonly leftOut: readonly { readonly name: string }[];
}
const forecastOf = ({ out }: CommandOutput): Forecast => JSON.parse(out) as Forecast;

describe('svc simulate', () => {
  // proves: simulate.alone, simulate.clocks
  it('shows how often each trigger fires, days with clock changes, and the cost', async () => {
    const { code, out, error } = await simulate('demo', ...DAYS, '--cost', '0.5');
    expect(error).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/^4 days from .*: 2 triggers, 99 slots, \$\d+\.\d\d\.$/m);
    expect(out).toMatch(/^TRIGGER +SCHEDULE +DURATION +SLOTS +PER DAY +MAX\/DAY/m);
    expect(out).toMatch(/^nightly +30 2 \* \* \* Europe\/Berlin +1 min +4 +1 +1/m);
    expect(out).toContain(
      'demo/nightly: 02:30 does not exist on 2026-03-29 in Europe/Berlin: it fires once, at 03:00.',
    );
    expect(out).toContain('Peak: 1 turn at a time. No turn waits for a concurrency limit.');
    expect(existsSync(join(home.home, 'data'))).toBe(false);
    expect(readdirSync(join(home.home, 'projects', 'demo'))).toEqual(['project.yaml']);
  });

  it('accepts all projects of the home, one project, or a file', async () => {
    const namesOf = async (...given: string[]) =>
      forecastOf(await simulate(...given, ...DAYS, '--json')).triggers.map(({ name }) => name);
    expect(await namesOf()).toEqual(['nightly', 'report', 'leap']);
    expect(await namesOf('other')).toEqual(['leap']);
    expect(await namesOf(join(home.home, 'projects/demo/project.yaml'))).toEqual([
      'nightly',
      'report',
    ]);
    expect(await namesOf('demo', '--all')).toEqual(['nightly', 'report', 'off']);
    expect((await simulate('unknown')).code).toBe(1);
  });

  it('prints JSON with the fires of each trigger on each day', async () => {
    const { fires, costUsd, triggers } = forecastOf(
      await simulate('demo', '--from', '2026-03-10', '--days', '2', '--json'),
    );
    expect(fires).toBe(49);
    expect(costUsd).toBeNull();
    expect(triggers[1]?.days).toEqual({ '2026-03-10': 23, '2026-03-11': 24 });
  });

  it('accepts durations and costs for all triggers and for single ones', async () => {
    const given = ['--duration', '10m', '--duration', 'demo/report=90m', '--cost', 'nightly=2'];
    const { out } = await simulate('demo', ...DAYS, ...given);
    expect(out).toMatch(/^nightly .* 10 min +4/m);
    expect(out).toMatch(/^report .* 1 h 30 min +95 .* \$0\.00$/m);
    expect(out).toMatch(/slots, \$8\.00\.$/m);
  });

  // proves: simulate.fails
  it.each([
    [
      'overlap',
      ['--duration', '90m'],
      /^Failed on overlap: \d+ slots fell due while .*: demo\/report\.$/,
    ],
    [
      'skipped',
      ['--duration', '90m'],
      /^Failed on skipped: \d+ slots were skipped: demo\/report\.$/,
    ],
    [
      'limit',
      [],
      /^Failed on limit: \d+ slots were skipped because of a daily limit: demo\/report\.$/,
    ],
    [
      'pile-up',
      ['--duration', '61m', '--duration', 'nightly=59m'],
      /^Failed on pile-up: turns were queued \d+ times\.$/,
    ],
    ['never', [], /^Failed on never: 2 triggers did not fire: other\/leap, other\/wrong\.$/],
  ])('fails on %s when that happens', async (on, given, message) => {
    const failed = await simulate(...DAYS, ...given, '--fail-on', on);
    expect(failed.error).toMatch(message);
    expect(failed.code).toBe(1);
    const json = await simulate(...DAYS, ...given, '--fail-on', `never, ${on}`, '--json');
    expect(forecastOf(json).failed.map((one) => one.on)).toContain(on);
    expect(json.code).toBe(1);
  });

  // proves: simulate.fails
  it('does not fail on what does not happen', async () => {
    const all = 'overlap,pile-up,never';
    const { code, error } = await simulate('demo', ...DAYS, '--fail-on', all);
    expect([code, error]).toEqual([0, '']);
  });

  it('lists what it leaves out, unless reporting is off', async () => {
    const { leftOut } = forecastOf(await simulate('other', ...DAYS, '--json'));
    expect(leftOut.map(({ name }) => name)).toEqual(['wrong']);
    const { out } = await simulate('other', ...DAYS);
    expect(out).toContain('other/leap does not fire in this period.');
    expect(out).toContain('other/wrong is not included. trigger.cron has 4 fields');
  });

  it.each([
    [['--days', '0'], '--days must be a whole number from 1 to 366'],
    [['--days', '367'], '--days must be'],
    [['--from', 'soon'], '--from must be a day'],
    [['--duration', '5'], '--duration'],
    [['--duration', 'report=often'], '--duration'],
    [
      ['--duration', 'reprot=5m'],
      '--duration names reprot, which is not a simulated trigger. Did you mean report?',
    ],
    [['--cost', 'x'], '--cost must be US dollars'],
    [['--cost', '-1'], '--cost'],
    [
      ['--fail-on', 'overlap,'],
      '--fail-on has the unknown value "". Use a comma-separated list of overlap, skipped',
    ],
    [['demo', 'other'], 'simulate takes one project or one file'],
  ])('refuses %j', async (given, message) => {
    const { code, error, out } = await simulate(...given);
    expect(error).toContain(message);
    expect([code, out]).toEqual([2, '']);
  });

  // proves: simulate.alone
  it('refuses simulations that would take too long', async () => {
    const file = join(home.home, 'often/project.yaml');
    const { code, error } = await simulate(file, '--days', '100', '--all');
    expect(error).toMatch(/^svc: That is about 17,280,\d{3} fires; the limit is 3,000,000/);
    expect(code).toBe(1);
  });

  it('ends on a signal', async () => {
    const file = join(home.home, 'often/project.yaml');
    const given = ['simulate', file, '--days', '30', '--home', home.home];
    const { code, error } = await svc(given, { stop: Promise.resolve() });
    expect(error).toMatch(/\nsvc: Stopped before the end of the simulation\.$/);
    expect(code).toBe(1);
  });

  it('fits the terminal', async () => {
    const { out } = await svc(['simulate', ...DAYS, '--home', home.home], { columns: 60 });
    const table = out.split('\n\n')[1]?.split('\n') ?? [];
    expect(table).toHaveLength(4);
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});

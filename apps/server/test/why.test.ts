import { describe, expect, it, jest } from '@jest/globals';
import { type Running, type TestHome, until, withHome } from './harness.ts';
import { callTool, openWire } from './wire.ts';

jest.setTimeout(90_000);

const DEMO = '/api/projects/demo';
const TOKEN = `tok_home_${'ci'.padEnd(24, '-')}`;
const CONFIG = `limits: { minInterval: 1s }
managementApi:
  publicUrl: http://localhost:7420
  instanceId: home
  clients:
    ci: { auth: { ref: env:CI_TOKEN }, scope: { allow: ['*'] } }
`;
const TRIGGERS = `triggers:
  fails:
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "\`\`\`bash\\nexit 3\\n\`\`\`", tools: [Bash] }
    policy: { overlap: allow, catchUp: none }
    enabled: true
`;

interface Row {
  readonly outcome: string | null;
  readonly scheduledFor: string | null;
}

async function slotOf(server: Running, outcome: string): Promise<string> {
  return until(async () => {
    const { body } = await server.get(`${DEMO}/triggers/fails/runs?outcome=${outcome}`);
    return (body as { runs: Row[] }).runs.at(-1)?.scheduledFor;
  });
}

async function why({ run }: TestHome, at: string): Promise<string> {
  const said = await run('why', 'demo', 'fails', '--at', at);
  expect(said).toMatchObject({ code: 0, error: '' });
  return said.out;
}

const nowText = (): string => new Date().toISOString();

/** A time after which other timestamps differ. */
async function passed(): Promise<string> {
  const at = nowText();
  await until(async () => nowText() > at);
  return at;
}

describe('svc why, at a real server', () => {
  // proves: why.cli, why.fired, why.missed, why.off, why.invalid, why.changes.who
  it('explains slots that fired, were missed, were disabled or never existed', () =>
    withHome(async (home) => {
      const { write, read, run, serve } = home;
      write('svc.config.yaml', CONFIG);
      write('projects/demo/project.yaml', TRIGGERS);
      let server = await serve({ CI_TOKEN: TOKEN });
      expect(await why(home, await slotOf(server, 'failed'))).toMatch(
        /^\d\d:\d\d:?\d*:?\d* on [A-Z][a-z]+day: fired (on time|\d.* late), failed after .+: .*exit code 3\.\n(It started .* later: .*\n)?$/,
      );

      await server.stop('SIGKILL');
      const killedAt = Date.now();
      await until(async () => Date.now() > killedAt + 2500);
      server = await serve({ CI_TOKEN: TOKEN });
      const missed = await slotOf(server, 'missed');
      const time = String.raw`\d\d:\d\d(:\d\d)?`;
      expect(await why(home, missed)).toMatch(
        new RegExp(
          `^Missed: the service was down from ${time} to ${time}\\. It does not run later, because policy\\.catchUp is none\\.\n`,
        ),
      );

      const wire = openWire(server.url);
      const off = { project: 'demo', name: 'fails', enabled: false };
      const { isError = false } = await callTool(wire, TOKEN, 'set_trigger', off);
      expect(isError).toBe(false);
      const whileDisabled = await passed();
      const { body } = await server.get(`${DEMO}/triggers/fails`);
      await server.send('PUT', `${DEMO}/triggers/fails`, { ...(body as object), enabled: true });
      expect(await why(home, whileDisabled)).toMatch(
        new RegExp(
          `^No slot: the trigger was disabled from ${time} \\(disabled by client:ci\\) to ${time}\\.\n$`,
        ),
      );

      write('projects/demo/project.yaml', read('projects/demo/project.yaml').replace('1s', '1'));
      const changes = await until(async () => {
        const page = await server.get(`${DEMO}/triggers/fails/changes`);
        const rows = (page.body as { changes: { kind: string; via: string; by: string | null }[] })
          .changes;
        return rows.some(({ kind }) => kind === 'invalid') ? rows : null;
      });
      expect(await why(home, await passed())).toMatch(
        new RegExp(`^It could not fire: its entry has been invalid since the edit at ${time}\\.\n`),
      );
      const rows = changes.map(({ kind, by, via }) => `${kind} ${by} ${via}`).reverse();
      expect(rows.filter((row) => !row.endsWith('service'))).toEqual([
        'defined null file',
        'disabled client:ci client',
        'enabled user rest',
        'invalid null file',
      ]);

      expect(await run('why', 'demo', 'fail')).toMatchObject({ code: 1 });
      expect(await run('why', 'demo', 'fails', '--at', 'noon')).toMatchObject({ code: 2 });
      expect(await run('why', 'demo')).toMatchObject({ code: 2 });
      await server.stop();
      expect(await run('why', 'demo', 'fails')).toMatchObject({ code: 0 });
    }));
});

// proves: why.changes.who
it('attributes a change by the command line to it, with and without a server', () =>
  withHome(async ({ write, run, serve }) => {
    write(
      'projects/demo/project.yaml',
      `triggers:
  it:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nexit 3\\n\`\`\`", tools: [Bash] }
    policy: { pauseAfterFailures: 1 }
    enabled: true
`,
    );
    const resumed = { kind: 'resumed', by: 'user', via: 'cli' };
    let server = await serve();
    const newest = async () => {
      const { body } = await server.get(`${DEMO}/triggers/it/changes`);
      return (body as { changes: object[] }).changes[0];
    };
    await run('fire', 'demo', 'it', '--wait');
    expect(await newest()).toMatchObject({ kind: 'paused', via: 'service' });
    expect((await run('resume', 'demo', 'it')).code).toBe(0);
    expect(await newest()).toMatchObject(resumed);
    await run('fire', 'demo', 'it', '--wait');
    await server.stop();
    expect((await run('resume', 'demo', 'it')).code).toBe(0);
    server = await serve();
    expect(await newest()).toMatchObject(resumed);
  }));

describe('--source', () => {
  it('selects the older `schedules` entry when a trigger has the same name', () =>
    withHome(async ({ write, run, serve }) => {
      const entries = `triggers:
  twin: { trigger: { type: schedule, cron: '0 9 * * *' }, run: { prompt: Hi. }, enabled: false }
schedules:
  twin: { type: cron, cron: '0 3 * * *', prompt: Hi. }
`;
      write('projects/demo/project.yaml', entries);
      const server = await serve();
      await until(async () => {
        const { body } = await server.get(`${DEMO}/triggers/twin/changes?source=schedule`);
        return (body as { changes: { kind: string }[] }).changes.at(0)?.kind === 'armed';
      });
      const at = new Date(Date.now() + 60_000).toISOString().replace(/:\d\d\.\d+Z/, ':30Z');
      const said = async (...which: string[]) =>
        (await run('why', 'demo', 'twin', '--at', at, ...which)).out;
      expect(await said()).toContain('No slot: the trigger has been disabled since');
      expect(await said('--source', 'trigger')).toBe(await said());
      expect(await said('--source', 'schedule')).toContain('No slot: the schedule is 0 3 * * *');
    }));
});

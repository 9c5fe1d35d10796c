import { mkdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { type Chat, type Message, outcomeText, type Run } from '@svc/records';
import { isRunning, type Running, runCommand, until, withHome } from './harness.ts';

jest.setTimeout(40_000);

const project = (run: string, when = '{ type: schedule, interval: 1h }', enabled = false): string =>
  `triggers:\n  it:\n    trigger: ${when}\n    run:\n${run.replace(/^/gm, '      ')}\n    enabled: ${enabled}\n`;

const steps = (text: string, extra = ''): string =>
  `prompt: |\n${text.replace(/^/gm, '  ')}\n${extra}`;

const bash = (command: string): string => `Run this.\n\n\`\`\`bash\n${command}\n\`\`\`\n`;

async function runNow(server: Running, slug = 'demo'): Promise<Run> {
  const fired = await server.send('POST', `/api/projects/${slug}/triggers/it/run`);
  const { runId } = fired.body as { runId: string };
  expect(fired.status).toBe(202);
  return ended(server, slug, runId);
}

const ended = (server: Running, slug: string, runId: string): Promise<Run> =>
  until(async () => {
    const { body } = await server.get(`/api/projects/${slug}/runs/${runId}`);
    return (body as Run).state === 'ended' ? (body as Run) : null;
  });

const pidIn = (file: string): Promise<number> =>
  until(async () => Number(await readFile(file, 'utf8').catch(() => '')) || null);

async function transcript(server: Running, run: Run): Promise<Message[]> {
  const { body } = await server.get(`/api/projects/${run.project}/chats/${run.sessionId}`);
  return (body as Chat & { messages: Message[] }).messages;
}

// Processes in a sandbox have other numbers inside.
const WITHOUT_SANDBOX = 'agents: { sandbox: { mode: off } }\n';

describe('the service', () => {
  // proves: run.prompt, firing.turn
  it('fires a schedule on time with real tools, and shows the run', () =>
    withHome(async ({ serve, write, read }) => {
      const prompt = steps(
        `${bash('echo $SVC_RUN_ID > id.txt')}\n\`\`\`write note.md\nhello\n\`\`\`\nAll done.`,
      );
      write(
        'projects/demo/project.yaml',
        project(prompt, '{ type: schedule, interval: 1s }', true),
      );
      const server = await serve();
      const run = await until(async () => {
        const { body } = await server.get('/api/projects/demo/runs?outcome=succeeded');
        return (body as { runs: Run[] }).runs.at(-1);
      });
      expect(run).toMatchObject({ cause: 'schedule', turns: 2, toolCalls: 2, model: 'playbook' });
      expect(run.lateMs).toBeLessThan(1000);
      expect(read('projects/demo/note.md')).toBe('hello\n');
      const messages = await transcript(server, run);
      expect(messages.map(({ role, kind }) => `${role} ${kind}`)).toEqual([
        'system notice',
        'system notice',
        'user text',
        'assistant text',
        'assistant tool_use',
        'tool tool_result',
        'assistant tool_use',
        'tool tool_result',
        'assistant text',
      ]);
      expect(messages.at(-1)?.text).toBe('All done.');
      const metrics = String((await server.get('/metrics')).body);
      expect(metrics).toMatch(/svc_slot_lateness_seconds_count [1-9]/);
      expect(metrics).toMatch(
        /svc_runs_ended_total\{outcome="succeeded",project="demo",trigger="it"\} [1-9]/,
      );
      for (const name of ['svc_armed_triggers 1', 'svc_running_turns', 'svc_queued_turns']) {
        expect(metrics).toContain(name);
      }
      for (const name of ['svc_nodes', 'svc_node_leads', 'svc_projects']) {
        expect(metrics).toContain(`\n${name} 1\n`);
      }
      expect(await server.stop()).toBe(0);
      expect(server.lines.at(-1)?.['msg']).toBe('stopped');
    }));

  // proves: run.tools.enforced, run.max-turns, run.outcome.words
  it.each([
    ['a failing step', steps(bash('echo no >&2; exit 3')), 'failed', 'exit code 3'],
    ['no steps', 'prompt: Think about life.', 'no_model', 'which only runs steps'],
    ['a refused tool', steps(bash('true'), 'tools: [Read]'), 'denied', 'Bash'],
    ['a path outside of the folder', steps('```write ../../x.md\nx\n```'), 'denied', ''],
    ['a time limit', steps(bash('sleep 30'), 'timeout: 1s'), 'timed_out', '1 second'],
    ['too few turns', steps(bash('true').repeat(3), 'maxTurns: 2'), 'max_turns', '2'],
    ['a valid run', steps(bash('true')), 'succeeded', ''],
  ] as const)('reports the right outcome for %s', (_name, run, outcome, word) =>
    withHome(async ({ serve, write }) => {
      write('projects/demo/project.yaml', project(run));
      const server = await serve();
      const row = await runNow(server);
      expect([row.outcome, row.reason ?? '']).toEqual([outcome, expect.stringContaining(word)]);
      if (outcome === 'denied') expect(row.denied).toHaveLength(1);
      if (outcome !== 'succeeded') {
        expect((await transcript(server, row)).at(-1)?.text).toContain(
          `This turn ${outcomeText(outcome)}: `,
        );
      }
    }),
  );

  it('arms a manual edit of the file within two seconds', () =>
    withHome(async ({ serve, write }) => {
      const server = await serve();
      write(
        'projects/fresh/project.yaml',
        project(steps(bash('true')), '{ type: schedule, cron: 0 3 * * * }', true),
      );
      const start = Date.now();
      const state = await until(async () => {
        const { body } = await server.get('/api/projects/fresh/triggers/runtime');
        const { runtime } = body as { runtime?: { armed: boolean; nextFire: string }[] };
        return runtime?.[0]?.armed ? runtime[0] : null;
      });
      expect(Date.now() - start).toBeLessThan(2000);
      expect(state.nextFire).toMatch(/T03:00:00\.000Z$/);
    }));

  it('reports warnings about a file in its log and its list, and keeps the last good version armed through a restart', () =>
    withHome(async ({ serve, write }) => {
      const sound = `${project(steps(bash('true')), '{ type: schedule, cron: 0 3 * * * }', true)}odd: 1\n`;
      write(
        'projects/demo/project.yaml',
        sound.replace('enabled: true', 'enabled: true\n    colour: red'),
      );
      const first = await serve();
      const { body } = await first.get('/api/projects/demo/triggers');
      expect(body).toMatchObject({
        triggers: [{ warnings: [{ path: expect.stringContaining('colour') }] }],
      });
      const line = first.lines.find(({ msg }) => msg === 'warnings in project.yaml');
      expect(line?.['warnings']).toMatchObject([
        { path: 'odd' },
        { entry: 'it', path: expect.stringContaining('colour') },
      ]);
      write('projects/demo/project.yaml', `${sound}broken: [\n`);
      await first.stop();
      const second = await serve();
      const runtime = (await second.get('/api/projects/demo/triggers/runtime')).body;
      expect(runtime).toMatchObject({ runtime: [{ name: 'it', armed: true }] });
      expect((await second.get('/api/projects/demo/triggers')).body).toMatchObject({
        invalid: [{ name: 'project.yaml', issues: [{ line: expect.any(Number) }] }],
      });
    }));

  it('cancels a running turn and every process it started', () =>
    withHome(async ({ serve, write, home }) => {
      write('svc.config.yaml', WITHOUT_SANDBOX);
      const script = 'setsid sleep 300 & echo $! > pid; sleep 300';
      write('projects/demo/project.yaml', project(steps(bash(script))));
      const server = await serve();
      const fired = await server.send('POST', '/api/projects/demo/triggers/it/run');
      const { runId } = fired.body as { runId: string };
      const pid = await pidIn(join(home, 'projects/demo/pid'));
      expect((await server.send('POST', `/api/projects/demo/runs/${runId}/cancel`)).status).toBe(
        202,
      );
      expect((await ended(server, 'demo', runId)).outcome).toBe('cancelled');
      expect(isRunning(pid)).toBe(false);
    }));

  it('lets running turns end during a shutdown', () =>
    withHome(async ({ serve, write, read }) => {
      write('projects/demo/project.yaml', project(steps(bash('sleep 1; echo done > done.txt'))));
      const server = await serve();
      await server.send('POST', '/api/projects/demo/triggers/it/run');
      await until(async () => {
        const { body } = await server.get('/api/projects/demo/runs');
        return (body as { runs: Run[] }).runs[0]?.state === 'running';
      });
      expect(await server.stop()).toBe(0);
      expect(read('projects/demo/done.txt')).toBe('done\n');
    }));

  it('ends leftover processes after kill -9 and marks their run interrupted', () =>
    withHome(async ({ serve, write, home }) => {
      write('svc.config.yaml', WITHOUT_SANDBOX);
      write(
        'projects/demo/project.yaml',
        project(steps(bash('setsid sleep 300 & echo $! > pid; sleep 300'))),
      );
      const first = await serve();
      await first.send('POST', '/api/projects/demo/triggers/it/run');
      const pid = await pidIn(join(home, 'projects/demo/pid'));
      await first.stop('SIGKILL');
      expect(isRunning(pid)).toBe(true);
      const second = await serve();
      const { body } = await second.get('/api/projects/demo/runs');
      expect(body).toMatchObject({ runs: [{ outcome: 'interrupted', state: 'ended' }] });
      expect(isRunning(pid)).toBe(false);
    }));

  it('gives agents a constructed environment', () =>
    withHome(async ({ serve, write, read }) => {
      write('svc.config.yaml', 'agents: { env: [PASSED, NOTIFY_SOCKET] }\n');
      write('projects/demo/project.yaml', project(steps(bash('env | sort > env.txt'))));
      const systemd = { NOTIFY_SOCKET: '/nowhere', WATCHDOG_USEC: '90000000' };
      const server = await serve({ SECRET: 'hidden', PASSED: 'yes', TZ: 'Asia/Tokyo', ...systemd });
      await runNow(server);
      const names = read('projects/demo/env.txt')
        .split('\n')
        .map((line) => line.split('=')[0]);
      expect(names).toEqual(
        expect.arrayContaining(['PATH', 'HOME', 'LANG', 'PASSED', 'SVC_TURN_ID']),
      );
      expect(read('projects/demo/env.txt')).toMatch(/^TZ=Asia\/Tokyo$/m);
      expect(names).not.toContain('NOTIFY_SOCKET');
      expect(names).not.toContain('SECRET');
      expect(names).not.toContain('SVC_PORT');
    }));

  it('answers probes, metrics and unknown addresses in JSON', () =>
    withHome(async ({ serve }) => {
      const server = await serve();
      expect(await server.get('/livez')).toMatchObject({ status: 200, body: { ok: true } });
      expect(await server.get('/readyz')).toMatchObject({ status: 200, body: { ok: true } });
      expect((await server.get('/metrics')).body).toContain('svc_armed_triggers 0');
      expect((await server.get('/')).body).toContain('svc 0.1.0 is running');
      for (const path of ['/mcp', '/.well-known/oauth-protected-resource', '/.well-known/x']) {
        expect(await server.get(path)).toMatchObject({ status: 404, body: { error: 'not found' } });
      }
      for (const path of ['/api/nothing', '/api/', '/nothing']) {
        expect(await server.get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }));

  it('restricts its data to its owner, and refuses a second process with a sentence', () =>
    withHome(async ({ serve, run, home }) => {
      const server = await serve();
      expect(statSync(join(home, 'data')).mode & 0o777).toBe(0o700);
      expect(statSync(join(home, 'data/instance.json')).mode & 0o777).toBe(0o600);
      const second = await run('serve', '--port', '0');
      expect(second).toMatchObject({
        code: 1,
        error: `svc: Another svc process (pid ${server.process.pid}, at ${server.url}) is already using the home folder ${home}. Stop it, or choose another home with --home.\n`,
      });
      await server.stop();
      expect(() => statSync(join(home, 'data/instance.json'))).toThrow();
    }));

  it('warns about an address without authentication, and about unknown settings', () =>
    withHome(async ({ serve, write }) => {
      write('svc.config.yaml', 'server: { hots: x }\nauth: { mode: none }\n');
      const server = await serve({ SVC_HOST: '0.0.0.0' });
      const warnings = server.lines.filter((line) => line['level'] === 40);
      expect(warnings).toMatchObject([
        {
          msg: 'unknown setting',
          path: 'server.hots',
          line: 1,
          message: 'is not a known setting. Did you mean server.host?',
        },
        { msg: expect.stringContaining('auth.mode is none') },
      ]);
      expect((await server.get('/api/projects')).status).toBe(200);
    }));
});

describe('the command', () => {
  it.each([
    [['--version'], 0, '0.1.0'],
    [['--help'], 0, 'Usage: svc COMMAND'],
    [['serve', '--help'], 0, '--port PORT'],
    [[], 2, 'a command is required'],
    [['xyzzy'], 2, 'unknown command xyzzy. See'],
    [['sevre'], 2, 'unknown command sevre. Did you mean serve?'],
    [['preview', '--wait', 'x'], 2, 'preview has no option --wait'],
    [['serve', '--nope'], 2, "unknown option '--nope'. See"],
    [['serve', '--prot', '1'], 2, "unknown option '--prot'. Did you mean --port?"],
    [['fire', 'demo'], 2, 'fire takes a project and a trigger'],
    [['fire', 'a', 'b', '--timeout', '5m'], 2, '--timeout requires --wait.'],
    [['fire', 'a', 'b', '--wait', '--timeout', '5'], 2, '--timeout "5" has no unit'],
    [['why', 'a', 'b', '--source', 'file'], 2, '--source must be trigger or schedule, not file.'],
    [['serve', '--init', '--home', '/proc/nowhere'], 1, 'Choose a writable home with --home.'],
    [['serve', '--home', '/dev/null'], 1, 'There is no home folder /dev/null.'],
    [
      ['serve', '--home', '/nowhere'],
      1,
      'Create one with "svc init /nowhere" or "svc serve --init"',
    ],
    [['fire', 'a', 'b', '--home', '/nowhere'], 1, 'There is no home folder /nowhere.'],
    [['serve', '--port', 'x'], 2, '--port must be a whole number from 0 to 65535.'],
    [['serve', '--log-level', 'loud'], 2, '--log-level must be debug, info, warn or error.'],
    [
      ['validate', '--config', '/nowhere.yaml'],
      1,
      'The configuration file /nowhere.yaml does not exist. Choose another with --config.',
    ],
    [['token', 'check', '--home', '/nowhere'], 1, 'There is no home folder /nowhere.'],
    [['validate', '--home', '/nowhere'], 1, 'The folder /nowhere/projects does not exist'],
    [['preview', '* * * *'], 1, '4 fields'],
    [['preview', '0 9 * * 1-5', '--timezone', 'Europe/Berlin'], 0, 'Europe/Berlin'],
    [['preview', '90m'], 0, 'Every 90 minutes'],
    [['preview', '@daily'], 0, 'About 1 run a day.'],
    [['help'], 0, 'Usage: svc COMMAND [options]'],
    [['help', 'fire'], 0, 'Usage: svc fire PROJECT TRIGGER'],
    [['help', 'frie'], 2, 'unknown command frie. Did you mean fire?'],
    [['preview', '12h'], 0, 'About 2 runs a day.'],
    [['preview', '0 9 * * 1-5'], 0, 'About 5 runs a week.'],
    [['preview', '0 0 1 * *'], 0, 'About 12 runs a year.'],
    [['preview', '0 0 29 2 *'], 0, 'About 1 run in 4 years.'],
    [['preview', '1h30m'], 1, '90m'],
    [['preview', '@daily', '--count', '0'], 2, '--count'],
  ])('%j exits %d', async (args, code, word) => {
    const finished = await runCommand(args);
    expect([finished.code, finished.out + finished.error]).toEqual([
      code,
      expect.stringContaining(word),
    ]);
    if (code !== 0) expect(finished.error).toMatch(/^svc: .+\n$/);
  });

  it('creates a home once', () =>
    withHome(async ({ home, run }) => {
      expect((await run('init')).code).toBe(0);
      expect(await run('validate')).toMatchObject({
        code: 0,
        out: '1 file checked: 0 errors, 0 warnings.\n',
      });
      expect(await run('init')).toMatchObject({ code: 1, error: expect.stringContaining(home) });
    }));

  it('validates files and reports line and column', () =>
    withHome(async ({ write, run, home }) => {
      write(
        'projects/demo/project.yaml',
        'triggers:\n  a:\n    trigger: { type: schedule, cron: "x" }\n    run: {}\n',
      );
      mkdirSync(join(home, 'projects/no-project'));
      const finished = await run('validate', 'demo');
      expect(finished.code).toBe(1);
      expect(finished.out).toMatch(/project\.yaml:3:\d+ invalid_trigger a: trigger\.cron /);
      expect(finished.out).toContain('1 file checked: 2 errors, 0 warnings.');
      write(
        'projects/demo/project.yaml',
        'triggers:\n  a:\n    trigger: { type: webhook }\n    run: { promptFile: gone.md }\n    enabled: true\n',
      );
      const warned = await run('validate', 'demo');
      expect(warned.code).toBe(0);
      expect(warned.out).toMatch(
        /project\.yaml:4:24 warning a: run\.promptFile names \.svc\/triggers\/gone\.md, which does not exist\./,
      );
      expect(warned.out).toContain('1 file checked: 0 errors, 1 warning.');
      write('projects/demo/project.yaml', 'odd: 1\ntriggers: 7\n');
      expect((await run('validate', 'demo')).out).toContain('checked: 1 error, 1 warning.');
      expect(await run('validate', 'unknown')).toMatchObject({ code: 1 });
    }));

  it('fires automatically, or through the running server', () =>
    withHome(async ({ write, run, serve }) => {
      write('projects/demo/project.yaml', project(steps(bash('true'))));
      expect(await run('fire', 'demo', 'it')).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^run .*\nsucceeded\n$/),
      });
      await serve();
      expect(await run('fire', 'demo', 'it', '--wait')).toMatchObject({
        code: 0,
        out: expect.stringContaining('succeeded'),
      });
    }));
});

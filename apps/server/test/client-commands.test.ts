import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { COMMANDS } from '../src/commands.ts';
import { BIN, type OpenHome, openHome, type Running, runCommand, until } from './harness.ts';
import { svc } from './in-process.ts';

jest.setTimeout(60_000);

const TOKEN = 'an-access-token-of-a-test';
const CONFIG = 'auth: { mode: token, tokenRef: "env:ACCESS" }\n';
const step = (line: string): string => `"\`\`\`bash\\n${line}\\n\`\`\`"`;
const PROJECT = `name: Demo
triggers:
  works:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: ${step('echo done')}, tools: [Bash] }
    enabled: true
  breaks:
    trigger: { type: schedule, cron: "0 9 * * 1-5", timezone: UTC }
    run: { prompt: ${step('exit 3')}, tools: [Bash] }
    enabled: false
  wrong:
    trigger: { type: schedule, cron: "0 9 * *" }
    run: { prompt: "x" }
    enabled: false
keeper: { runtime: native }
`;

let home: OpenHome;
let server: Running;
beforeAll(async () => {
  home = openHome();
  home.write('svc.config.yaml', CONFIG);
  home.write('projects/demo/project.yaml', PROJECT);
  home.write('projects/other/project.yaml', 'name: Other\n');
  server = await home.serve({ ACCESS: TOKEN });
});
afterAll(() => home.close());

const here = (...given: string[]) => svc([...given, '--home', home.home]);

/** A pipe opened for writing, once a reader has opened it. */
async function whenRead(pipe: string): Promise<FileHandle> {
  for (;;) {
    const writing = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null);
    if (writing !== null) return writing;
    await setTimeout(10);
  }
}

async function fired(trigger: string): Promise<string> {
  const { out } = await here('fire', 'demo', trigger, '--wait', '--json');
  return (JSON.parse(out) as { run: { id: string } }).run.id;
}

describe('everyday commands, at a real server', () => {
  // proves: commands.triggers
  it('list triggers with their state and next run', async () => {
    const { code, out } = await here('triggers');
    expect(code).toBe(0);
    expect(out).toMatch(/^PROJECT {2}TRIGGER +STATE +SCHEDULE/);
    expect(out).toMatch(/demo +works +on +Every 12 hours +20\d\d-\d\d-\d\d \d\d:\d\d:\d\d/);
    expect(out).toMatch(/demo +breaks +off +At 09:00, Monday through Friday/);
    expect(out).toMatch(/demo +wrong +invalid .*trigger\.cron has 4 fields/);
    const one = JSON.parse((await here('triggers', 'demo', '--json')).out) as {
      triggers: { name: string; state: string; nextFire: string | null }[];
    };
    expect(one.triggers.map(({ name, state }) => [name, state])).toEqual([
      ['breaks', 'off'],
      ['works', 'on'],
      ['wrong', 'invalid'],
    ]);
  });

  // proves: commands.runs, commands.runs.failed, commands.show
  it('list runs and show one, also by a part of its id', async () => {
    const [good, bad] = [await fired('works'), await fired('breaks')];
    const all = await here('runs');
    expect(
      all.out
        .split('\n')
        .slice(1, 3)
        .map((line) => line.slice(-36)),
    ).toEqual([bad, good]);
    const failed = await here('runs', 'demo', '--failed');
    expect(failed.out).toContain(bad);
    expect(failed.out).not.toContain(good);
    expect(failed.out).toMatch(/failed +\S+ (ms|s) +Step 1 \(Bash\) failed: exit code 3/);
    expect((await here('runs', 'demo', 'works', '--failed')).error).toBe('No failed runs.');
    const atTerminal = await svc(['runs', '--home', home.home], { columns: 80 });
    for (const line of atTerminal.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(atTerminal.out).toContain(bad.slice(-12));
    expect(atTerminal.out).not.toContain(bad);
    for (const id of [bad, bad.slice(-12)]) {
      const { code, out } = await here('show', id);
      expect([code, out]).toEqual([0, expect.stringMatching(/^outcome {3}failed$/m)]);
      expect(out).toMatch(/^reason {4}Step 1 \(Bash\) failed: exit code 3/m);
      expect(out).toMatch(/^ {2}Bash \{"command":"exit 3"\}$/m);
    }
    expect(await here('show', 'ffffffffffff')).toMatchObject({ code: 1 });
    expect(await here('show', 'not an id')).toMatchObject({ code: 2 });
  });

  // proves: commands.runs.follow
  it('follow runs from start to end', async () => {
    let stop = (): void => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const updates: { readonly id: string; readonly state: string }[] = [];
    const child = svc(['runs', 'demo', '--follow', '--json', '--limit', '1', '--home', home.home], {
      stop: stopped,
      onLine: (line) => void updates.push(JSON.parse(line)),
    });
    await until(async () => updates.length > 0);
    const id = await fired('works');
    await until(async () => updates.some((run) => run.id === id && run.state === 'ended'));
    stop();
    expect((await child).code).toBe(0);
    expect(updates.filter((run) => run.id === id).at(-1)?.state).toBe('ended');
  });

  // proves: commands.chats, commands.send, commands.cancel
  it('start a chat, continue it, list and cancel', async () => {
    const begun = await here('send', 'demo', '--new', '```bash\necho hello\n```', '--wait');
    expect(begun).toMatchObject({ code: 0, error: '' });
    expect(begun.out).toContain('  | hello');
    const nothing = await here('send', 'demo', '--new', 'Say hi', '--wait');
    expect(nothing.code).toBe(1);
    expect(nothing.out).toContain('The model is playbook, which only runs steps');
    expect((await here('chats')).out).toMatch(/demo +20\d\d-.* Say hi +\d+ {2}[0-9a-f-]{36}/);
    const sent = await here('send', 'demo', 'Say hi', '```bash\nsleep 600\n```', '--json');
    expect(JSON.parse(sent.out)).toMatchObject({ project: 'demo' });
    const { sessionId } = JSON.parse(sent.out) as { sessionId: string };
    expect(await here('cancel', 'demo', sessionId.slice(-12))).toMatchObject({
      code: 0,
      out: `the turn of chat ${sessionId} is being cancelled.`,
    });
    expect((await here('send', 'demo', 'Say hj', 'x')).error).toContain('Did you mean Say hi?');
    const id = await fired('works');
    expect((await here('cancel', id)).error).toBe('svc: This run has already ended.');
  });

  // proves: commands.logs, commands.open
  it('show the log and the address of the page', async () => {
    const { out } = await here('logs', '--lines', '1000');
    const lines = out.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toEqual(expect.arrayContaining([expect.objectContaining({ msg: 'listening' })]));
    expect((await here('logs', '--level', 'error')).out).toBe('');
    for (const level of ['loud', 'constructor'])
      expect((await here('logs', '--level', level)).error).toContain('debug, info, warn or error');
    expect(await here('open', '--print')).toMatchObject({ code: 0, out: server.url });
  });

  // proves: commands.meant
  it.each([
    [['triggers', 'dmo'], 'svc: There is no project dmo. Did you mean demo?'],
    [['runs', 'demo', 'work'], null],
    [
      ['fire', 'demo', 'work'],
      'svc: There is no trigger work in the project demo. Did you mean works?',
    ],
    [['chats', 'demp'], 'svc: There is no project demp. Did you mean demo?'],
    [['trigers'], 'svc: unknown command trigers. Did you mean triggers? See svc --help.'],
  ] as const)('%j suggests what may be meant', async (given, error) => {
    expect((await here(...given)).error).toBe(error ?? 'No runs yet.');
  });

  // proves: commands.json
  it.each([
    [['status'], ['version', 'nodes']],
    [['runs'], ['runs', 'next']],
    [['chats'], ['chats']],
    [
      ['fire', 'demo', 'works'],
      ['runId', 'sessionId'],
    ],
    [
      ['why', 'demo', 'works'],
      ['decision', 'sentences'],
    ],
    [
      ['pause', '--reason', 'a test'],
      ['paused', 'stopped'],
    ],
    [['resume'], ['paused', 'wasPaused']],
    [['resume', 'demo', 'works'], ['resumed']],
    [['open'], ['url']],
  ] as const)('%j --json prints one value', async (given, keys) => {
    const { code, out, error } = await here(...given, '--json');
    expect([code, error]).toEqual([0, '']);
    expect(Object.keys(JSON.parse(out) as object)).toEqual(expect.arrayContaining([...keys]));
  });

  // proves: commands.json.local
  it('print one value without a server too', async () => {
    const preview = await here('preview', '0 9 * * 1-5', '--json');
    expect(JSON.parse(preview.out)).toMatchObject({ description: expect.any(String) });
    const checked = await here('validate', '--json');
    expect(checked.code).toBe(1);
    expect(JSON.parse(checked.out)).toMatchObject({
      files: 2,
      errors: 1,
      findings: [{ code: 'invalid_trigger', entry: 'wrong', line: 12 }],
    });
    const made = await here('token', 'new', 'ci', '--json');
    expect(JSON.parse(made.out)).toMatchObject({ clientId: 'ci', variable: 'SVC_TOKEN_CI' });
    const tokens = await here('token', 'check', '--json');
    expect(JSON.parse(tokens.out)).toMatchObject({ enabled: false, clients: [] });
  });

  // proves: commands.json.local
  it('svc doctor --json prints one value', async () => {
    const { code, out } = await here('doctor', '--json');
    const found = JSON.parse(out) as { ok: boolean; runtimes: { id: string }[] };
    expect(found.ok).toBe(code === 0);
    expect(found.runtimes.map(({ id }) => id)).toContain('native');
    expect(found).toMatchObject({ database: { ok: true }, projects: { ok: true } });
  });

  it.each(COMMANDS.filter(({ json }) => json !== undefined).map(({ name }) => name))(
    '%s documents its --json output in its help',
    async (name) => {
      expect((await svc(['help', name])).out).toMatch(/^With --json: |^ +--json +\{/m);
    },
  );

  // proves: commands.remote
  it('work with a remote server', async () => {
    const env = { ELSEWHERE: TOKEN };
    const remote = ['--url', server.url, '--token', 'env:ELSEWHERE'];
    const listed = await svc(['triggers', ...remote], { env });
    expect(listed).toMatchObject({ code: 0, out: expect.stringMatching(/demo +works +on/) });
    const done = await svc(['fire', 'demo', 'works', '--wait', ...remote], { env });
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/succeeded$/) });
    const refused = await svc(['runs', '--url', server.url]);
    expect(refused.code).toBe(1);
    expect(refused.error).toContain('with --token env:NAME');
  });

  // proves: commands.remote.refused
  it.each([
    [['--url', 'svc.example'], 2, '--url must be a URL such as https://svc.example.com'],
    [['--token', 'env:ELSEWHERE'], 2, '--token requires --url.'],
    [['--url', 'http://10.0.0.1', '--token', 'env:ELSEWHERE'], 1, 'unencrypted'],
    [['--url', 'http://127.0.0.1:1', '--token', TOKEN], 2, '--token env:NAME'],
    [
      ['--url', 'http://127.0.0.1:1', '--token', 'env:UNSET'],
      1,
      '--token names the variable UNSET, which is not set',
    ],
    [['--url', 'http://127.0.0.1:1'], 1, 'cannot be reached: connection refused.'],
    [['--url', 'https://nowhere.invalid'], 1, 'cannot be reached: '],
    [['--url', 'http://me:secret@127.0.0.1:1'], 2, '--url must not contain credentials.'],
  ] as const)('%j is refused with a sentence', async (given, code, words) => {
    const said = await svc(['runs', ...given], { env: { ELSEWHERE: TOKEN } });
    expect(said.code).toBe(code);
    expect(said.error).toContain(words);
    expect(said.error).not.toContain(TOKEN);
    expect(said.error).not.toContain('secret');
  });

  // proves: commands.stop
  it('end on a signal while the server does not answer', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const given: Readonly<Record<string, readonly string[]>> = {
        ...{ show: ['x'], why: ['demo', 'x'], fire: ['demo', 'x'], cancel: ['x'] },
        ...{ send: ['demo', 'x', 'Hi.'], open: ['--print'], alerts: ['test'], confirm: ['demo'] },
      };
      const remote = COMMANDS.filter(({ isRemote }) => isRemote === true);
      const stop = Promise.resolve();
      const said = await Promise.all(
        remote.map(({ name }) =>
          svc([name, ...(given[name] ?? []), '--url', url], { stop, stopAtOnce: stop }),
        ),
      );
      expect(remote.length).toBeGreaterThan(10);
      const stopped = { code: 1, out: '', error: 'svc: Stopped.' };
      expect(said).toEqual(remote.map(() => stopped));
      expect(await svc(['logs', '--url', url], { stop })).toEqual(stopped);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  // proves: commands.stop
  it('end on a signal while they read a pipe', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-pipe-'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const child = spawn(process.execPath, [BIN, 'status', '--home', folder, '--config', pipe]);
    let error = '';
    child.stderr.on('data', (chunk) => (error += chunk));
    // The pipe can be opened without waiting once there is a reader.
    const writing = await whenRead(pipe);
    child.kill('SIGINT');
    const [, signal] = await once(child, 'close');
    await writing.close();
    rmSync(folder, { recursive: true });
    expect([error, signal]).toEqual(['svc: Stopped.\n', 'SIGINT']);
  });

  it('fail if their output cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [BIN, 'help'], { stdio: ['ignore', full, 'pipe'] });
    let error = '';
    child.stderr?.on('data', (chunk) => (error += chunk));
    const [code] = await once(child, 'close');
    closeSync(full);
    expect([code, error]).toEqual([
      1,
      'svc: The output could not be written: no space left on device.\n',
    ]);
  });

  it.each([
    ['{}', 'The answer has no field "'],
    ['[]', 'is not an svc server'],
    ['null', 'is not an svc server'],
  ])('report an answer of another form: %s', async (body, message) => {
    const other = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(body);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    try {
      const commands = ['status', 'runs', 'pause', 'resume', 'resume hello x', 'fire hello x'];
      for (const command of [...commands, 'triggers hello', 'logs', 'alerts test', 'chats hello']) {
        const said = await svc([...command.split(' '), '--url', url]);
        expect([command, said]).toEqual([
          command,
          { code: 1, out: '', error: expect.stringContaining(message) },
        ]);
      }
    } finally {
      other.close();
    }
  });

  it('report when another program than svc answers', async () => {
    const other = createServer((_request, response) => response.writeHead(302).end('<html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const said = await svc(['status', '--url', url]);
      expect(said).toMatchObject({
        code: 1,
        error: expect.stringContaining('is not an svc server'),
      });
    } finally {
      other.close();
    }
  });

  it('show what a server of an earlier version sends, and leave out what it does not', async () => {
    const entry = { name: 'a', enabled: true, schedule: null, lastRun: null };
    const state = { name: 'a', source: 'trigger', armed: true, running: false, paused: false };
    const bodies: Readonly<Record<string, object>> = {
      '/api/status': { version: '0.1.0', paused: null, nodes: [], answeredBy: 'n', running: [] },
      '/api/pause': { paused: {}, stopped: 0 },
      '/api/projects/demo/triggers': {
        triggers: [{ ...entry, usage: { month: { cost: null } } }],
        ...{ legacySchedules: [], invalid: [] },
      },
      '/api/projects/demo/triggers/runtime': { runtime: [state] },
    };
    const earlier = createServer(({ url = '' }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(bodies[url]));
    });
    await new Promise<void>((resolve) => earlier.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(earlier.address() as AddressInfo).port}`;
      const ask = async (...given: string[]) => svc([...given, '--url', url]);
      const idle = { code: 0, out: `svc 0.1.0 at ${url}/\nNo turns are running.`, error: '' };
      expect(await ask('status')).toEqual(idle);
      const { out } = await ask('status', '--json');
      expect(JSON.parse(out)).toEqual(bodies['/api/status']);
      const paused = 'All triggers are paused until svc resume.';
      expect(await ask('pause')).toEqual({ code: 0, out: paused, error: '' });
      expect((await ask('triggers', 'demo')).out).toMatch(/\na +on *$/);
    } finally {
      earlier.closeAllConnections();
      earlier.close();
    }
  });
});

describe('completion', () => {
  // proves: commands.complete
  it.each([
    [['tr'], ['triggers']],
    [['help', 'sh'], ['show']],
    [
      ['runs', '--f'],
      ['--failed', '--follow'],
    ],
    [
      ['logs', '--level', ''],
      ['debug', 'info', 'warn', 'error'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['runs', 'd'], ['demo']],
    [['simulate', '--fail-on', 'n'], ['never']],
    [['import', 'crontab', '-', '--project', 'd'], ['demo']],
    [['import', 'git'], ['github-workflow']],
    [
      ['why', 'demo', ''],
      ['works', 'breaks', 'wrong'],
    ],
    [
      ['runs', '--limit', '5', 'demo', 'w'],
      ['works', 'wrong'],
    ],
    [['import', 'crontab', '-', '--project', '=', 'd'], ['demo']],
    [['serve', ''], []],
  ] as const)('%j becomes %j', async (words, found) => {
    const { out } = await svc(['__complete', ...words], { env: { SVC_HOME: home.home } });
    expect(
      out
        .split('\n')
        .filter((line) => line !== '')
        .sort(),
    ).toEqual([...found].sort());
  });

  it('works in bash', async () => {
    const { out: script } = await runCommand(['completion', 'bash']);
    const program = `svc() { "${process.execPath}" "${BIN}" "$@"; }
${script}
COMP_WORDS=(svc triggers o); COMP_CWORD=2; _svc; echo "\${COMPREPLY[@]}"`;
    const env = { ...process.env, SVC_HOME: home.home, NODE_OPTIONS: '' };
    expect(execFileSync('bash', ['-c', program], { env, encoding: 'utf8' })).toBe('other\n');
  });
});

describe('svc logs --follow', () => {
  // proves: commands.logs
  it('continues after a restart of the service', async () => {
    const own = openHome();
    try {
      own.write('projects/demo/project.yaml', 'name: Demo\n');
      const first = await own.serve();
      let stop = (): void => {};
      const stopped = new Promise<void>((resolve) => {
        stop = resolve;
      });
      const said: string[] = [];
      const following = svc(['logs', '--follow', '--home', own.home], {
        stop: stopped,
        onLine: (line) => said.push(line),
      });
      const times = () => said.filter((line) => line.includes('"listening"')).length;
      await until(async () => times() === 1);
      await first.stop();
      await own.serve();
      await until(async () => times() === 2);
      stop();
      expect((await following).code).toBe(0);
    } finally {
      await own.close();
    }
  });
});

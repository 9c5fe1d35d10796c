import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type { Run } from '@svc/records';
import { withoutPackagePaths } from '../src/context.ts';
import { type Running, runCommand, type TestHome, until, withHome } from './harness.ts';

jest.setTimeout(60_000);

const NODE_VERSION = new URL('../bin/node-version.js', import.meta.url).href;
const BIN = new URL('../bin/svc.js', import.meta.url).pathname;

const trigger = (name: string, steps: string, enabled = false): string => `triggers:
  ${name}:
    trigger: { type: schedule, interval: 1h }
    run:
      prompt: |
${steps.replace(/^/gm, '        ')}
    enabled: ${enabled}
`;
const bash = (command: string): string => `\`\`\`bash\n${command}\n\`\`\``;

/** Starts `svc serve`, waits until it prints the given text, stops it, and returns all of its standard output and error. */
async function served(home: string, word: string, ...args: string[]) {
  const options = ['serve', '--home', home, '--port', '0', ...args];
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [BIN, ...options], {
    env: { PATH, HOME: home, TZ: 'UTC' },
  });
  let out = '';
  let error = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (error += chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    await until(async () => `${out}${error}`.includes(word));
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
  return { out, error };
}

describe('a failed start', () => {
  const startWith = (prepare: (home: TestHome) => string[] | Promise<string[]>, env = {}) => {
    let result: [number | null, string] = [null, ''];
    return withHome(async (home) => {
      home.write('projects/demo/project.yaml', 'triggers: {}\n');
      const args = await prepare(home);
      const { code, error } = await runCommand(['serve', '--home', home.home, ...args], env);
      result = [code, error.replaceAll(home.home, 'HOME')];
    }).then(() => result);
  };

  it('names the taken port and suggests another one', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      expect(await startWith(() => ['--port', String(port)])).toEqual([
        1,
        `svc: cannot listen on 127.0.0.1:${port}: the port is already in use. Choose another port with --port.\n`,
      ]);
    } finally {
      other.close();
    }
  });

  it.each([
    [
      'server: [',
      'svc: HOME/svc.config.yaml:1: The file is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ].\n',
    ],
    ['- a', 'svc: HOME/svc.config.yaml:1: The file must be a map of settings.\n'],
    [
      'runtime:\n  default: claud',
      'svc: HOME/svc.config.yaml:2: runtime.default must be native or claude: this instance has no runtime "claud". Did you mean claude?\n',
    ],
  ])('names the file and the line of the mistake in %j', async (config, message) => {
    const result = await startWith(({ write }) => {
      write('svc.config.yaml', config);
      return ['--port', '0'];
    });
    expect(result).toEqual([1, message]);
  });

  it('names the file that blocks a folder', async () => {
    const result = await startWith(({ write }) => {
      write('data', 'a file');
      return ['--port', '0'];
    });
    expect(result).toEqual([
      1,
      'svc: The home folder HOME cannot be used: HOME/data is not a folder. Choose a writable home with --home.\n',
    ]);
    const folder = await startWith(({ write }) => {
      write('svc.config.yaml/x', '');
      return ['--port', '0'];
    });
    expect(folder[1]).toContain('svc.config.yaml cannot be read: it is a folder');
  });
});

describe('a home', () => {
  it.each([[['serve']], [['fire', 'demo', 'it']], [['validate']]])(
    'is not created by %j when it does not exist',
    (args) =>
      withHome(async ({ home, run }) => {
        expect(await run(...args)).toMatchObject({ code: 1, out: '' });
        expect(existsSync(join(home, 'projects'))).toBe(false);
        expect(existsSync(join(home, 'data'))).toBe(false);
      }),
  );

  it('is refused without a projects folder, with a suggestion', () =>
    withHome(async ({ home, run }) => {
      expect((await run('serve')).error).toBe(
        `svc: ${home} is not a home of svc: it has no folder "projects". Create one with "svc init ${home}" or "svc serve --init", or choose another with --home.\n`,
      );
    }));

  it('keeps its deleted data folder missing when commands run, so that it can be restored', () =>
    withHome(async ({ home, write, run, serve }) => {
      write('projects/demo/project.yaml', trigger('it', 'Do it.'));
      await serve();
      renameSync(join(home, 'data'), join(home, 'away'));
      for (const words of [['why', 'demo', 'it'], ['fire', 'demo', 'it'], ['pause'], ['serve']]) {
        const { code, error } = await run(...words);
        expect([code, error]).toEqual([
          1,
          expect.stringContaining('is already using this home folder'),
        ]);
      }
      await run('doctor');
      expect(existsSync(join(home, 'data'))).toBe(false);
      renameSync(join(home, 'away'), join(home, 'data'));
    }));

  it('without projects has nothing to validate', () =>
    withHome(async ({ home, run }) => {
      mkdirSync(join(home, 'projects'));
      const { code, error } = await run('validate');
      expect([code, error]).toEqual([1, expect.stringContaining('There is no project in')]);
    }));

  it('warns of a folder whose name is no valid project name', () =>
    withHome(async ({ write, run }) => {
      write('projects/demo/project.yaml', 'name: Demo\n');
      write('projects/My Project/project.yaml', 'name: Mine\n');
      const { code, out } = await run('validate');
      expect(out).toMatch(
        /projects\/My Project warning This folder is not a project: its name must have/,
      );
      expect(out).toMatch(/1 file checked: 0 errors, 1 warning\.\n$/);
      expect(code).toBe(0);
    }));

  // proves: cli.plain
  it('never writes control characters to the terminal, whatever names contain', () =>
    withHome(async ({ write, run }) => {
      write('projects/demo/project.yaml', 'triggers:\n  "b\\e]0;owned\\ax": { enabled: true }\n');
      const { out } = await run('validate', 'demo');
      expect(out).toContain('invalid_trigger b\\u001b]0;owned\\u0007x: name must not contain');
      expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    }));
});

// Everything on the standard error, once the greeting is complete.
const greetingOf = (server: Running): Promise<string> =>
  until(async () => (server.stderr().includes('To list projects:') ? server.stderr() : null));

describe('the greeting', () => {
  it('introduces the sample in a new home', () =>
    withHome(async ({ home }) => {
      const { error } = await served(home, 'Edit ', '--init');
      expect(error).toContain(`Created the home ${home} with the project "hello".`);
      expect(error).toContain('Its trigger "heartbeat" fires every 30 seconds');
    }));

  it('shows what is armed and which trigger fires first in an existing home', () =>
    withHome(async ({ home, write }) => {
      write('projects/demo/project.yaml', trigger('tidy', 'Tidy up.', true));
      const { error } = await served(home, '/chats', '--init');
      expect(error).not.toContain('heartbeat');
      expect(error).toMatch(/\n1 trigger is armed\. Next: "tidy" of project "demo" at 20\S+Z\./);
      expect(error).toMatch(/curl http:\S+\/api\/projects\/demo\/triggers\/runtime /);
    }));

  it('reports that no trigger is armed', () =>
    withHome(async ({ home, write }) => {
      write('projects/demo/project.yaml', trigger('tidy', 'Tidy up.'));
      expect((await served(home, 'To list projects:', '--init')).error).toContain(
        'No trigger is armed.',
      );
    }));

  // proves: people.curl
  it('shows a curl command for the effective auth mode, and never the token', () =>
    withHome(async ({ write, serve }) => {
      const token = 'the-access-token-of-this-instance';
      const asksWith = async (text: string) => {
        const [, header, variable, url] =
          /curl -H "(\S+: Bearer) \$(\w+)" (http:\S+)/.exec(text) ?? [];
        expect([header, variable]).toEqual(['Authorization: Bearer', 'SVC_ACCESS']);
        expect(text).toContain('shell variable SVC_ACCESS');
        expect(text).not.toContain(token);
        return String(url);
      };
      write('svc.config.yaml', 'auth: { mode: token, tokenRef: env:SVC_ACCESS }\n');
      write('projects/demo/project.yaml', trigger('tidy', 'Tidy up.'));
      const server = await serve({ SVC_ACCESS: token }, '--init');
      await asksWith(await greetingOf(server));
      const asking = { headers: { Authorization: `Bearer ${token}` } };
      const welcome = await (await fetch(server.url, asking)).text();
      expect((await fetch(await asksWith(welcome), asking)).status).toBe(200);
    }));

  it('shows plain addresses when only a proxy is trusted', () =>
    withHome(async ({ write, serve }) => {
      const auth = 'mode: trusted-header, header: X-User, trustedProxies: [loopback]';
      write('svc.config.yaml', `auth: { ${auth} }\n`);
      const server = await serve({}, '--init');
      const greeting = await greetingOf(server);
      expect(greeting).toContain('Send requests through the proxy');
      expect(greeting).not.toContain('curl');
    }));
});

describe('the log', () => {
  it('is JSON when the output is no terminal', () =>
    withHome(async ({ home, write }) => {
      write('projects/demo/project.yaml', trigger('tidy', 'Tidy up.'));
      const { out } = await served(home, 'listening');
      for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
    }));

  // proves: deploy.log.journal
  it('has a priority for the journal on each line, and contains only log lines', () =>
    withHome(async ({ home, write }) => {
      write('projects/demo/project.yaml', trigger('tidy', 'Tidy up.', true));
      write('svc.config.yaml', 'unknownSetting: 1\n');
      const file = join(home, 'journal');
      const journal = openSync(file, 'a');
      const { dev, ino } = fstatSync(journal);
      const child = spawn(
        process.execPath,
        [BIN, 'serve', '--init', '--home', home, '--port', '0'],
        {
          stdio: ['ignore', journal, journal],
          env: { PATH: process.env['PATH'] ?? '', JOURNAL_STREAM: `${dev}:${ino}` },
        },
      );
      try {
        await until(async () => readFileSync(file, 'utf8').includes('"listening"'));
      } finally {
        child.kill('SIGTERM');
        await once(child, 'close');
        closeSync(journal);
      }
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      const read = lines.map((line) => {
        const [, priority, text = ''] = /^<(\d)>(.*)$/.exec(line) ?? [];
        return [priority, (JSON.parse(text) as { level: number }).level];
      });
      expect(read).toEqual(
        expect.arrayContaining([
          ['4', 40],
          ['6', 30],
        ]),
      );
      expect(read.filter(([priority, level]) => priority !== (level === 40 ? '4' : '6'))).toEqual(
        [],
      );
    }));

  it('is human-readable on request, with control characters escaped', () =>
    withHome(async ({ home, write }) => {
      write(
        'projects/demo/project.yaml',
        `${trigger('tidy', 'Tidy up.', true)}"o\\u009bdd\\e": 1\n`,
      );
      const { out } = await served(home, 'listening', '--log-format', 'pretty');
      expect(out).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: listening {2}url=http:\S+ {2}home=\S+/m);
      expect(out).toMatch(/INFO: triggers armed {2}project=demo {2}armed=1 .* unchanged=0$/m);
      expect(out).toMatch(/WARN: warnings in project\.yaml {2}project=demo {2}warnings=/);
      expect(out.replace(/\n/g, '')).not.toMatch(/\p{Cc}/u);
    }));
});

describe('svc pause', () => {
  // proves: pausing.cli, pausing.answer
  it('pauses all triggers through the running server until svc resume', () =>
    withHome(async ({ write, run, serve }) => {
      write('projects/demo/project.yaml', trigger('it', 'Do it.'));
      const server = await serve();
      expect(await run('pause', '--reason', 'Moving.')).toMatchObject({
        code: 0,
        out: 'All triggers are paused until svc resume.\n',
      });
      expect((await server.get('/api/status')).body).toMatchObject({
        paused: { reason: 'Moving.' },
      });
      expect(String((await server.get('/metrics')).body)).toMatch(/^svc_paused 1$/m);
      expect((await run('pause', '--reason', 'Still moving.')).out).toMatch(
        /^All .* svc resume\.\nReplaced an earlier pause by a user \(since \S+, reason: Moving\)\.\n$/,
      );
      expect((await run('fire', 'demo', 'it')).out).toContain(
        'The trigger is paused, but this run starts.',
      );
      expect((await run('resume', 'demo', 'it')).out).toBe('it was not paused.\n');
      expect((await run('doctor')).out).toMatch(
        /^All triggers have been paused since .* by a user \(reason: Still moving\)\. Resume them with svc resume\.$/m,
      );
      expect((await run('resume')).out).toMatch(/^Resumed all triggers\. /);
      expect((await run('resume')).out).toBe('Nothing was paused.\n');
      expect((await server.get('/api/status')).body).toMatchObject({ paused: null });
      expect((await run('doctor')).out).not.toContain('paused');
    }));

  // proves: pausing.cli
  it('pauses without a running server, for the next start', () =>
    withHome(async ({ write, run, serve }) => {
      write('projects/demo/project.yaml', trigger('it', 'Do it.'));
      expect(await run('pause', '--reason', 'Moving.')).toMatchObject({ code: 0 });
      expect((await run('resume', 'demo', 'it')).out).toBe('it was not paused.\n');
      expect((await run('pause', '--reason', 'x'.repeat(501))).error).toContain('reason');
      const server = await serve();
      expect((await server.get('/api/status')).body).toMatchObject({
        paused: { by: 'user', reason: 'Moving.' },
      });
      await server.stop();
      expect((await run('resume')).out).toContain('Resumed all triggers');
      expect((await run('resume')).out).toContain('Nothing was paused');
    }));
});

describe('svc fire', () => {
  it('--wait shows the end of the transcript, the outcome and the reason', () =>
    withHome(async ({ write, run, serve }) => {
      const steps = `Say two things.\n\n${bash('echo one; echo two')}\n\n${bash('echo no >&2; exit 3')}`;
      write('projects/demo/project.yaml', trigger('it', steps));
      const inside = await run('fire', 'demo', 'it', '--wait');
      await serve();
      const through = await run('fire', 'demo', 'it', '--wait');
      for (const { code, out } of [inside, through]) {
        expect(code).toBe(1);
        expect(out).toMatch(/^run \S+ in chat \S+\n/);
        expect(out).toMatch(/\n {2}Bash \{.*echo one.*\n {2}\| one\n {2}\| two\n/);
        expect(out).toMatch(/\nfailed: .*exit code 3.*\n$/);
        expect(out.match(/exit code 3/g)).toHaveLength(2);
        expect(out).not.toContain('Permission mode');
      }
    }));

  it('--timeout stops waiting, and the run continues', () =>
    withHome(async ({ write, run, serve }) => {
      write('projects/demo/project.yaml', trigger('it', bash('sleep 60')));
      const server = await serve();
      const { code, out, error } = await run('fire', 'demo', 'it', '--wait', '--timeout', '1s');
      const [, id] = /^run (\S+) in chat/.exec(out) ?? [];
      expect([code, error]).toEqual([1, `svc: Run ${id} did not end within --timeout.\n`]);
      const { body } = await server.get(`/api/projects/demo/runs/${id}`);
      expect(body).toMatchObject({ state: 'running' });
    }));

  // proves: cli.fire-over-a-stop
  it('--wait continues through a restart of the server in which the run ends', () =>
    withHome(async ({ write, run, serve }) => {
      write('projects/demo/project.yaml', trigger('it', bash('sleep 3')));
      const server = await serve();
      const fired = run('fire', 'demo', 'it', '--wait');
      await until(async () => {
        const { body } = await server.get('/api/projects/demo/runs?limit=1');
        return (body as { runs: Run[] }).runs[0]?.state === 'running';
      });
      await server.stop();
      await serve();
      const { code, out, error } = await fired;
      const [, id = ''] = /^run (\S+) in chat/.exec(out) ?? [];
      expect([code, out]).toEqual([0, expect.stringMatching(/\nsucceeded\n$/)]);
      expect(error).toMatch(`Waiting for the server and run ${id}: `);
    }));

  it('names the unknown trigger or project and suggests the closest one', () =>
    withHome(async ({ write, run, serve }) => {
      write('projects/demo/project.yaml', trigger('heartbeat', 'Beat.'));
      const errors = async () => [
        (await run('fire', 'demo', 'hartbeat')).error,
        (await run('fire', 'dmeo', 'heartbeat')).error,
        (await run('fire', 'demo', 'nothing-like-it')).error,
      ];
      const expected = [
        'svc: There is no trigger hartbeat in the project demo. Did you mean heartbeat?\n',
        'svc: There is no project dmeo. Did you mean demo?\n',
        'svc: There is no trigger nothing-like-it in the project demo.\n',
      ];
      expect(await errors()).toEqual(expected);
      await serve();
      expect(await errors()).toEqual(expected);
    }));
});

describe('svc fire --event', () => {
  const hook = (steps: string) =>
    trigger('hook', steps).replace('type: schedule, interval: 1h', 'type: event, on: onArchive');

  // proves: events.data.sample
  it('fires an event trigger with data from a file, with and without a server', () =>
    withHome(async ({ home, write, run, serve, tryRead }) => {
      const steps = bash('printf %s "$SVC_EVENT_JSON" >> received.jsonl; echo >> received.jsonl');
      write('projects/demo/project.yaml', hook(steps).replace('run:', 'run:\n      tools: [Bash]'));
      write('sample.json', '{ "chat": { "name": "Fix `it`" } }');
      const file = join(home, 'sample.json');
      expect(await run('fire', 'demo', 'hook', '--event', file)).toMatchObject({ code: 0 });
      await serve();
      const through = await run('fire', 'demo', 'hook', '--event', file, '--wait');
      expect(through).toMatchObject({ code: 0 });
      const received = tryRead('projects/demo/received.jsonl')?.trim().split('\n') ?? [];
      expect(received.map((line) => JSON.parse(line))).toEqual(
        [1, 2].map(() => ({
          event: 'onArchive',
          project: 'demo',
          chat: { name: 'Fix `it`' },
        })),
      );
    }));

  // proves: events.data.sample
  it('names the file in every error, and starts nothing', () =>
    withHome(async ({ home, write, run, serve }) => {
      const both = `${hook('Sum it up.')}${trigger('it', 'Go.').replace('triggers:\n', '')}`;
      write('projects/demo/project.yaml', both);
      const files = {
        'text.json': 'name: x',
        'list.json': '[]',
        'long.json': JSON.stringify({ text: 'x'.repeat(256 * 1024) }),
        'deep.json': `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        'nul.json': '{ "chat": { "name": "\\u0000" } }',
        'fine.json': '{}',
      };
      for (const [name, text] of Object.entries(files)) write(name, text);
      const errors = async () => {
        const found: string[] = [];
        for (const name of ['none.json', ...Object.keys(files)]) {
          const of = name === 'fine.json' ? 'it' : 'hook';
          const { code, error } = await run('fire', 'demo', of, '--event', join(home, name));
          found.push(`${code} ${error.replaceAll(`${home}/`, '')}`);
        }
        return found;
      };
      const expected = [
        '1 svc: none.json does not exist.\n',
        expect.stringMatching(/^1 svc: text\.json is not JSON: Unexpected token .*\n$/),
        '1 svc: list.json must be a JSON object.\n',
        '1 svc: long.json is too large: the limit is 256 KiB of JSON.\n',
        '1 svc: deep.json is nested too deeply: the limit is 32 levels.\n',
        '1 svc: nul.json: chat.name must not contain the character U+0000.\n',
        '1 svc: fine.json applies to event triggers only, and it is a schedule trigger.\n',
      ];
      expect(await errors()).toEqual(expected);
      const server = await serve();
      expect(await errors()).toEqual(expected);
      const runs = await server.send('GET', '/api/projects/demo/runs');
      expect(runs.body).toMatchObject({ runs: [] });
    }));
});

describe('the environment of agents', () => {
  it('has the PATH from before npm changed it', () =>
    withHome(async ({ serve, write, tryRead }) => {
      write('projects/demo/project.yaml', trigger('it', bash('echo "$PATH" > path.txt')));
      const root = new URL('../../../', import.meta.url).pathname;
      const PATH = `${root}node_modules/.bin:/node_modules/.bin:${process.env['PATH']}`;
      const server = await serve({ PATH, npm_lifecycle_event: 'start' });
      await server.send('POST', '/api/projects/demo/triggers/it/run');
      const path = await until(async () => {
        const { runs } = (await server.get('/api/projects/demo/runs')).body as { runs: Run[] };
        return runs[0]?.state === 'ended' && tryRead('projects/demo/path.txt');
      });
      expect(path.startsWith(root)).toBe(false);
      expect(path.startsWith('/node_modules')).toBe(false);
      expect(path.trim().length).toBeGreaterThan(0);
    }));

  const npm = 'start';
  it.each([
    [
      '/r/svc/node_modules/.bin:/r/node_modules/.bin:/node_modules/.bin:/n/node-gyp-bin:/bin',
      '/bin',
    ],
    ['/r/svc/apps/server/node_modules/.bin:/usr/bin:/bin', '/usr/bin:/bin'],
    ['/other/node_modules/.bin:/bin', '/other/node_modules/.bin:/bin'],
    ['/bin:/r/svc/node_modules/.bin', '/bin:/r/svc/node_modules/.bin'],
    ['/r/svc/node_modules/.bin', ''],
  ])('removes from %s what npm prepended', (PATH, left) => {
    const env = { PATH, npm_lifecycle_event: npm };
    expect(withoutPackagePaths(env, '/r/svc/')['PATH']).toBe(left);
    expect(withoutPackagePaths({ PATH }, '/r/svc/')['PATH']).toBe(PATH);
  });
});

it.each([
  ['18.20.4', true],
  ['20.18.3', true],
  ['20.19.0', false],
  ['22.0.0', false],
  ['9.11.2', true],
])('checks whether Node %s is too old: %s', async (version, tooOld) => {
  const { nodeFault } = (await import(NODE_VERSION)) as { nodeFault(version: string): unknown };
  const sentence = `svc: it needs Node 20.19 or later, and this is Node ${version}: install a newer one.`;
  expect(nodeFault(version)).toBe(tooOld ? sentence : null);
});

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { runCommand, type TestHome, withHome } from './harness.ts';
import { svc } from './in-process.ts';

const A = 'tok_home_0123456789abcdef0123';
const AWAY = 'tok_away_0123456789abcdef0123';
const PLAIN = 'plain0123456789abcdef0123';
const ENABLED = '/mcp is enabled.\n';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** Runs the command in this process; a separate test shows that the program behaves the same. */
async function token(home: TestHome, args: string[], env = {}): Promise<Ended> {
  const { code, out, error } = await svc(['token', '--home', home.home, '--', ...args], { env });
  const lines = (text: string) => (text === '' ? '' : `${text}\n`);
  return { code, out: lines(out), error: lines(error) };
}

const config = (clients: string, more = 'instanceId: home') =>
  `managementApi:\n  publicUrl: https://svc.example.com\n  ${more}\n  clients:\n${clients.replace(/^/gm, '    ')}\n`;

it('the program creates a token and checks it', () =>
  withHome(async (home) => {
    const run = (args: string[], env = {}) =>
      runCommand(['token', '--home', home.home, ...args], env);
    const [made, none, nameless] = await Promise.all([
      run(['new', '--', '-ci']),
      run(['check']),
      run(['new']),
    ]);
    const [secret = '', variable = '', client = ''] = made.out.split('\n');
    expect([made.code, variable.endsWith(`=${secret}`)]).toEqual([0, true]);
    expect([none.code, none.error]).toEqual([1, '']);
    expect([nameless.code, nameless.out]).toEqual([2, '']);
    expect(nameless.error).toMatch(
      /^svc: token new takes the name of a client.+ See svc --help\.\n$/,
    );
    home.write('svc.config.yaml', config(client));
    const [name = ''] = variable.split('=');
    const checked = await run(['check'], { [name]: secret });
    expect([checked.code, checked.out]).toEqual([0, expect.stringMatching(/^-ci: usable\n/)]);
  }));

describe('svc token new', () => {
  // proves: auth.token-form
  it('creates a token that svc token check accepts when it is stored as described', () =>
    withHome(async (home) => {
      const text = config('').replace(/ {2}clients:\n {4}\n$/, '');
      home.write('svc.config.yaml', text);
      const ids = ['ci', 'My "o\'ddest": #1 {laptop}', '42', 'true', '__proto__', '-'];
      const made = await Promise.all(ids.map((id) => token(home, ['new', id])));
      const lines = made.map(({ out }) => out.trimEnd().split('\n'));
      for (const [n, id] of ids.entries()) {
        const [secret, variable = '', client = '', ...rest] = lines[n] ?? [];
        expect([made[n]?.code, rest]).toEqual([0, []]);
        expect(secret).toMatch(/^tok_home_[0-9a-f]{48}$/);
        const [, name] = /^(SVC_TOKEN_[A-Z0-9_]+)=(.*)$/.exec(variable) ?? [];
        expect(variable).toBe(`${name}=${secret}`);
        expect(Object.entries(parse(client) as object)).toEqual([
          [id, { auth: { ref: `env:${name}` } }],
        ]);
        expect(made[n]?.error).toContain('keep it secret');
        expect(made[n]?.error).not.toContain(String(secret));
      }
      expect(new Set(lines.map(([secret]) => secret)).size).toBe(ids.length);
      home.write(
        'svc.config.yaml',
        `envFile: .env\n${config(lines.map((one) => one[2]).join('\n'))}`,
      );
      home.write('.env', lines.map((one) => one[1]).join('\n'));
      chmodSync(join(home.home, '.env'), 0o600);
      const checked = await token(home, ['check']);
      expect([checked.code, checked.out.match(/: usable$/gm)?.length]).toEqual([0, ids.length]);
      expect(checked.out).toContain('is set, bound to home');
      expect((await token(home, ['new', 'ci'])).error).toContain('is already configured');
    }));

  it('assigns each client its own variable, always the same', () =>
    withHome(async (home) => {
      const ids = ['ci', 'my-laptop', 'my_laptop', 'My-Laptop', 'my laptop', 'büro', '日本'];
      const variables = async () => {
        const made = await Promise.all(ids.map((id) => token(home, ['new', id])));
        return made.map(({ out }) => /^(\w+)=/m.exec(out)?.[1] ?? '');
      };
      const first = await variables();
      expect(first.slice(0, 2)).toEqual(['SVC_TOKEN_CI', 'SVC_TOKEN_MY_LAPTOP']);
      expect(new Set(first).size).toBe(ids.length);
      for (const name of first) expect(name).toMatch(/^[A-Z_][A-Z0-9_]*$/);
      expect(await variables()).toEqual(first);
    }));

  it('without an instance id creates a token that stays valid once an id is configured, and reports it', () =>
    withHome(async (home) => {
      const made = await token(home, ['new', 'ci']);
      expect(made.out).toMatch(/^tok_[0-9a-f]{48}\n/);
      expect(made.error).toContain('not bound to an instance');
      expect(made.error).toContain('managementApi.publicUrl is missing');
      const [secret = ''] = made.out.split('\n');
      const line = made.out.split('\n')[2] ?? '';
      for (const more of ['instanceId: later', 'trustedProxies: []']) {
        home.write('svc.config.yaml', config(line, more));
        const checked = await token(home, ['check'], { SVC_TOKEN_CI: secret });
        expect([checked.code, checked.out]).toEqual([0, expect.stringContaining(ENABLED)]);
      }
    }));

  it.each([
    [['new'], 2, 'takes the name of a client'],
    [['new', ' '], 2, 'takes the name of a client'],
    [['new', 'a', 'b'], 2, 'takes one name'],
    [['new', 'a\nb'], 2, 'no control characters'],
    [['check', 'ci'], 2, 'takes no name'],
    [[], 2, 'takes new or check'],
    [['old'], 2, 'takes new or check'],
  ])('%j exits %i: %s', (args, code, word) =>
    withHome(async (home) => {
      const finished = await token(home, args);
      expect([finished.code, finished.out]).toEqual([code, '']);
      expect(finished.error).toMatch(new RegExp(`^svc: [^\\n]*${word}[^\\n]*\\n$`));
    }),
  );

  it.each(['instanceId: 7', "instanceId: 'my home'", 'instanceId: büro'])(
    'creates no token that could not work: %s',
    (more) =>
      withHome(async (home) => {
        home.write('svc.config.yaml', config('', more));
        expect(await token(home, ['new', 'ci'])).toMatchObject({
          code: 1,
          out: '',
          error: expect.stringMatching(/^svc: managementApi\.instanceId .+\n$/),
        });
      }),
  );
});

describe('svc token check', () => {
  it('shows the state of every client, and never a token', () =>
    withHome(async (home) => {
      home.write(
        'svc.config.yaml',
        config(`ci:
  auth: { ref: env:CI, previousRef: env:PLAIN }
  scope: { projects: [web-*, api], denyProjects: [web-1], allow: ['*'], deny: [fork_chat], maxSpawnDepth: 0 }
idle: { auth: { ref: env:GONE, previousRef: env:AWAY }, scope: { projects: [], allow: [] } }
away: { auth: { ref: env:AWAY } }
twin: { auth: { ref: env:CI } }
short: { auth: { ref: env:SHORT } }
"\\e[2J": { auth: { ref: env:${PLAIN}, token: ${A} }, scope: { alow: [] } }`),
      );
      const env = { CI: A, AWAY, PLAIN, SHORT: A.slice(0, 23) };
      const finished = await token(home, ['check'], env);
      expect(finished.code).toBe(1);
      const blocks = finished.out.split(/\n(?! )/);
      expect(blocks[0]).toBe(`ci: usable
  token      CI is set, bound to home
  previous   live: PLAIN is set, not bound to an instance
  read       list_projects, list_chats, read_chat
  write      create_project, create_chat, send_message, archive_chat, unarchive_chat
  trigger    list_triggers, set_trigger, remove_trigger, run_trigger
  projects   web-*, api, but not web-1
  runs code  yes, by create_project, create_chat, send_message, set_trigger, run_trigger
  depth      0`);
      expect(
        blocks[1],
      ).toBe(`idle: not usable: its token is missing; set the variable in the environment or in envFile
  token      GONE is not set
  previous   not live: AWAY is set, bound to another instance
  read       nothing
  write      nothing
  trigger    nothing
  projects   none
  runs code  no`);
      expect(blocks[2]).toContain('away: not usable: its token is bound to another instance');
      expect(blocks[3]).toContain('twin: not usable: same token as ci');
      expect(blocks[4]).toContain('short: not usable: its token is too short');
      expect(blocks[5]).toContain('"\\u001b[2J": not usable: invalid configuration');
      expect(blocks[5]).toMatch(/\n {2}wrong {6}auth\.token must not be in the file/);
      expect(blocks[5]).toMatch(/\n {2}wrong {6}scope\.alow is not a known key/);
      expect(blocks.slice(6)).toEqual(['/mcp is enabled.', '']);
      for (const secret of Object.values(env)) {
        for (let at = 9; at + 8 <= secret.length; at += 1) {
          expect(finished.out + finished.error).not.toContain(secret.slice(at, at + 8));
        }
      }
    }));

  it.each<[string, string, number, string]>([
    ['', '', 1, 'disabled: no clients configured'],
    [config('ci: { auth: { ref: env:CI } }'), A, 0, 'enabled.'],
    [config('ci: { auth: { ref: env:CI } }'), '', 1, 'disabled: no client is usable.'],
    [config('ci: { auth: { ref: env:CI } }'), AWAY, 1, 'enabled.'],
    [
      config('ci: { auth: { ref: env:CI } }').replace('https', 'http'),
      A,
      1,
      'disabled: fix managementApi.publicUrl.',
    ],
    [
      config('ci: { auth: { ref: env:CI } }', 'instanceId: 7'),
      A,
      1,
      'fix managementApi.instanceId.',
    ],
    ['managementApi: []\n', '', 1, 'disabled: no clients configured'],
  ])('of %j with token %j exits %i: %s', (text, secret, code, word) =>
    withHome(async (home) => {
      home.write('svc.config.yaml', text);
      const finished = await token(home, ['check'], { CI: secret });
      const last = finished.out.trimEnd().split('\n').at(-1);
      expect([finished.code, last]).toEqual([code, expect.stringContaining(word)]);
    }),
  );

  it('reads envFile, which takes precedence over the environment, and refuses one that others may read', () =>
    withHome(async (home) => {
      home.write('svc.config.yaml', `envFile: .env\n${config('ci: { auth: { ref: env:CI } }')}`);
      home.write('.env', `CI=${A}\n`);
      chmodSync(join(home.home, '.env'), 0o644);
      expect(await token(home, ['check'], { CI: A })).toMatchObject({
        code: 1,
        out: '',
        error: expect.stringMatching(/^svc: The envFile .+ \(mode 644\)\. Run chmod 600 .+\n$/),
      });
      chmodSync(join(home.home, '.env'), 0o600);
      expect((await token(home, ['check'], { CI: AWAY })).code).toBe(0);
    }));
});

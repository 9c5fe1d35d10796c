import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import { createProjects } from '@svc/projects';
import { isRunning, type Place, until, withPlace } from './clone-harness.ts';
import { lockMark } from './harness.ts';

const TEXT = 'name: Given\n';
const NOTHING = { projects: [], staged: [] };

// Serves requests as sshd would, and records the environment and arguments.
const fakeSsh = (place: Place): Record<string, string> => ({
  ...place.env,
  GIT_SSH_VARIANT: 'simple',
  GIT_SSH_COMMAND: place.script(
    'ssh',
    `env > '${place.home}/environment'; for last; do :; done; exec sh -c "$last"`,
  ),
});

describe('cloning a repository', () => {
  it('clones over https and creates the missing file', () =>
    withPlace(async ({ root, projects, seed, server, remains }) => {
      seed('plain', { 'src/notes.txt': 'hello\n' });
      const cloned = await projects.clone('fresh', server.at('plain.git'), TEXT, {});
      expect(cloned).toEqual({
        ok: true,
        value: { created: true, ownFile: false, disabled: false, narrowed: [] },
      });
      expect(readFileSync(join(root, 'fresh/src/notes.txt'), 'utf8')).toBe('hello\n');
      expect(readFileSync(join(root, 'fresh/project.yaml'), 'utf8')).toBe(TEXT);
      expect(readFileSync(join(root, 'fresh/.git/config'), 'utf8')).toContain(
        server.at('plain.git'),
      );
      expect((await projects.snapshot('fresh'))?.file?.settings.name).toBe('Given');
      expect(remains()).toEqual({ projects: ['fresh'], staged: [] });
    }));

  // proves: clone.disabled
  it('disables everything in its file before its folder appears', () =>
    withPlace(async ({ root, projects, seed, server }) => {
      const own =
        'triggers:\r\n  a: # kept\r\n    enabled: true\r\nschedules: { b: {} }\r\nhooksMcpEnabled: true\r\nmaxSpawnDepth: 8\r\nkeeper: { instructions: x, permissionMode: bypassPermissions }\r\n';
      seed('own', { 'project.yaml': own });
      const seen: (boolean | number)[] = [];
      const cloned = await projects.clone('fresh', server.at('own.git'), TEXT, {
        disabled: true,
        maxSpawnDepth: 2,
        onFile: async ({ entryCount }) =>
          void seen.push(entryCount, existsSync(join(root, 'fresh'))),
      });
      const narrowed = ['hooksMcpEnabled', 'maxSpawnDepth', 'keeper.permissionMode'];
      expect(cloned).toMatchObject({
        ok: true,
        value: { ownFile: true, disabled: true, narrowed },
      });
      expect(readFileSync(join(root, 'fresh/project.yaml'), 'utf8')).toBe(
        'triggers:\r\n  a: # kept\r\n    enabled: false\r\nschedules: { b: { enabled: false } }\r\nhooksMcpEnabled: false\r\nmaxSpawnDepth: 2\r\nkeeper: { instructions: x, permissionMode: default }\r\n',
      );
      expect(seen).toEqual([2, false]);
    }));

  // proves: clone.disabled
  it.each([
    'triggers: [',
    `x: ${'x'.repeat(1024 * 1024)}`,
    'triggers:\n  a:\n    enabled: !!str on\n',
  ])('refuses a file in which triggers cannot be disabled (%#)', (own) =>
    withPlace(async ({ projects, seed, server, remains }) => {
      seed('own', { 'project.yaml': own });
      const options = { disabled: true };
      const cloned = await projects.clone('fresh', server.at('own.git'), TEXT, options);
      expect(cloned).toMatchObject({ ok: false, error: { code: 'unsuitable' } });
      expect(cloned.ok || cloned.error.message).toMatch(
        /^repo must have a project\.yaml whose triggers and settings svc can disable\. \w/,
      );
      expect(remains()).toEqual(NOTHING);
    }),
  );

  it.each([
    [TEXT, 'name: Own\r\n# kept\r\n'],
    [TEXT, 'triggers: ['],
    [null, ''],
  ])('keeps the file of the repository, whatever its content (given %j, own %j)', (text, own) =>
    withPlace(async ({ root, projects, seed, server }) => {
      seed('own', { 'project.yaml': own });
      const cloned = await projects.clone('fresh', server.at('own.git'), text, {});
      expect(cloned).toEqual({
        ok: true,
        value: { created: true, ownFile: true, disabled: false, narrowed: [] },
      });
      expect(readFileSync(join(root, 'fresh/project.yaml'), 'utf8')).toBe(own);
    }),
  );

  it('clones over ssh without the environment of svc', () =>
    withPlace(async (place) => {
      const bare = place.seed('plain', {});
      const projects = place.open({ env: fakeSsh(place) });
      const cloned = await projects.clone('fresh', `git@example.invalid:${bare}`, TEXT, {});
      expect(cloned.ok).toBe(true);
      const lines = readFileSync(join(place.home, 'environment'), 'utf8').split('\n');
      const names = lines.map((line) => line.split('=')[0] ?? '');
      const shells = ['PWD', 'OLDPWD', 'SHLVL', '_', '', 'GIT_PROTOCOL'];
      const ofGit = [
        'GIT_EXEC_PATH',
        'GIT_DIR',
        'GIT_CONFIG_PARAMETERS',
        'GIT_WORK_TREE',
        'GIT_PREFIX',
      ];
      expect(names.filter((name) => ![...shells, ...ofGit].includes(name)).sort()).toEqual([
        'GCM_INTERACTIVE',
        'GIT_ALLOW_PROTOCOL',
        'GIT_ASKPASS',
        'GIT_CEILING_DIRECTORIES',
        'GIT_CONFIG_NOSYSTEM',
        'GIT_LFS_SKIP_SMUDGE',
        'GIT_SSH_COMMAND',
        'GIT_SSH_VARIANT',
        'GIT_SSL_CAINFO',
        'GIT_TERMINAL_PROMPT',
        'HOME',
        'LC_ALL',
        'PATH',
        'SSH_ASKPASS',
        'SSH_ASKPASS_REQUIRE',
      ]);
      expect(lines).toContain('GIT_ALLOW_PROTOCOL=https:ssh');
      expect(lines).toContain('GIT_TERMINAL_PROMPT=0');
    }));

  it('shows nothing under the slug before it is complete', () =>
    withPlace(async ({ root, projects, seed, server }) => {
      seed('own', { 'project.yaml': TEXT, 'a.txt': 'a' });
      const seen: string[] = [];
      const listed: unknown[] = [];
      const stop = await projects.watch((slug) => void seen.push(slug));
      server.before = async () => {
        listed.push(await projects.list(), existsSync(join(root, 'fresh')), [...seen]);
      };
      const cloned = await projects.clone('fresh', server.at('own.git'), null, {});
      expect(cloned.ok).toBe(true);
      expect(listed.length).toBeGreaterThan(3);
      expect(listed.every((one) => one === false || (one as unknown[]).length === 0)).toBe(true);
      await until(() => seen.includes('fresh'));
      await stop();
      expect(new Set(seen)).toEqual(new Set(['fresh']));
      expect(await projects.list()).toEqual(['fresh']);
    }));

  it('runs no hooks, templates or settings from the configuration of others', () =>
    withPlace(async ({ home, env, projects, seed, server, script }) => {
      seed('plain', {});
      mkdirSync(join(home, 'template/hooks'), { recursive: true });
      script('template/hooks/post-checkout', `touch '${home}/marker'`);
      writeFileSync(
        join(home, '.gitconfig'),
        `[core]\n\thooksPath = ${home}/template/hooks\n[init]\n\ttemplateDir = ${home}/template\n`,
      );
      expect(env['HOME']).toBe(home);
      expect((await projects.clone('fresh', server.at('plain.git'), TEXT, {})).ok).toBe(true);
      expect(existsSync(join(home, 'marker'))).toBe(false);
      expect(existsSync(join(home, 'projects/fresh/.git/hooks'))).toBe(false);
    }));
});

describe('cloning an unsuitable repository', () => {
  const refusal = async (
    place: Place,
    address: string,
    text: string | null = TEXT,
  ): Promise<{ code: string; message: string }> => {
    const cloned = await place.projects.clone('fresh', address, text, {});
    if (cloned.ok) throw new Error('It was cloned.');
    expect(place.remains()).toEqual(NOTHING);
    expect(cloned.error.message).not.toContain(place.home);
    expect(cloned.error.message.length).toBeLessThan(400);
    return cloned.error;
  };

  it.each([
    ['a link', { 'project.yaml': '-> other.yaml', 'other.yaml': TEXT }],
    ['a link to nothing', { 'project.yaml': '-> /etc/nothing' }],
    ['a folder', { 'project.yaml/x': 'x' }],
  ])('refuses %s as project file', (_what, files) =>
    withPlace(async (place) => {
      place.seed('odd', files);
      expect(await refusal(place, place.server.at('odd.git'))).toMatchObject({
        code: 'unsuitable',
        message: expect.stringContaining('regular file'),
      });
    }),
  );

  it('refuses a missing project file if one is required', () =>
    withPlace(async (place) => {
      place.seed('plain', { 'sub/project.yaml': TEXT });
      expect(await refusal(place, place.server.at('plain.git'), null)).toMatchObject({
        code: 'unsuitable',
        issues: [{ path: 'repo', message: expect.stringContaining('project.yaml') }],
      });
    }));

  it('reports a repository that does not exist', () =>
    withPlace(async (place) => {
      const { code, message } = await refusal(place, place.server.at('none.git'));
      expect([code, message]).toEqual([
        'failed',
        `git could not clone the repository: repository '${place.server.at('none.git/')}' not found.`,
      ]);
    }));

  it('is on a server that cannot be reached, without informative why', () =>
    withPlace(async (place) => {
      const plain = createServer((_request, response) => void response.end()).listen(
        0,
        '127.0.0.1',
      );
      await new Promise((ready) => plain.once('listening', ready));
      const { port } = plain.address() as AddressInfo;
      const stderr = new Set<string>();
      for (const host of ['127.0.0.1:1', `127.0.0.1:${port}`, 'no-such-host.invalid']) {
        stderr.add((await refusal(place, `https://${host}/x.git`)).message);
      }
      await new Promise((closed) => plain.close(closed));
      expect([...stderr]).toEqual([
        'git could not clone the repository: its server cannot be reached or does not speak the git protocol.',
      ]);
    }));

  it('refuses one clone too many at a time', () =>
    withPlace(async (place) => {
      const stop = new AbortController();
      const hanging = [1, 2, 3, 4].map((n) =>
        place.projects.clone(`slow-${n}`, place.server.at(`hang/${n}.git`), TEXT, {
          signal: stop.signal,
        }),
      );
      await until(() => place.server.asked.length === 4);
      const fifth = await place.projects.clone('fifth', place.server.at('plain.git'), TEXT, {});
      expect(fifth).toMatchObject({ ok: false, error: { code: 'unavailable' } });
      stop.abort();
      await Promise.all(hanging);
      place.seed('plain', {});
      const next = await place.projects.clone('fifth', place.server.at('plain.git'), TEXT, {});
      expect(next.ok).toBe(true);
    }));

  it('refuses a redirect to a transport that is not allowed', () =>
    withPlace(async (place) => {
      place.seed('plain', {});
      const asked: string[] = [];
      const http = createServer((request, response) => {
        asked.push(request.url ?? '');
        response.writeHead(404).end();
      });
      await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
      const { port } = http.address() as AddressInfo;
      for (const target of [`http://127.0.0.1:${port}`, `file://${place.home}`]) {
        const address = place.server.at(`to:${encodeURIComponent(target)}/plain.git`);
        expect((await refusal(place, address)).code).toBe('failed');
      }
      await new Promise((closed) => http.close(closed));
      expect(asked).toEqual([]);
      expect(place.server.asked).toHaveLength(2);
      // The same redirect to an allowed address is followed.
      const allowed = place.server.at(
        `to:${encodeURIComponent(place.server.at('').slice(0, -1))}/plain.git`,
      );
      expect((await place.projects.clone('fresh', allowed, TEXT, {})).ok).toBe(true);
    }));

  it('reports a connection that breaks off', () =>
    withPlace(async (place) => {
      const bare = place.seed('plain', { 'a.txt': 'a' });
      writeFileSync(join(bare, 'info/refs'), `${'1'.repeat(40)}\trefs/heads/main\n`);
      expect((await refusal(place, place.server.at('plain.git'))).code).toBe('failed');
    }));

  it('reports a failure without passwords', () =>
    withPlace(async (place) => {
      const to = place.server.at('').replace('//', '//me:hunter2@');
      writeFileSync(
        join(place.home, '.gitconfig'),
        `[url "${to}"]\n\tinsteadOf = https://example.invalid/\n`,
      );
      const { message } = await refusal(place, 'https://example.invalid/none.git');
      expect(message).toContain('none.git');
      expect(message).not.toMatch(/hunter2|me:/);
    }));

  it('reports the message of ssh without paths and control characters, shortened', () =>
    withPlace(async (place) => {
      const words = (text: string) =>
        place.open({
          env: {
            ...place.env,
            GIT_SSH_VARIANT: 'simple',
            GIT_SSH_COMMAND: place.script('ssh', `printf '%b\\n' '${text}' >&2; exit 255`),
          },
        });
      const stderr = async (text: string) => {
        const cloned = await words(text).clone('fresh', 'git@host:repo', TEXT, {});
        return cloned.ok ? '' : cloned.error.message;
      };
      expect(await stderr('Load key "/home/u/.ssh/id": bad\\ngit@host: Denied.\\n')).toBe(
        'git could not clone the repository: Load key (a local path): bad; git@host: Denied.',
      );
      expect(await stderr(`in ${place.home}/x and\\t/etc/ssh/y:3`)).toBe(
        'git could not clone the repository: in (a local path) and (a local path):3.',
      );
      expect(await stderr('see https://me:hunter2@host/x?token=hunter3 there')).toBe(
        'git could not clone the repository: see https://host/x there.',
      );
      expect(await stderr('\\033[31mred\\007\\033[0m')).toMatch(/: red\.$/);
      expect((await stderr('x'.repeat(5000))).length).toBeLessThan(400);
      expect(await stderr('')).toContain('Could not read from remote repository');
    }));

  it('reports missing git', () =>
    withPlace(async (place) => {
      const projects = place.open({ env: { PATH: place.root } });
      const cloned = await projects.clone('fresh', place.server.at('x.git'), TEXT, {});
      expect(cloned).toMatchObject({
        error: { code: 'git_missing', message: expect.stringContaining('Install git') },
      });
      expect(place.remains()).toEqual(NOTHING);
    }));

  it('reports a read-only projects folder', () =>
    withPlace(async (place) => {
      writeFileSync(join(place.root, '.clones'), '');
      const cloned = await place.projects.clone('fresh', place.server.at('x.git'), TEXT, {});
      expect(cloned).toMatchObject({ error: { code: 'unavailable' } });
      expect(place.server.asked).toEqual([]);
    }));
});

describe('a clone that does not end', () => {
  it('is terminated at the time limit, with all its processes', () =>
    withPlace(async (place) => {
      const clock = createFakeClock();
      const projects = place.open({ clock, timeoutMs: 60_000 });
      const cloning = projects.clone('fresh', place.server.at('hang/x.git'), TEXT, {});
      await until(() => place.server.asked.length > 0);
      await clock.advance(59_999);
      expect(place.remains().staged).toHaveLength(1);
      expect(place.server.connections.size).toBe(1);
      await clock.advance(1);
      expect(await cloning).toMatchObject({
        error: { code: 'timed_out', message: expect.stringContaining('60 s') },
      });
      await until(() => place.server.connections.size === 0);
      expect(place.remains()).toEqual(NOTHING);
      expect(clock.pending).toBe(0);
    }));

  it.each([
    ['abort', 'aborted'],
    ['time', 'timed_out'],
  ])('leaves no ssh process behind (%s)', (how, code) =>
    withPlace(async (place) => {
      const pidFile = join(place.home, 'pid');
      const command = place.script('ssh', `echo $$ > '${pidFile}'; sleep 600; :`);
      const clock = createFakeClock();
      const env = { ...place.env, GIT_SSH_VARIANT: 'simple', GIT_SSH_COMMAND: command };
      const projects = place.open({ clock, env });
      const stop = new AbortController();
      const cloning = projects.clone('fresh', 'git@host:x', TEXT, { signal: stop.signal });
      await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'));
      const pid = Number(readFileSync(pidFile, 'utf8'));
      expect(isRunning(pid)).toBe(true);
      if (how === 'abort') stop.abort();
      else await clock.advance(300_000);
      expect(await cloning).toMatchObject({ error: { code } });
      expect(isRunning(pid)).toBe(false);
      expect(place.remains()).toEqual(NOTHING);
      expect(clock.pending).toBe(0);
    }),
  );

  it('is not visible if it is aborted at the last moment', () =>
    withPlace(async ({ root, projects, seed, server, remains }) => {
      seed('own', { 'project.yaml': TEXT });
      const stop = new AbortController();
      const lock = join(root, '.locks/fresh.lock');
      mkdirSync(join(root, '.locks'));
      writeFileSync(lock, lockMark({ pid: process.ppid }));
      const { signal } = stop;
      const cloning = projects.clone('fresh', server.at('own.git'), null, { signal });
      const folder = () => join(root, '.clones', remains().staged[0] ?? '', 'clone/project.yaml');
      await until(() => existsSync(folder()));
      await new Promise((done) => setTimeout(done, 300));
      stop.abort();
      rmSync(lock);
      expect(await cloning).toMatchObject({ error: { code: 'aborted' } });
      expect(remains()).toEqual(NOTHING);
    }));

  it('is not started if it is aborted before', () =>
    withPlace(async ({ projects, server, remains }) => {
      const signal = AbortSignal.abort();
      const cloned = await projects.clone('fresh', server.at('x.git'), TEXT, { signal });
      expect(cloned).toMatchObject({ error: { code: 'aborted' } });
      expect(server.asked).toEqual([]);
      expect(remains()).toEqual(NOTHING);
    }));
});

describe('a slug that is taken', () => {
  const take: Record<string, (place: Place) => unknown> = {
    folder: ({ root }) => mkdirSync(join(root, 'fresh')),
    file: ({ root }) => writeFileSync(join(root, 'fresh'), ''),
    link: ({ root }) => symlinkSync('nowhere', join(root, 'fresh')),
    project: ({ projects }) => projects.create('fresh', 'name: First\n'),
  };

  it.each(Object.keys(take))('by a %s before: nothing is fetched', (what) =>
    withPlace(async (place) => {
      await take[what]?.(place);
      const cloned = await place.projects.clone('fresh', place.server.at('x.git'), TEXT, {});
      expect(cloned).toMatchObject({ error: { code: 'taken' } });
      expect(place.server.asked).toEqual([]);
      expect(place.remains()).toEqual({ projects: ['fresh'], staged: [] });
    }),
  );

  it.each(Object.keys(take))('by a %s meanwhile: that one stays as it is', (what) =>
    withPlace(async (place) => {
      const { root, projects, seed, server, remains } = place;
      seed('own', { 'project.yaml': TEXT });
      let taken: unknown = null;
      server.before = () => {
        taken ??= take[what]?.(place) ?? true;
        return taken;
      };
      const cloned = await projects.clone('fresh', server.at('own.git'), null, {});
      expect(cloned).toMatchObject({ error: { code: 'taken' } });
      expect(remains()).toEqual({ projects: ['fresh'], staged: [] });
      const kept = (await projects.snapshot('fresh'))?.text ?? null;
      expect(kept).toBe(what === 'project' ? 'name: First\n' : null);
      expect(existsSync(join(root, 'fresh/.git'))).toBe(false);
    }),
  );

  it('is given to one of several clones, and cannot be created afterwards', () =>
    withPlace(async (place) => {
      place.seed('own', { 'project.yaml': TEXT });
      const clone = (projects: Place['projects']) =>
        projects.clone('fresh', place.server.at('own.git'), null, {});
      const { projects } = place;
      const cloned = await Promise.all([clone(projects), clone(projects), clone(place.open({}))]);
      const codes = cloned.map((one) => (one.ok ? 'cloned' : one.error.code)).sort();
      expect(codes).toEqual(['cloned', 'taken', 'taken']);
      expect(await projects.create('fresh', TEXT)).toBe(false);
      expect(place.remains()).toEqual({ projects: ['fresh'], staged: [] });
    }));
});

describe('an address that is an attack', () => {
  it.each([
    '--upload-pack=touch MARKER',
    '-uMARKER',
    '--config=core.sshCommand=MARKER',
    'ext::sh -c touch% MARKER',
    'ext::MARKER',
    'ssh://-oProxyCommand=MARKER/x',
    'ssh://%2doProxyCommand=MARKER/x',
    '-oProxyCommand=MARKER:x',
    'git@-oProxyCommand=MARKER:x',
    'file://HOME/plain.git',
    'HOME/plain.git',
    '../../plain.git',
  ])('runs nothing: %s', (address) =>
    withPlace(async ({ home, projects, seed, remains, script }) => {
      seed('plain', {});
      const marker = script('attack', `touch '${home}/marker'`);
      const repo = address.replace('MARKER', marker).replace('HOME', home);
      const cloned = await projects.clone('fresh', repo, TEXT, {});
      expect(cloned).toMatchObject({ error: { code: 'invalid', issues: [{ path: 'repo' }] } });
      expect(existsSync(join(home, 'marker'))).toBe(false);
      expect(remains()).toEqual(NOTHING);
    }),
  );

  it.each([
    ['ext::HOME/attack ', "transport 'ext' not allowed"],
    ['file://HOME/', "transport 'file' not allowed"],
    ['http://127.0.0.1:1/', "transport 'http' not allowed"],
    ['git://127.0.0.1:1/', "transport 'git' not allowed"],
    ['ssh://-oProxyCommand=HOME/attack/', 'strange hostname'],
    ['--upload-pack=HOME/attack ', 'git could not clone'],
  ])('is refused by git too: %s', (address, word) =>
    withPlace(async ({ home, projects, seed, remains, script }) => {
      seed('plain', {});
      script('attack', `touch '${home}/marker'`);
      writeFileSync(
        join(home, '.gitconfig'),
        `[protocol]\n\tallow = always\n[url "${address.replace('HOME', home)}"]\n\tinsteadOf = https://example.invalid/\n`,
      );
      const cloned = await projects.clone('fresh', 'https://example.invalid/plain.git', TEXT, {});
      expect(cloned).toMatchObject({
        error: { code: 'failed', message: expect.stringContaining(word) },
      });
      expect(existsSync(join(home, 'marker'))).toBe(false);
      expect(remains()).toEqual(NOTHING);
    }),
  );

  it.each(['..', '../x', 'a/b', '.locks', '.clones', ''])('is not a slug: %j', (slug) =>
    withPlace(async ({ projects, server, remains }) => {
      const cloned = await projects.clone(slug, server.at('plain.git'), TEXT, {});
      expect(cloned).toMatchObject({ error: { code: 'invalid', issues: [{ path: 'slug' }] } });
      expect(remains()).toEqual(NOTHING);
    }),
  );
});

it('removes clones of dead processes, but not running ones', () =>
  withPlace(async ({ root, projects, seed, server, remains, open }) => {
    seed('plain', {});
    const age = (name: string, seconds: number) => {
      mkdirSync(join(root, '.clones', name, 'clone/.git'), { recursive: true });
      const at = new Date(Date.now() - seconds * 1000);
      utimesSync(join(root, '.clones', name), at, at);
    };
    age('dead', 400);
    age('busy', 200);
    await projects.clone('fresh', server.at('plain.git'), TEXT, {});
    expect(remains()).toEqual({ projects: ['fresh'], staged: ['busy'] });
    await open({ timeoutMs: 100_000 }).clone('other', server.at('plain.git'), TEXT, {});
    expect(remains()).toEqual({ projects: ['fresh', 'other'], staged: [] });
  }));

it('does not remove its own clones, however old they look', () =>
  withPlace(async ({ seed, server, open, remains }) => {
    seed('plain', {});
    const clock = createFakeClock(Date.now());
    const projects = open({ clock });
    const stop = new AbortController();
    const slow = projects.clone('slow', server.at('hang/x.git'), TEXT, { signal: stop.signal });
    await until(() => server.asked.length > 0);
    clock.step(Date.now() + 3_600_000);
    expect((await projects.clone('fresh', server.at('plain.git'), TEXT, {})).ok).toBe(true);
    expect(remains().staged).toHaveLength(1);
    stop.abort();
    expect(await slow).toMatchObject({ error: { code: 'aborted' } });
    expect(remains()).toEqual({ projects: ['fresh'], staged: [] });
  }));

it('finds git without a setting', () =>
  withPlace(async ({ root, remains }) => {
    const clock = createFakeClock();
    const projects = createProjects({ clock, logger: silentLogger }, { root, validation: {} });
    const cloned = await projects.clone('fresh', 'https://127.0.0.1:1/x', TEXT, {});
    expect(cloned).toMatchObject({
      error: { code: expect.stringMatching(/^(failed|git_missing)$/) },
    });
    expect(remains()).toEqual(NOTHING);
  }));

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { BIN, type Running, type TestHome, until, withHome } from '../test/harness.ts';

jest.setTimeout(60_000);

const HERE = new URL('.', import.meta.url).pathname;

const preload = (name: string): string => `--require ${join(HERE, name)}`;

/** The files created, renamed and synced so far, with paths relative to the home. */
function recorded({ home, tryRead }: TestHome): string[] {
  return tryRead('syncs').replaceAll(`${home}/`, '').trim().split('\n');
}

/** A service whose syncs are recorded. */
const watched = (home: TestHome) =>
  home.serve({ NODE_OPTIONS: preload('record-syncs.cjs'), RECORD_SYNCS: join(home.home, 'syncs') });

describe('acknowledged data is on the disk', () => {
  it('a new project: its file, its folder, and the projects folder', () =>
    withHome(async (home) => {
      const server = await watched(home);
      const made = await server.send('POST', '/api/projects', { name: 'Fresh' });
      expect(made.status).toBe(201);
      const lines = recorded(home).filter((line) => /projects(\/fresh|$)/.test(line));
      expect(lines.slice(lines.indexOf('make projects/fresh')).slice(0, 5)).toEqual([
        'make projects/fresh',
        'sync projects/fresh/.project.yaml.svc-new',
        'rename projects/fresh/.project.yaml.svc-new projects/fresh/project.yaml',
        'sync projects/fresh',
        'sync projects',
      ]);
    }));

  it('an edit, and the last good version stored for it', () =>
    withHome(async (home) => {
      home.write('projects/demo/project.yaml', 'triggers: {}\n');
      const server = await watched(home);
      expect(recorded(home)).toEqual(expect.arrayContaining(['sync data', 'sync data/last-good']));
      const before = recorded(home).length;
      const record = { trigger: { type: 'schedule', interval: '1h' }, run: { prompt: 'Do it.' } };
      const put = await server.send('PUT', '/api/projects/demo/triggers/it', record);
      expect(put.status).toBe(200);
      const all = recorded(home).slice(before);
      for (const file of ['projects/demo/project.yaml', 'data/last-good/demo.yaml']) {
        const [, folder = '', name = ''] = /^(.*)\/(.*)$/.exec(file) ?? [];
        const staged = `${folder}/.${name}.svc-new`;
        const lines = all.filter((line) => line.includes(folder));
        const at = lines.indexOf(`sync ${staged}`);
        expect(lines.slice(at, at + 3)).toEqual([
          `sync ${staged}`,
          `rename ${staged} ${file}`,
          `sync ${folder}`,
        ]);
      }
    }));

  it('partial files of a crash are removed at the start', () =>
    withHome(async (home) => {
      home.write('projects/demo/project.yaml', 'triggers: {}\n');
      home.write('projects/demo/.project.yaml.svc-new', 'half');
      home.write('data/last-good/.gone.yaml.svc-new', 'half');
      home.write('projects/.locks/demo.lock', '');
      await home.serve();
      expect(readdirSync(join(home.home, 'projects/demo'))).toEqual(['project.yaml']);
      expect(readdirSync(join(home.home, 'data/last-good'))).toEqual(['demo.yaml']);
      expect(readdirSync(join(home.home, 'projects/.locks'))).toEqual([]);
    }));
});

const FIRING = `triggers:
  it:
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`" }
    enabled: true
`;

/** As on a full disk, the server cannot write files; or can again. */
function setFull(server: Running, full: boolean): void {
  const limit = `--fsize=${full ? 0 : 'unlimited'}:`;
  execFileSync('prlimit', ['--pid', String(server.process.pid), limit]);
}

const readiness = (server: Running, status: number) =>
  until(async () => {
    const answer = await server.get('/readyz');
    return answer.status === status ? answer.body : null;
  });

async function claims(server: Running): Promise<number> {
  const { body } = await server.get('/metrics');
  return Number(/svc_slot_lateness_seconds_count (\d+)/.exec(String(body))?.[1]);
}

const moreClaims = async (server: Running): Promise<void> => {
  const before = await claims(server);
  await until(async () => (await claims(server)) > before);
};

describe('a full disk', () => {
  const FULL = 'The disk is full. Free some space; svc recovers automatically.';

  it('is reported in answers, readiness and log, and the service continues automatically', () =>
    withHome(async ({ serve, write, read }) => {
      write('projects/demo/project.yaml', FIRING);
      const server = await serve();
      const record = { trigger: { type: 'schedule', interval: '1h' }, run: { prompt: 'Do it.' } };
      const put = () => server.send('PUT', '/api/projects/demo/triggers/other', record);
      const run = () => server.send('POST', '/api/projects/demo/triggers/it/run');
      setFull(server, true);
      expect(await run()).toEqual({ status: 503, body: { code: 'unavailable', error: FULL } });
      const refused = { code: 'unavailable', error: expect.stringContaining(FULL) };
      expect(await put()).toMatchObject({ status: 503, body: refused });
      expect(read('projects/demo/project.yaml')).toBe(FIRING);
      expect(await readiness(server, 503)).toEqual({ ok: false, reason: FULL });
      expect((await server.get('/livez')).status).toBe(200);
      expect((await server.get('/api/projects/demo/runs')).status).toBe(200);
      const unclaimed = /^cannot claim slots/;
      const line = await until(
        async () => server.lines.find(({ msg }) => unclaimed.test(String(msg))) ?? null,
      );
      expect(line).toMatchObject({ error: FULL });
      expect(line).not.toHaveProperty('err');
      setFull(server, false);
      expect(await readiness(server, 200)).toEqual({ ok: true });
      expect((await run()).status).toBe(202);
      expect((await put()).status).toBe(200);
      await moreClaims(server);
      const logged = server.lines.filter(({ msg }) => msg === 'database unavailable');
      expect(logged).toEqual([expect.objectContaining({ reason: FULL, fault: 'full' })]);
      expect(JSON.stringify(server.lines)).not.toContain('cannot rollback');
      expect(await server.stop()).toBe(0);
    }));

  it('does not prevent a shutdown', () =>
    withHome(async ({ serve, home }) => {
      const server = await serve();
      setFull(server, true);
      expect(await server.stop()).toBe(0);
      expect(existsSync(join(home, '.svc.lock'))).toBe(false);
      const again = await serve();
      expect((await again.get('/readyz')).status).toBe(200);
    }));

  it('of the log delays nothing, and does not prevent a shutdown', () =>
    withHome(async ({ write, tryRead, home }) => {
      write('projects/demo/project.yaml', FIRING);
      const full = openSync('/dev/full', 'w');
      const command = [BIN, 'serve', '--home', home, '--port', '0'];
      const child = spawn(process.execPath, command, { stdio: ['ignore', full, 'ignore'] });
      closeSync(full);
      const signal = AbortSignal.timeout(40_000);
      try {
        const file = await until(async () => tryRead('data/instance.json') || null);
        const { url } = JSON.parse(file) as { url: string };
        await until(async () => {
          const response = await fetch(`${url}/api/projects/demo/runs?limit=2`, { signal });
          // There are none before it has started.
          const { runs = [] } = (await response.json()) as { runs?: { state: string }[] };
          return runs.filter(({ state }) => state === 'ended').length === 2;
        });
        const ended = once(child, 'exit', { signal });
        child.kill('SIGTERM');
        expect(await ended).toEqual([0, null]);
      } finally {
        child.kill('SIGKILL');
      }
    }));
});

describe('a home', () => {
  it('without its data folder stops firing, admits no second server, and continues when the folder is back', () =>
    withHome(async ({ serve, write, run, home }) => {
      write('projects/demo/project.yaml', FIRING);
      const server = await serve();
      await moreClaims(server);
      const data = join(home, 'data');
      renameSync(data, `${data}.away`);
      const reason = expect.stringContaining('The data folder was deleted or replaced');
      expect(await readiness(server, 503)).toEqual({ ok: false, reason });
      const before = await claims(server);
      // Does not create a data folder in place of the missing one.
      const second = await run('serve', '--port', '0');
      const inUse = `Another svc process (pid ${server.process.pid}) is already using this home folder`;
      expect(second).toMatchObject({ code: 1, error: expect.stringContaining(inUse) });
      expect(existsSync(data)).toBe(false);
      mkdirSync(data);
      const refused = { code: 'unavailable', error: reason };
      expect(await server.get('/api/projects')).toMatchObject({ status: 503, body: refused });
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(await claims(server)).toBe(before);
      expect(server.lines).toContainEqual(
        expect.objectContaining({ msg: 'home folder lost', reason }),
      );
      rmSync(data, { recursive: true });
      renameSync(`${data}.away`, data);
      expect(await readiness(server, 200)).toEqual({ ok: true });
      await moreClaims(server);
    }));

  it('keeps its lock when the lock file is removed', () =>
    withHome(async ({ serve, run, home }) => {
      const server = await serve();
      const lock = join(home, '.svc.lock');
      rmSync(lock);
      await until(async () => existsSync(lock));
      expect(await run('serve', '--port', '0')).toMatchObject({ code: 1 });
      expect((await server.get('/readyz')).status).toBe(200);
      await server.stop();
      expect(existsSync(lock)).toBe(false);
    }));

  it('whose lock file was replaced reports the reason, and continues when it is back', () =>
    withHome(async ({ serve, home }) => {
      const server = await serve();
      const lock = join(home, '.svc.lock');
      symlinkSync('nowhere', `${lock}.new`);
      renameSync(`${lock}.new`, lock);
      expect(await readiness(server, 503)).toEqual({
        ok: false,
        reason: '.svc.lock is not a lock file. Remove it.',
      });
      rmSync(lock);
      expect(await readiness(server, 200)).toEqual({ ok: true });
    }));

  it('whose data folder became a file does not prevent an orderly shutdown', () =>
    withHome(async ({ serve, home }) => {
      const server = await serve();
      renameSync(join(home, 'data'), join(home, 'away'));
      writeFileSync(join(home, 'data'), '');
      expect(await server.stop()).toBe(0);
      expect(server.lines.at(-1)).toMatchObject({ msg: 'stopped' });
    }));

  it('keeps the note of another server that started meanwhile', () =>
    withHome(async ({ serve, write, read }) => {
      const server = await serve();
      const other = '{"url":"http://127.0.0.1:1","secret":"other","pid":1}';
      write('data/instance.json', other);
      expect(await server.stop()).toBe(0);
      expect(read('data/instance.json')).toBe(other);
    }));

  it('is unlocked at once after kill -9 of its server', () =>
    withHome(async ({ serve, home }) => {
      const server = await serve();
      await server.stop('SIGKILL');
      expect(existsSync(join(home, '.svc.lock'))).toBe(true);
      expect((await (await serve()).get('/readyz')).status).toBe(200);
    }));

  it('without its projects folder reports it, and treats no project as deleted', () =>
    withHome(async ({ serve, write, home }) => {
      write('projects/demo/project.yaml', FIRING);
      const server = await serve();
      const projects = join(home, 'projects');
      renameSync(projects, `${projects}.away`);
      const error = 'The projects folder does not exist. Restore it.';
      expect((await server.get('/readyz')).body).toEqual({ ok: false, reason: error });
      for (const path of ['/api/projects', '/api/projects/demo', '/api/projects/demo/triggers']) {
        const { status, body } = await server.get(path);
        expect([path, status, body]).toEqual([path, 503, { code: 'unavailable', error }]);
      }
      const made = await server.send('POST', '/api/projects', { name: 'Fresh' });
      expect(made).toMatchObject({ status: 503, body: { error } });
      renameSync(`${projects}.away`, projects);
      expect((await server.get('/readyz')).status).toBe(200);
      expect((await server.get('/api/projects/demo')).status).toBe(200);
    }));
});

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { type TestHome, until, withUnsandboxedHome } from '../test/harness.ts';
import { beating, beats, countLogged, expectConsistent, readiness, runsOf } from './faults.ts';

jest.setTimeout(60_000);

const DRIVER = new URL('../node_modules/@photostructure/sqlite', import.meta.url).pathname;

/** Overwrites part of a file, up to its end if no length is given. */
function overwrite(file: string, at: number, length = statSync(file).size - at): void {
  const open = openSync(file, 'r+');
  writeSync(open, randomBytes(length), 0, length, at);
  closeSync(open);
}

/** Damage to the files of a closed database, and the expected error. */
const SPOILED: readonly [string, (file: string) => void, RegExp][] = [
  [
    'with a random beginning',
    (file) => overwrite(file, 0, 100),
    /svc\.db is damaged\. Replace it with an intact copy/,
  ],
  [
    'with random bytes in the middle',
    (file) => overwrite(file, 4096 * 3),
    /svc\.db is damaged\. Replace it with an intact copy/,
  ],
  [
    'cut in half',
    (file) => truncateSync(file, 4096 * 4),
    /svc\.db is damaged\. Replace it with an intact copy/,
  ],
  [
    'emptied',
    (file) => truncateSync(file, 0),
    /svc\.db is missing or empty\. Replace it with an intact copy/,
  ],
  ['deleted', (file) => rmSync(file), /svc\.db is missing or empty\./],
  [
    'deleted with its log',
    (file) => {
      rmSync(file);
      rmSync(`${file}-wal`);
    },
    /svc\.db is missing or empty/,
  ],
  [
    'with a random log',
    (file) => overwrite(`${file}-wal`, 0),
    /database log .*svc\.db-wal is damaged/,
  ],
  [
    'with random bytes in its log',
    (file) => overwrite(`${file}-wal`, 9000, 5000),
    /database log .*svc\.db-wal is damaged/,
  ],
];

describe('a database', () => {
  // proves: faults.database.damaged
  it('is refused with a clear error after any damage, stays unchanged, and works again once restored from a copy', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      const server = await home.serve();
      await beats(server);
      await server.stop('SIGKILL');
      const data = join(home.home, 'data');
      const sound = join(home.home, 'sound');
      cpSync(data, sound, { recursive: true });
      const said: unknown[] = [];
      for (const [name, happen, words] of SPOILED) {
        rmSync(data, { recursive: true });
        cpSync(sound, data, { recursive: true });
        happen(join(data, 'svc.db'));
        const { code, error } = await home.run('serve', '--port', '0');
        said.push([name, code, words.test(error) || error]);
      }
      expect(await home.run('doctor')).toMatchObject({
        code: 1,
        out: expect.stringMatching(/next +The database log/),
      });
      expect(said).toEqual(SPOILED.map(([name]) => [name, 1, true]));
      rmSync(data, { recursive: true });
      cpSync(sound, data, { recursive: true });
      const again = await home.serve();
      await beats(again);
      await expectConsistent(home, again);
    }));

  // proves: faults.database.damaged
  it.each([
    ['overwritten', (file: string) => overwrite(file, 0)],
    ['emptied', (file: string) => truncateSync(file, 0)],
    ['given a log with an invalid header', (file: string) => overwrite(`${file}-wal`, 0)],
  ])('that is %s while in use stops everything, with a clear error', (_, happen) =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      await (await home.serve()).stop();
      const server = await home.serve();
      await beats(server);
      const file = join(home.home, 'data/svc.db');
      happen(file);
      const reason = `The database ${file} is damaged. Stop svc and replace it with an intact copy.`;
      expect(await readiness(server, 503)).toBe(reason);
      const begun = home.read('begun');
      const refused = { status: 503, body: { code: 'unavailable', error: reason } };
      expect(await server.get('/api/projects/demo/runs')).toMatchObject(refused);
      expect(await server.send('POST', '/api/projects/demo/triggers/it/run')).toMatchObject(
        refused,
      );
      await new Promise((resolve) => setTimeout(resolve, 2500));
      expect(home.read('begun').length - begun.length).toBeLessThanOrEqual(37);
      expect(countLogged(server, 'database unavailable')).toBe(1);
      // What is left of it does not get worse.
      const before = [readFileSync(file), readFileSync(`${file}-wal`)];
      expect(await server.stop()).toBe(0);
      expect([readFileSync(file), readFileSync(`${file}-wal`)]).toEqual(before);
    }),
  );

  // proves: faults.database.damaged
  it('whose log is deleted while in use gets a new one, and loses nothing', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      const server = await home.serve();
      await beats(server);
      rmSync(join(home.home, 'data/svc.db-wal'));
      await until(async () => countLogged(server, 'The log of the database was removed') === 1);
      await beats(server);
      const before = await expectConsistent(home, server);
      await server.stop('SIGKILL');
      const again = await home.serve();
      await beats(again);
      const ids = (await expectConsistent(home, again)).map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
    }));
});

const HOLD = `
  const { DatabaseSync } = require(process.argv[1]);
  const db = new DatabaseSync(process.argv[2]);
  db.exec('begin exclusive');
  console.log('held');
  setTimeout(() => process.exit(), Number(process.argv[3]));`;

/** Another program that locks the database for some time. */
async function holder({ home }: TestHome, ms: number): Promise<ChildProcess> {
  const args = ['-e', HOLD, DRIVER, join(home, 'data/svc.db'), String(ms)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout !== null) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return child;
}

describe('a database locked by another program', () => {
  // proves: faults.database.locked
  it('is waited for briefly at a start, then refused with a clear error, and cannot be locked while the service runs', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      await (await home.serve()).stop();
      await holder(home, 700);
      const server = await home.serve();
      const other = await holder(home, 60_000);
      expect(other.exitCode).toBe(1);
      await beats(server);
      await server.stop();
      const long = await holder(home, 60_000);
      const { code, error } = await home.run('serve', '--port', '0');
      long.kill();
      expect([code, error.trim()]).toEqual([
        1,
        `svc: Another program, perhaps another svc process, uses the database ${home.home}/data/svc.db. Stop it, or choose another home with --home.`,
      ]);
      await expectConsistent(home, await home.serve());
    }));
});

describe('a folder of a running service', () => {
  // proves: faults.folders.replaced
  it('with the data that is replaced by an older copy stops everything until it is back', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      await (await home.serve()).stop();
      const data = join(home.home, 'data');
      cpSync(data, `${data}.old`, { recursive: true });
      const server = await home.serve();
      await beats(server);
      renameSync(data, `${data}.away`);
      renameSync(`${data}.old`, data);
      expect(await readiness(server, 503)).toContain('The data folder was deleted or replaced');
      const begun = home.read('begun');
      await new Promise((resolve) => setTimeout(resolve, 2500));
      expect(home.read('begun')).toBe(begun);
      renameSync(data, `${data}.old`);
      renameSync(`${data}.away`, data);
      await readiness(server, 200);
      await beats(server);
      await expectConsistent(home, server);
      await server.stop();
      expect(readdirSync(`${data}.old`)).not.toContain('svc.db-wal');
    }));

  // proves: faults.folders.replaced
  it('of a project can be moved away and back, deleted and created again', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      const server = await home.serve();
      await beats(server);
      const demo = join(home.home, 'projects/demo');
      const isKnown = async (): Promise<boolean> =>
        (await server.get('/api/projects/demo')).status === 200;
      renameSync(demo, `${home.home}/away`);
      await until(async () => !(await isKnown()));
      await quiet(home);
      renameSync(`${home.home}/away`, demo);
      await until(isKnown);
      await beats(server);
      cpSync(demo, `${home.home}/copy`, { recursive: true });
      rmSync(demo, { recursive: true });
      renameSync(`${home.home}/copy`, demo);
      await beats(server);
      home.write('projects/demo/project.yaml', beating(home).replace('1s', '1h'));
      await quiet(home);
      const lines = home.read('begun').trim().split('\n');
      expect(new Set(lines).size).toBe(lines.length);
      const known = (await runsOf(server)).map(({ id }) => id);
      expect(known).toEqual(expect.arrayContaining(lines));
    }));

  // proves: faults.folders.replaced
  it('with all projects can be replaced: the new one takes effect', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      const server = await home.serve();
      await beats(server);
      const projects = join(home.home, 'projects');
      home.write('next/demo/project.yaml', beating(home).replace('1s', '1h'));
      renameSync(projects, `${projects}.old`);
      renameSync(join(home.home, 'next'), projects);
      await quiet(home);
      home.write('projects/demo/project.yaml', beating(home));
      await beats(server);
      home.write('projects/new/project.yaml', beating(home).replace('it:', 'new:'));
      await until(async () => {
        const { body } = await server.get('/api/projects/new/runs');
        return (body as { runs: unknown[] }).runs.length > 0;
      });
    }));
});

/** Waits until no agent has written a line for two seconds. */
async function quiet(home: TestHome): Promise<void> {
  let last = '';
  let since = Date.now();
  await until(async () => {
    const now = home.tryRead('begun');
    if (now !== last) since = Date.now();
    last = now;
    return Date.now() - since > 2500;
  });
}

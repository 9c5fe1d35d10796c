import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createSystemClock } from '@svc/core';
import { type NewChange, openStore } from '@svc/store';
import { BIN, type Running, runCommand, type TestHome, until, withHome } from '../test/harness.ts';
import { type Database, type Postgres, startPostgres, withDatabase } from './postgres.ts';

jest.setTimeout(120_000);

const PROJECT = `triggers:
  often:
    trigger: { type: schedule, interval: 1s }
    run:
      prompt: "\`\`\`bash\\necho fired >> fired.log\\n\`\`\`"
      tools: [Bash]
      session: resume
    enabled: true
`;

const MOVE = ['migrate-store', '--from', 'embedded', '--to', 'postgres'];

let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

/** A database file without chats and runs in which everything is paused, as after a restore. */
async function pausedFile({ home, write }: TestHome): Promise<void> {
  write('data/.keep', '');
  const options = { file: join(home, 'data/svc.db'), version: '0' };
  const store = await openStore({ clock: createSystemClock() }, options);
  const pause = { by: 'user', at: '2026-03-01T09:00:00.000Z', reason: 'Restored.' } as const;
  const change: NewChange = {
    ...{ ...pause, kind: 'paused', via: 'cli', sessionId: null },
    ...{ project: null, source: null, trigger: null },
    ...{ writtenAt: null, fields: [], standing: null, anchor: null },
  };
  await store.pausing.setAll(pause, change);
  await store.close();
}

/** A stopped home with some history: at least three slots, and chats of a user. */
async function fill({ write, serve }: TestHome) {
  write('projects/demo/project.yaml', PROJECT);
  const server = await serve();
  for (const prompt of ['Hello.', 'Hello again – with “quotes”.']) {
    await server.send('POST', '/api/projects/demo/chats', { prompt });
  }
  await until(async () => {
    const { body } = await server.get('/api/projects/demo/runs');
    return (body as { runs: unknown[] }).runs.length >= 3;
  });
  // From here on its history does not change.
  await server.send('POST', '/api/pause', { reason: 'It moves.' });
  await until(async () => {
    const { body } = await server.get('/api/status');
    return (body as { running: unknown[] }).running.length === 0;
  });
  const report = await tell(server);
  await server.stop();
  return report;
}

/** Everything a server reports about chats and runs, except slots that are skipped while it is paused. */
async function tell(server: Running) {
  const { runs } = (await server.get('/api/projects/demo/runs?limit=200')).body as {
    runs: { outcome: string }[];
  };
  const { chats } = (await server.get('/api/projects/demo/chats')).body as {
    chats: { sessionId: string }[];
  };
  const transcripts: unknown[] = [];
  for (const { sessionId } of chats) {
    transcripts.push((await server.get(`/api/projects/demo/chats/${sessionId}`)).body);
  }
  const fired = runs.filter(({ outcome }) => outcome === 'succeeded');
  return { fired, chats, transcripts };
}

const moveIn = ({ home }: TestHome, { url }: Database, ...more: string[]) =>
  runCommand([...MOVE, '--home', home, ...more], { SVC_DATABASE_URL: url });

describe('svc migrate-store', () => {
  // proves: nodes.moved
  it('moves every chat, run and slot, and nothing the second time', () =>
    withDatabase(postgres, async (home, database) => {
      const before = await fill(home);
      const first = await moveIn(home, database);
      expect(first).toMatchObject({ code: 0, error: '' });
      expect(first.out).toMatch(/^Copied from .*svc\.db to postgres:/);
      expect(first.out).toMatch(/\n {2}chats +3\n/);
      expect(first.out).toContain(
        `Start svc with: svc serve --home ${home.home}, and keep SVC_DATABASE_URL set.`,
      );
      const second = await moveIn(home, database);
      expect(second).toMatchObject({
        code: 0,
        out: expect.stringContaining('Nothing was changed'),
      });
      expect(second.out.match(/^ {2}.*$/gm)).toEqual(first.out.match(/^ {2}.*$/gm));
      const server = await home.serve({ SVC_DATABASE_URL: database.url });
      expect(await tell(server)).toEqual(before);
      expect((await server.get('/api/status')).body).toMatchObject({
        paused: { reason: 'It moves.' },
      });
      // From here on only new slots fire.
      await server.send('POST', '/api/resume');
      await until(async () => (await tell(server)).fired.length > before.fired.length);
      const { fired } = await tell(server);
      const slots = fired.map((run) => (run as unknown as { scheduledFor: string }).scheduledFor);
      expect(new Set(slots).size).toBe(slots.length);
      await server.stop();
      expect((await moveIn(home, database)).out).toContain('Nothing was changed');
    }));

  // proves: nodes.moved
  it('leaves nothing behind when killed, and can be started again', () =>
    withDatabase(postgres, async (home, database) => {
      const before = await fill(home);
      const clock = createSystemClock();
      await (await openStore({ clock }, { url: database.url, version: '1' })).close();
      await database.query(`
        create function wait_a_while() returns trigger as
          $$ begin perform pg_sleep(2); return null; end $$ language plpgsql;
        create trigger slow before insert on message_ref for each statement execute function wait_a_while()`);
      const child = spawn(process.execPath, [BIN, ...MOVE, '--home', home.home], {
        env: { PATH: process.env['PATH'], SVC_DATABASE_URL: database.url },
        stdio: 'ignore',
      });
      await until(async () => {
        const busy = await database.query(`
          select pid from pg_stat_activity
          where datname = current_database() and wait_event = 'PgSleep'`);
        return busy.length === 1;
      });
      child.kill('SIGKILL');
      await once(child, 'exit');
      await database.query('drop trigger slow on message_ref');
      const left = await database.query(
        'select (select count(*) from chat) as chats, (select count(*) from content) as texts',
      );
      expect(left).toEqual([{ chats: '0', texts: '0' }]);
      expect(await moveIn(home, database)).toMatchObject({
        code: 0,
        out: expect.stringContaining('Copied from'),
      });
      const server = await home.serve({ SVC_DATABASE_URL: database.url });
      expect(await tell(server)).toEqual(before);
    }));

  // proves: nodes.moved
  it('is refused while svc runs, without a target or a source, and for a database in use', () =>
    withDatabase(postgres, async (home, database) => {
      expect(await moveIn(home, database)).toMatchObject({
        code: 1,
        error: expect.stringContaining('has no embedded database'),
      });
      const server = await home.serve();
      expect(await moveIn(home, database)).toMatchObject({
        code: 1,
        error: expect.stringContaining(`at ${server.url}) is already using the home folder`),
      });
      await server.stop();
      expect(await home.run(...MOVE)).toMatchObject({
        code: 1,
        error: expect.stringContaining('No target database is configured'),
      });
      for (const args of [MOVE.slice(0, 3), [...MOVE.slice(0, 4), 'embedded'], [...MOVE, 'more']]) {
        expect((await home.run(...args)).code).toBe(2);
      }
      home.write('projects/demo/project.yaml', PROJECT);
      await (await home.serve({ SVC_DATABASE_URL: database.url })).stop();
      const file = readFileSync(join(home.home, 'data/svc.db'));
      expect(await moveIn(home, database)).toMatchObject({
        code: 1,
        error: expect.stringContaining(
          'The database in SVC_DATABASE_URL is not empty (chats: 0, runs: 0). Use an empty one.',
        ),
      });
      expect(readFileSync(join(home.home, 'data/svc.db')).length).toBe(file.length);
    }));

  // proves: nodes.unmoved, nodes.empty-database
  it('is suggested at a start and by svc doctor when it was forgotten, and not once it was done', () =>
    withDatabase(postgres, async (home, database) => {
      await fill(home);
      const env = { SVC_DATABASE_URL: database.url };
      const doctor = () => runCommand(['doctor', '--home', home.home], env);
      const left = `The database in SVC_DATABASE_URL is empty, and ${home.home}/data/svc.db has records that were not migrated`;
      const before = await doctor();
      expect([before.code, before.out]).toEqual([1, expect.stringContaining(left)]);
      expect(before.out).toContain('Run svc migrate-store --from embedded --to postgres');
      await expect(home.serve(env)).rejects.toThrow(`exit 1: svc: ${left}`);
      // Later the projects folder has a mark, which the migration preserves.
      mkdirSync(join(home.home, 'empty'));
      const empty = { ...env, SVC_PROJECTS_DIR: join(home.home, 'empty') };
      // A server without a history has used it meanwhile, so that it counts as the configured one.
      await withHome(async (other) => {
        mkdirSync(join(other.home, 'projects'));
        await (await other.serve(empty)).stop();
      });
      const early = await home.serve(empty);
      expect(early.lines).toContainEqual(
        expect.objectContaining({ level: 40, reason: expect.stringContaining('not migrated') }),
      );
      await early.stop();
      expect(await moveIn(home, database)).toMatchObject({ code: 0, error: '' });
      const after = await doctor();
      expect([after.code, after.out]).toEqual([0, expect.not.stringContaining('not migrated')]);
      const late = await home.serve(empty);
      expect(JSON.stringify(late.lines)).not.toContain('not migrated');
      await late.stop();
    }));

  // proves: nodes.empty-database
  it.each([
    [
      'restored from a backup, paused',
      (home: TestHome) => pausedFile(home),
      'svc.db',
      /migrate-store/,
    ],
    [
      'of another database on a server',
      (home: TestHome) => home.write('data/node.json', '{}'),
      'node.json',
      /pg_restore/,
    ],
  ])(
    'a home %s does not start with an empty database without confirmation',
    (_, fill, trace, way) =>
      withDatabase(postgres, async (home, database) => {
        const env = { SVC_DATABASE_URL: database.url };
        home.write('projects/demo/project.yaml', PROJECT);
        await fill(home);
        await expect(home.serve(env)).rejects.toThrow(way);
        expect(await database.query(`select * from pg_tables where schemaname = 'public'`)).toEqual(
          [],
        );
        rmSync(join(home.home, 'data', trace));
        await (await home.serve(env)).stop();
        // It is no longer a new one.
        await (await home.serve(env)).stop();
      }),
  );
});

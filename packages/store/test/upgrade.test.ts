import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { examineFile, openStore, type Store } from '@svc/store';
import { COMMON } from '../src/database/migrations.ts';
import { oldDatabase, T0, withFile } from './harness.ts';

const open = (file: string): Promise<Store> =>
  openStore({ clock: createFakeClock(T0) }, { file, version: '1' });

async function everything(store: Store) {
  const { runs } = await store.runs.list('demo', { limit: 10 });
  const page = { projects: ['demo'], includeArchived: true, limit: 10 };
  const { chats } = await store.chats.list(page);
  const transcripts = await Promise.all(
    chats.map(({ sessionId }) => store.chats.messages(sessionId, { limit: 50 })),
  );
  return { runs, chats, transcripts };
}

/** All rows by table, without the servers and the steps, which each start and upgrade adds to. */
function contentOf(db: InstanceType<typeof DatabaseSync>) {
  const names = db
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite%'`)
    .all()
    .map(({ name }) => String(name));
  const tables = names.filter((name) => name !== 'node' && name !== 'kysely_migration');
  const rows = tables.map((name) => [name, db.prepare(`select * from "${name}"`).all()] as const);
  return Object.fromEntries(rows) as Record<string, readonly Record<string, unknown>[]>;
}

describe('a database from before', () => {
  it('of the first release is refused, with the fix', () =>
    withFile(async (file) => {
      const db = await oldDatabase(file);
      db.exec(`delete from kysely_migration where name > '007_waiting_slots'`);
      db.close();
      await expect(open(file)).rejects.toMatchObject({
        code: 'older_schema',
        message: expect.stringContaining('Start it once with svc 0.1.0'),
      });
    }));

  // proves: retention.upgrade
  // proves: usage.tool-errors
  it('is opened with all that it holds', () =>
    withFile(async (file) => {
      (await oldDatabase(file)).close();
      const store = await open(file);
      const { runs, chats, transcripts } = await everything(store);
      expect(runs.map(({ scheduledFor, outcome }) => [scheduledFor, outcome])).toEqual([
        ['2026-03-01T09:00:01.000Z', 'succeeded'],
        ['2026-03-01T09:00:00.000Z', 'succeeded'],
      ]);
      expect(
        chats.map(({ agentName, archived, messageCount }) => [agentName, archived, messageCount]),
      ).toEqual([
        [null, false, 6],
        ['trigger-demo-nightly', true, 5],
        ['trigger-demo-nightly', false, 5],
      ]);
      const [copy, original] = transcripts.map(({ messages }) => messages);
      expect(copy?.slice(0, 5)).toEqual(original);
      expect(original?.map(({ kind }) => kind)).toEqual([
        'notice',
        'notice',
        'text',
        'tool_use',
        'tool_result',
      ]);
      expect(original?.[3]?.tool).toEqual({
        callId: original?.[4]?.tool?.callId,
        name: 'Bash',
        input: { command: 'echo hello' },
      });
      const [queued] = await store.turns.queued();
      expect(await store.turns.get(queued?.id ?? '')).toMatchObject({
        prompt: 'And now?',
        context: { event: 'onArchive', project: 'demo', data: { a: 1 } },
        capability: { runsAs: 'keeper' },
      });
      expect((await store.events.list('demo', { limit: 5 })).events[0]).toMatchObject({
        by: 'user',
      });
      const upgraded = (await store.runs.list('demo', { limit: 5 })).runs;
      expect(upgraded.map(({ toolErrors }) => toolErrors)).toEqual([null, null]);
      expect(upgraded.map(({ sandbox, network }) => [sandbox, network])).toEqual([
        [null, null],
        [null, null],
      ]);
      await store.close();
    }));

  // proves: usage.sandbox
  it('of the version before runs had a network record gets its two columns, and is otherwise unchanged', () =>
    withFile(async (file) => {
      (await oldDatabase(file)).close();
      await (await open(file)).close();
      const db = new DatabaseSync(file);
      db.exec(`alter table run drop column sandbox; alter table run drop column network;
        delete from kysely_migration where name = '024_run_sandbox'`);
      const before = contentOf(db);
      db.close();
      expect(examineFile(file)).toMatchObject({ fault: null, schema: '023_arming_cache' });
      await (await open(file)).close();
      const upgraded = new DatabaseSync(file);
      const after = contentOf(upgraded);
      upgraded.close();
      const runs = before['run']?.map((row) => ({ ...row, sandbox: null, network: null }));
      expect(runs).toHaveLength(2);
      expect(after).toEqual({ ...before, run: runs });
    }));

  // proves: backup.upgrade.copy
  it('is kept as it was, beside the one that is brought to the form of this version', () =>
    withFile(async (file) => {
      (await oldDatabase(file)).close();
      const logger = createMemoryLogger();
      const store = await openStore({ clock: createFakeClock(T0), logger }, { file, version: '1' });
      await store.close();
      const [line] = logger.lines;
      const copy = String(line?.fields['copy']);
      expect(dirname(copy)).toBe(dirname(file));
      expect(examineFile(copy)).toEqual({
        fault: null,
        schema: '018_gone_nodes',
        isNewer: false,
      });
      expect(statSync(copy).mode & 0o777).toBe(0o600);
      copyFileSync(copy, `${copy}.db`);
      const again = await open(`${copy}.db`);
      expect((await everything(again)).runs).toHaveLength(2);
      await again.close();
    }));

  // proves: backup.upgrade.back
  it('is gone back to after a crash of the new version, whose log is not written over it', () =>
    withFile(async (file) => {
      (await oldDatabase(file)).close();
      const store = await open(file);
      await store.triggers.bind({ project: 'demo', name: 'later', hash: 'hash' }, [], 0);
      const [kept = ''] = readdirSync(dirname(file)).filter((name) => name.includes('.before-'));
      const home = join(dirname(file), 'crashed');
      mkdirSync(home);
      const back = join(home, 'svc.db');
      // As they are when the new version is killed.
      copyFileSync(`${file}-wal`, `${back}-wal`);
      writeFileSync(`${back}-shm`, 'of the new version');
      await store.close();
      copyFileSync(join(dirname(file), kept), back);
      expect(statSync(`${back}-wal`).size).toBeGreaterThan(0);
      const logger = createMemoryLogger();
      const again = await openStore(
        { clock: createFakeClock(T0), logger },
        { file: back, version: '1' },
      );
      expect((await everything(again)).runs).toHaveLength(2);
      await again.close();
      expect(logger.lines[0]?.message).toMatch(
        /-wal belonged to another database, which .* replaced/,
      );
      expect(readdirSync(home).sort()).toEqual(
        expect.arrayContaining(['svc.db', 'svc.db-wal.other']),
      );
      // What an older version opens, once both are removed as the guide says.
      copyFileSync(join(dirname(file), kept), back);
      expect(examineFile(back)).toMatchObject({ fault: null, schema: '018_gone_nodes' });
    }));

  // proves: backup.upgrade.full
  it('stays as it is, and is not opened, where there is no room for that', () =>
    withFile(async (file) => {
      const db = await oldDatabase(file);
      db.exec(`insert into instance values('large', '${'x'.repeat(400_000)}')`);
      db.close();
      const program = new URL('upgrade-child.mjs', import.meta.url).pathname;
      const { stdout, stderr, status } = spawnSync(
        'prlimit',
        ['--fsize=200000:', process.execPath, program, file],
        { encoding: 'utf8' },
      );
      expect([stdout, status]).toEqual(['', 1]);
      expect(stderr).toContain('The disk is full. Free 1 MB in');
      expect(readdirSync(dirname(file)).filter((name) => name.includes('.before-'))).toEqual([]);
      expect(examineFile(file)).toMatchObject({ fault: null, schema: '018_gone_nodes' });
    }));

  // proves: backup.upgrade.newest
  it('is kept twice at most', () =>
    withFile(async (file) => {
      (await oldDatabase(file)).close();
      for (const [name, age] of [
        ['005_a', 3],
        ['006_b', 2],
      ] as const) {
        copyFileSync(file, `${file}.before-${name}`);
        utimesSync(`${file}.before-${name}`, age, 1_000_000 - age);
      }
      await (await open(file)).close();
      const kept = readdirSync(dirname(file)).filter((name) => name.includes('.before-'));
      expect(kept.map((name) => name.split('.before-')[1]).sort()).toEqual([
        '006_b',
        Object.keys(COMMON).at(-1),
      ]);
    }));

  it('fires none of its slots again', () =>
    withFile(async (file) => {
      (await oldDatabase(file)).close();
      const store = await open(file);
      const key = { project: 'demo', source: 'trigger', name: 'nightly' } as const;
      const at = T0 - 60_000;
      const cursor = { scheduleHash: 'h', anchor: at, armedSince: at, cursor: at };
      await store.claims.arm([{ key, cursor, definitionHash: 'd' }]);
      const slot = {
        key,
        scheduleHash: 'h',
        as: 'run',
        from: T0,
        until: T0,
        count: 1,
        claimedAt: T0,
        lateMs: 0,
      } as const;
      expect(await store.claims.claim([{ ...slot, catchUp: false, reason: null }])).toEqual([
        { won: false },
      ]);
      await store.close();
    }));

  // proves: retention.upgrade.killed
  it('that a killed process has been upgrading is upgraded by the next one', () =>
    withFile(async (file) => {
      const db = await oldDatabase(file);
      db.exec(`with recursive n(x) as (select 1 union all select x + 1 from n where x < 30000)
        insert into instance select 'k' || x, printf('%.500c', 'x') from n`);
      db.close();
      const program = new URL('upgrade-child.mjs', import.meta.url).pathname;
      const child = spawn(process.execPath, [program, file]);
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const store = await open(file);
      expect((await everything(store)).runs).toHaveLength(2);
      await store.close();
      const upgraded = new DatabaseSync(file);
      const [{ count }] = upgraded
        .prepare(`select count(*) as count from instance where key like 'k%'`)
        .all() as [{ count: number }];
      upgraded.close();
      expect(count).toBe(30_000);
    }));

  it('is compacted once, which is logged', () =>
    withFile(async (file) => {
      const db = await oldDatabase(file);
      db.exec('pragma auto_vacuum = 0; vacuum');
      db.exec(`with recursive n(x) as (select 1 union all select x + 1 from n where x < 5000)
        insert into instance select 'k' || x, printf('%.500c', 'x') from n; delete from instance where key like 'k%'`);
      db.close();
      copyFileSync(file, `${file}.copy`);
      const logger = createMemoryLogger();
      const store = await openStore({ clock: createFakeClock(T0), logger }, { file, version: '1' });
      await store.close();
      expect(statSync(file).size).toBeLessThan(statSync(`${file}.copy`).size / 5);
      expect(logger.lines.map(({ message }) => message)).toEqual([
        'migrating database schema',
        'database compacted',
      ]);
      const again = createMemoryLogger();
      await (
        await openStore({ clock: createFakeClock(T0), logger: again }, { file, version: '1' })
      ).close();
      expect(again.lines).toEqual([]);
    }));
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { examineServer, openStore } from '@svc/store';
import { withUrl } from '../test/database.ts';
import { ending, opening, T0 } from '../test/harness.ts';
import { open, withClient, withStores } from './several.ts';

const MINUTE = 60_000;

describe('a server', () => {
  // proves: nodes.database-in-words
  it('that is missing, lacks the database or rejects the user is reported in a sentence', () =>
    withUrl(async (url) => {
      const of = (change: (address: URL) => void) => {
        const address = new URL(url);
        address.password = 'hush-hush';
        change(address);
        return address;
      };
      const away = of((address) => {
        address.port = '1';
      });
      const missing = of((address) => {
        address.pathname = '/nobody_made_it';
      });
      const stranger = of((address) => {
        address.username = 'nobody_known';
      });
      for (const address of [away, missing, stranger]) {
        const error = await open(address.href).catch((refused: unknown) => refused);
        expect(error).toMatchObject({ code: 'unavailable' });
        const { message } = error as Error;
        const name = address.pathname.slice(1);
        expect(message).toContain(`${name} on ${address.hostname}:${address.port}`);
        expect(JSON.stringify(error) + message).not.toContain('hush-hush');
      }
      await expect(open('mysql://user:hush-hush@host/name')).rejects.toMatchObject({
        code: 'no_address',
        message: expect.not.stringContaining('hush-hush'),
      });
    }));

  it('whose database a newer version wrote is refused', () =>
    withUrl(async (url) => {
      await (await open(url)).close();
      await withClient(url, async (client) => {
        await client.query(`insert into kysely_migration values ('999_future', '2030')`);
      });
      await expect(open(url)).rejects.toMatchObject({ code: 'newer_schema' });
      expect(await examineServer(url, 'database.url')).toMatch(/written by a newer version of svc/);
    }));

  it('that cuts connections is reported, and used again once it responds', () =>
    withUrl(async (url) => {
      const clock = createFakeClock(T0);
      const logger = createMemoryLogger();
      const store = await openStore({ clock, logger }, { url, version: '1' });
      const name = new URL(url).pathname.slice(1);
      const admin = new URL(url);
      admin.pathname = '/postgres';
      await withClient(admin.href, async (client) => {
        await client.query(`alter database ${name} allow_connections false`);
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        );
        await expect(store.turns.open(opening())).rejects.toMatchObject({ code: 'unavailable' });
        await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
        await client.query(`alter database ${name} allow_connections true`);
      });
      while (logger.lines.at(-1)?.message !== 'database writable again') {
        await clock.advance(3000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await store.ping();
      await store.turns.open(opening());
      expect(await store.turns.queued()).toHaveLength(1);
      await store.close();
    }));

  // proves: nodes.full-disk
  it('whose disk is full is not ready again before there is room for more than a row', () =>
    withUrl(async (url) => {
      const clock = createFakeClock(T0);
      const logger = createMemoryLogger();
      const store = await openStore({ clock, logger }, { url, version: '1' });
      await withClient(url, async (client) => {
        await client.query(`
          create function no_row() returns trigger language plpgsql as
            $$ begin raise exception 'no' using errcode = '53100'; end $$;
          create trigger no_row before insert on chat execute function no_row();
          create function no_table() returns event_trigger language plpgsql as
            $$ begin raise exception 'no' using errcode = '53100'; end $$;
          create event trigger no_table on ddl_command_start when tag in ('CREATE TABLE')
            execute function no_table()`);
        await expect(store.turns.open(opening())).rejects.toMatchObject({
          message: expect.stringContaining('The disk of the database'),
        });
        await client.query('drop trigger no_row on chat');
        const ready = async (): Promise<boolean> => {
          await clock.advance(3000);
          await new Promise((resolve) => setTimeout(resolve, 300));
          return store.ping().then(
            () => true,
            () => false,
          );
        };
        expect([await ready(), await ready()]).toEqual([false, false]);
        await client.query('drop event trigger no_table');
        while (!(await ready()));
        const { rows } = await client.query(`select to_regclass('write_probe') as found`);
        expect(rows).toEqual([{ found: null }]);
      });
      await store.close();
    }));

  it('is spoken to by what is loaded then', () =>
    withUrl(async (url) => {
      const program = new URL('../test/loaded-child.mjs', import.meta.url).pathname;
      const child = spawn(process.execPath, [program, url]);
      const [said] = await once(child.stdout, 'data');
      expect(Number(said)).toBeGreaterThan(5);
    }));

  // proves: nodes.durable
  it('has what is written in its log on the disk when that is answered', () =>
    withStores(1, async (store) => {
      await withClient(process.env['SVC_STORE_TEST_SERVER'] ?? '', async (client) => {
        const placeOf = async (of: string): Promise<number> => {
          const { rows } = await client.query(`select pg_wal_lsn_diff(${of}(), '0/0') as place`);
          return Number(rows[0]?.place);
        };
        for (let n = 0; n < 10; n += 1) {
          const before = await placeOf('pg_current_wal_insert_lsn');
          await store?.turns.open(opening());
          const onDisk = await placeOf('pg_current_wal_flush_lsn');
          // A turn takes a kilobyte there.
          expect(onDisk - before).toBeGreaterThan(500);
        }
      });
    }));

  it('keeps numbers, instants, ids and odd texts as they are', () =>
    withStores(2, async (a, b) => {
      const prompt = 'naïve 漢字 🙂 \u0001 \\ \' " $1 ?';
      const begun = opening({ prompt, messages: [] });
      await a?.turns.open(begun);
      const big = 2 ** 40;
      await a?.turns.start(begun.turnId, T0, T0 + MINUTE, 'n');
      await a?.turns.used(begun.turnId, { tokensIn: big, tokensOut: 0, costMicrousd: big });
      await a?.turns.end(begun.turnId, ending, T0);
      expect((await b?.turns.get(begun.turnId))?.prompt).toBe(prompt);
      const chat = (await b?.chats.get(begun.sessionId))?.chat;
      expect(chat).toMatchObject({ createdAt: '2026-03-01T09:00:00.000Z', running: false });
      const byName = await b?.usage.byName('demo', '2000-01-01');
      expect(byName).toMatchObject([{ tokensIn: big, costMicrousd: big }]);
      const withNothing = opening({ prompt: 'a\0b', messages: [] });
      await a?.turns.open(withNothing);
      expect((await b?.turns.get(withNothing.turnId))?.prompt).toBe('a\uFFFDb');
    }));
});

import { createWriteStream, readFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from '@jest/globals';
import { isoTime } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import {
  type DatabaseCopy,
  examineFile,
  openClosed,
  openStore,
  type Store,
  withoutSignIns,
} from '@svc/store';
import { oldDatabase, opening, T0, withFile, withFileStore } from './harness.ts';

const open = (file: string): Promise<Store> =>
  openStore({ clock: createFakeClock(T0) }, { file, version: '1' });

async function begun(store: Store): Promise<DatabaseCopy> {
  const copy = await store.copy();
  if (copy === null) throw new Error('A file can be copied.');
  return copy;
}

async function chatsIn(store: Store): Promise<number> {
  const { chats } = await store.chats.list({
    projects: ['demo'],
    includeArchived: true,
    limit: 200,
  });
  return chats.length;
}

async function fill(store: Store, turns: number): Promise<void> {
  for (let at = 0; at < turns; at += 1) {
    const text = `${at} `.repeat(20_000);
    const messages = [{ role: 'user', kind: 'text', text, tool: null }] as const;
    await store.turns.open(opening({ messages }));
  }
}

describe('a copy of a database in use', () => {
  // proves: backup.consistent
  it('has what was there when it was begun, whatever is written and settled meanwhile', () =>
    withFileStore(async (store, file) => {
      await fill(store, 40);
      const copy = await begun(store);
      async function* whileWriting() {
        for await (const chunk of copy.chunks) {
          await fill(store, 40);
          await store.retention.settle();
          yield chunk;
        }
      }
      await pipeline(whileWriting, createWriteStream(`${file}.copy`));
      await copy.close();
      expect((await stat(`${file}.copy`)).size).toBe(copy.bytes);
      expect(copy.bytes).toBeGreaterThan(2 * 1024 * 1024);
      expect(examineFile(`${file}.copy`)).toEqual({
        fault: null,
        schema: copy.schema,
        isNewer: false,
      });
      const opened = await open(`${file}.copy`);
      expect(await chatsIn(opened)).toBe(40);
      await opened.close();
      expect(await chatsIn(store)).toBeGreaterThan(80);
    }));

  it('lets the log be carried over once it is closed', () =>
    withFileStore(async (store, file) => {
      const copy = await begun(store);
      await fill(store, 10);
      await store.retention.settle();
      expect((await stat(`${file}-wal`)).size).toBeGreaterThan(100_000);
      await copy.close();
      expect((await stat(`${file}-wal`)).size).toBe(0);
    }));

  // proves: backup.one
  it('is the only one', () =>
    withFileStore(async (store) => {
      const copy = await begun(store);
      await expect(store.copy()).rejects.toThrow('Another copy is in progress. Try again.');
      await copy.close();
      await (await begun(store)).close();
    }));

  // proves: backup.cut-short
  it('ends when the database is closed or its log removed', () =>
    withFile(async (file) => {
      const store = await open(file);
      const torn = await begun(store);
      await rm(`${file}-wal`);
      store.examine();
      await expect(torn.chunks[Symbol.asyncIterator]().next()).rejects.toThrow(
        /log .* was removed/,
      );
      await torn.close();
      const cut = await begun(store);
      await store.close();
      await expect(cut.chunks[Symbol.asyncIterator]().next()).rejects.toThrow(/being closed/);
      await cut.close();
      await (await open(file)).close();
    }));
});

describe('a copy of a database that is not open', () => {
  it('is of any schema, and changes nothing', () =>
    withFile(async (file) => {
      (await oldDatabase(file)).close();
      const copy = await openClosed(file);
      await pipeline(copy.chunks, createWriteStream(`${file}.copy`));
      await copy.close();
      for (const one of [file, `${file}.copy`]) {
        expect(examineFile(one)).toEqual({
          fault: null,
          schema: '018_gone_nodes',
          isNewer: false,
        });
      }
    }));

  it('is known as damaged, and as of a newer version', () =>
    withFile(async (file) => {
      const db = await oldDatabase(file);
      db.exec(`insert into kysely_migration values('999_later', '2099-01-01')`);
      db.close();
      expect(examineFile(file)).toEqual({ fault: null, schema: '999_later', isNewer: true });
      expect(examineFile(import.meta.filename).fault).toMatch('file is not a database');
    }));

  // proves: backup.no-sign-ins
  it('loses who has signed in', () =>
    withFile(async (file) => {
      const store = await open(file);
      const digest = 'digest-of-a-session-that-must-not-be-used-again';
      const at = isoTime(T0);
      await store.sessions.add({ digest, tokenDigest: 'of-token', expiresAt: '2027-01-01' }, at);
      await store.close();
      expect(readFileSync(file).includes(digest)).toBe(true);
      withoutSignIns(file);
      expect(readFileSync(file).includes(digest)).toBe(false);
    }));
});

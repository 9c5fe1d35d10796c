import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { openStore } from '@svc/store';
import { opening, T0, withFile, withFileStore } from './harness.ts';

const clock = createFakeClock(T0);

// A second process, because one process may open its own file twice.
const OPEN_AGAIN = `
  const { DatabaseSync } = require(process.argv[1]);
  try {
    const db = new DatabaseSync(process.argv[2]);
    db.exec('begin immediate; commit');
    console.log('opened');
  } catch (error) { console.log(error.message); }`;

describe('opening the database', () => {
  it('is refused in words while another process holds it', () =>
    withFileStore(async (_store, file) => {
      await expect(openStore({ clock }, { file, version: '1' })).rejects.toMatchObject({
        code: 'in_use',
        message: expect.stringContaining(`uses the database ${file}`),
      });
      const driver = new URL('../node_modules/@photostructure/sqlite', import.meta.url).pathname;
      const other = spawnSync(process.execPath, ['-e', OPEN_AGAIN, driver, file], {
        encoding: 'utf8',
      });
      expect(other.stdout).toMatch(/locked/);
    }));

  it('finds everything again after closing', async () => {
    await withFileStore(async (store, file) => {
      const begun = opening();
      await store.turns.open(begun);
      await store.close();
      const again = await openStore({ clock }, { file, version: '1' });
      expect((await again.chats.get(begun.sessionId))?.chat.name).toBe('nightly');
      expect(await again.turns.queued()).toHaveLength(1);
      expect(again.id).toBe(store.id);
      expect(again.nodeId).not.toBe(store.nodeId);
      await again.close();
    });
  });

  it('refuses a schema that a newer version wrote', async () => {
    await withFileStore(async (store, file) => {
      await store.close();
      const { DatabaseSync } = await import('@photostructure/sqlite');
      const db = new DatabaseSync(file);
      db.exec(`insert into kysely_migration values ('999_future', '2030-01-01T00:00:00.000Z')`);
      db.close();
      await expect(openStore({ clock }, { file, version: '1' })).rejects.toMatchObject({
        code: 'newer_schema',
      });
    });
  });

  // proves: nodes.not-loaded
  it('loads nothing of what speaks to servers', () =>
    withFile(async (file) => {
      const program = new URL('loaded-child.mjs', import.meta.url).pathname;
      const child = spawnSync(process.execPath, [program, file], { encoding: 'utf8' });
      expect(child).toMatchObject({ stdout: '0\n', status: 0 });
    }));

  it('says what is wrong with a file that is no database', () =>
    withFileStore(async (_store, file) => {
      const broken = `${file}.broken`;
      writeFileSync(broken, 'this is no database, and long enough to be read as one'.repeat(50));
      await expect(openStore({ clock }, { file: broken, version: '1' })).rejects.toMatchObject({
        code: 'unreadable',
      });
    }));
});

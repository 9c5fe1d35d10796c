import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { openStore, type Store } from '@svc/store';
import { arming, opening, slot, T0, withFile, withFileStore } from './harness.ts';

const HEADER = 32;
const FRAME_HEADER = 24;

/** How many commits the log beside the database holds since it was begun. */
function commitsIn(log: string): number {
  const bytes = readFileSync(log);
  const frame = FRAME_HEADER + bytes.readUInt32BE(8);
  const salt = bytes.subarray(16, 24);
  let commits = 0;
  for (let at = HEADER; at + frame <= bytes.length; at += frame) {
    if (!bytes.subarray(at + 8, at + 16).equals(salt)) break;
    if (bytes.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

/** What a store would find that were opened on the files as they are at this moment. */
function afterCrash(file: string): { find<T>(look: (store: Store) => Promise<T>): Promise<T> } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-crash-'));
  const copy = join(folder, 'svc.db');
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, `${copy}-wal`);
  return {
    async find(look) {
      const store = await openStore({ clock: createFakeClock(T0) }, { file: copy, version: '1' });
      const found = await look(store);
      await store.close();
      rmSync(folder, { recursive: true });
      return found;
    },
  };
}

const REASON = 'It stands in a page of its own.';
const PAGE = 4096;

function damagePageOf(file: string, text: string): void {
  const bytes = readFileSync(file);
  const from = bytes.indexOf(text);
  const page = from - (from % PAGE);
  writeFileSync(file, bytes.fill(0x5a, page, page + PAGE));
}

describe('writes that come together', () => {
  it('share a commit', () =>
    withFileStore(async (store, file) => {
      const before = commitsIn(`${file}-wal`);
      await Promise.all(Array.from({ length: 20 }, () => store.turns.open(opening())));
      expect(commitsIn(`${file}-wal`) - before).toBe(1);
      expect(await store.turns.queued()).toHaveLength(20);
    }));

  // proves: scale.alone
  it('fail alone: what is rolled back of one touches no other', () =>
    withFileStore(async (store) => {
      const first = opening();
      const last = opening();
      const doubled = { ...opening(), turnId: first.turnId };
      const fresh = opening();
      const came = await Promise.allSettled([
        store.turns.open(first),
        store.turns.openAll([fresh, doubled]),
        store.turns.open(last),
      ]);
      expect(came.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      const queued = (await store.turns.queued()).map(({ id }) => id);
      expect(new Set(queued)).toEqual(new Set([first.turnId, last.turnId]));
      expect(await store.chats.get(fresh.sessionId)).toBeNull();
    }));

  // proves: scale.durable
  it('are on the disk, all of them, when they are answered', () =>
    withFileStore(async (store, file) => {
      const openings = Array.from({ length: 5 }, () => opening());
      const crashes = await Promise.all(
        openings.map(async (one) => {
          await store.turns.open(one);
          return { id: one.turnId, left: afterCrash(file) };
        }),
      );
      for (const { id, left } of crashes) {
        expect(await left.find((found) => found.turns.get(id))).not.toBeNull();
      }
    }));

  // proves: scale.durable
  it('are on the disk when they are seen', () =>
    withFileStore(async (store, file) => {
      const one = opening();
      const written = store.turns.open(one);
      const seen = await store.turns.get(one.turnId);
      const left = afterCrash(file);
      expect(seen).not.toBeNull();
      expect(await left.find((found) => found.turns.get(one.turnId))).not.toBeNull();
      await written;
    }));

  // proves: faults.database.damaged
  it('are refused together, and what comes later is too, where the database is found damaged', () =>
    withFile(async (file) => {
      const deps = { clock: createFakeClock(T0) };
      const before = await openStore(deps, { file, version: '1' });
      await before.claims.arm([arming(T0)]);
      const [verdict] = await before.claims.claim([slot(T0 + 60_000)]);
      if (verdict?.won) await before.runs.endUnstarted(verdict.runId, 'failed', REASON, T0);
      await before.close();
      const store = await openStore(deps, { file, version: '1' });
      damagePageOf(file, REASON);
      const kept = { textHash: 'hash', mark: null, body: 'body' };
      const keep = () => store.armingCache.save('maker', 'demo', kept);
      const came = await Promise.allSettled([keep(), store.runs.list('demo', { limit: 10 })]);
      const refused = { status: 'rejected', reason: { code: 'unavailable' } };
      expect(came).toMatchObject([refused, refused]);
      await expect(keep()).rejects.toMatchObject({ code: 'unavailable' });
      await store.close();
    }));
});

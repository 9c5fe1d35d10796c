import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { isoTime, newId } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import type { Actor } from '@svc/records';
import { copyStore, openStore, type Store } from '@svc/store';
import { withFile, withUrl } from '../test/database.ts';
import { arming, ending, key, missed, opening, slot, T0 } from '../test/harness.ts';
import { withClient } from './several.ts';

const MINUTE = 60_000;
const deps = { clock: createFakeClock(T0) };
const version = '1';

/** A home in which something of everything has happened; tells what is to be found again. */
async function fill(store: Store) {
  await store.claims.arm([arming(T0)]);
  const verdicts = await store.claims.claim([
    slot(T0 + MINUTE),
    missed(T0 + 2 * MINUTE, T0 + 4 * MINUTE, 3),
  ]);
  const claimed = verdicts.flatMap((verdict) => (verdict.won ? [verdict.runId] : []));
  const by: Actor = { kind: 'user', id: null };
  const asked = { key, cause: 'manual' as const, by, claimedAt: T0 };
  const runOf = (n: number) => {
    if (n === 0) return { claimed: claimed[0] ?? '' };
    return n === 1 ? { fresh: { id: newId(), ...asked } } : null;
  };
  const turns = [];
  for (let n = 0; n < 30; n += 1) {
    const turn = opening({ run: runOf(n) });
    await store.turns.open(turn);
    await store.turns.start(turn.turnId, T0, T0 + MINUTE, store.nodeId);
    if (n > 0) await store.turns.end(turn.turnId, ending, T0 + MINUTE);
    turns.push(turn);
  }
  await store.pausing.setAll(
    { by: 'user', at: isoTime(T0), reason: 'A pause – with "quotes".' },
    {
      kind: 'paused',
      at: isoTime(T0),
      by: 'user',
      via: 'page',
      sessionId: null,
      project: null,
      source: null,
      trigger: null,
      writtenAt: null,
      reason: null,
      fields: [],
      standing: null,
      anchor: null,
    },
  );
  return { claimed, turns };
}

/** Creates the file of such a home and closes it. */
async function filled(file: string): Promise<void> {
  const store = await openStore(deps, { file, version });
  await fill(store);
  await store.close();
}

/** What a store says of everything. */
async function tellAll(store: Store, sessionIds: readonly string[]) {
  const { runs } = await store.runs.list('demo', { limit: 500 });
  const chats = [];
  for (const id of sessionIds) chats.push(await store.chats.history(id, 1_000_000));
  return {
    runs,
    chats,
    pause: await store.pausing.all(),
    armings: [...(await store.claims.loadProject('demo'))],
    changes: await store.changes.of(key),
    id: store.id,
  };
}

describe('a home that is moved to a server', () => {
  // proves: nodes.copied
  it('has every run, chat and slot there, and continues its numbering', () =>
    withFile((file) =>
      withUrl(async (url) => {
        const here = await openStore(deps, { file, version });
        const { turns } = await fill(here);
        const sessions = turns.map(({ sessionId }) => sessionId);
        const before = await tellAll(here, sessions);
        const { sandbox, network } = ending;
        expect(before.runs).toContainEqual(expect.objectContaining({ sandbox, network }));
        await here.close();
        const tables = new Set<string>();
        const onProgress = ({ table }: { table: string }) => void tables.add(table);
        const copied = await copyStore(deps, { file, url, version, onProgress });
        expect(copied).toMatchObject({ isNew: true, rows: { chat: 30, turn: 30, run: 3 } });
        expect([...tables]).toEqual(
          expect.arrayContaining(['run', 'chat', 'message_ref', 'instance']),
        );
        const there = await openStore(deps, { url, version });
        expect(await tellAll(there, sessions)).toEqual(before);
        expect(await there.nodes.orphans()).toEqual([turns[0]?.turnId]);
        // A slot that was decided there is decided here, and what is new gets numbers of its own.
        const again = await there.claims.claim([slot(T0 + MINUTE)]);
        expect(again.some(({ won }) => won)).toBe(false);
        const next = opening();
        expect(await there.turns.open(next)).toBe(true);
        await there.close();
      }),
    ));

  // proves: nodes.copied
  it('a second time is left as it is, with what has happened there since', () =>
    withFile((file) =>
      withUrl(async (url) => {
        await filled(file);
        await copyStore(deps, { file, url, version });
        const there = await openStore(deps, { url, version });
        await there.turns.open(opening());
        await there.close();
        const again = await copyStore(deps, { file, url, version });
        expect(again).toMatchObject({ isNew: false, rows: { chat: 31 } });
        expect(await copyStore(deps, { file, url, version })).toEqual(again);
      }),
    ));

  // proves: nodes.copied
  it('is read to its end, however much it is and whatever the memory is used for meanwhile', () =>
    withFile((file) =>
      withUrl(async (url) => {
        await filled(file);
        const db = new DatabaseSync(file);
        db.exec(`
          with recursive more(n) as (select 1 union all select n + 1 from more where n < 5000)
          insert into node (id, started_at, heartbeat_at, version)
          select 'node-' || n, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '1' from more`);
        db.close();
        setFlagsFromString('--expose-gc');
        const collect = runInNewContext('gc') as () => void;
        const copied = await copyStore(deps, { file, url, version, onProgress: () => collect() });
        expect(copied.rows['node']).toBeGreaterThan(5000);
      }),
    ));

  // proves: nodes.copied
  it('leaves nothing behind where it fails, and can be moved then', () =>
    withFile((file) =>
      withUrl(async (url) => {
        await filled(file);
        await (await openStore(deps, { url, version })).close();
        await withClient(url, async (client) => {
          await client.query('alter table message_ref add constraint full_up check (seq < 0)');
          await expect(copyStore(deps, { file, url, version })).rejects.toThrow();
          const { rows } = await client.query(
            'select (select count(*) from run) as runs, (select count(*) from content) as contents',
          );
          expect(rows).toEqual([{ runs: '0', contents: '0' }]);
          await client.query('alter table message_ref drop constraint full_up');
        });
        expect(await copyStore(deps, { file, url, version })).toMatchObject({ isNew: true });
      }),
    ));

  it('is refused by a database in which there is something else, and while a server has it', () =>
    withFile((file) =>
      withUrl(async (url) => {
        const here = await openStore(deps, { file, version });
        await expect(copyStore(deps, { file, url, version })).rejects.toMatchObject({
          code: 'in_use',
        });
        await here.close();
        const there = await openStore(deps, { url, version });
        await there.turns.open(opening({ sessionId: newId() }));
        await there.close();
        await expect(copyStore(deps, { file, url, version })).rejects.toMatchObject({
          code: 'not_empty',
          message: expect.stringContaining('Use an empty one'),
        });
      }),
    ));
});

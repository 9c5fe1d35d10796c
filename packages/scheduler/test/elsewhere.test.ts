import { describe, expect, it } from '@jest/globals';
import { createScheduler, type Fire, storedState } from '@svc/scheduler';
import { at, createWorld, cron, every, keyOf, MINUTE } from './harness.ts';

const START = at('2026-01-05T08:59:00.000Z');

describe('a trigger that another process owns', () => {
  // proves: nodes.shown
  it('has the state of that process, from the store', async () => {
    const world = createWorld('2026-01-05T08:59:00.000Z');
    const other = world.start();
    const wanted = [cron('a', '0 9 * * *'), every('b', '7m')];
    await other.sync('demo', wanted);
    await world.clock.advance(10 * MINUTE);
    const stored = await world.claims.loadProject('demo');
    for (const request of wanted) {
      const { project, source, name } = request.key;
      const found = stored.get(`${project}/${source}/${name}`);
      expect(storedState(request, found, world.clock.now())).toEqual(other.state(request.key));
    }
    const edited = { ...every('b', '9m'), scheduleHash: 'another' };
    expect(storedState(edited, stored.get('demo/trigger/b'), world.clock.now())).toEqual({
      ...{ armed: false, nextFire: null, clock: null },
      error: 'It is being armed.',
    });
    await other.close();
  });

  it('is armed again after that process has restarted its grid', async () => {
    const world = createWorld('2026-01-05T08:59:00.000Z');
    const fires: Fire[] = [];
    const { clock, claims, logger } = world;
    const onFire = (won: readonly Fire[]) => void fires.push(...won);
    const own = createScheduler({ clock, claims, logger, onFire });
    await own.sync('demo', [every('b', '10m')]);
    await clock.advance(MINUTE);
    const [stored] = [...(await claims.loadProject('demo')).values()];
    if (stored === undefined) throw new Error('It is not stored.');
    const cursor = { ...stored, anchor: clock.now(), cursor: clock.now() };
    await claims.arm([{ key: keyOf('b'), cursor, definitionHash: 'd' }]);
    expect(await own.sync('demo', [every('b', '10m')])).toMatchObject({ rearmed: 1 });
    expect(own.state(keyOf('b'))?.nextFire).toBe(START + 11 * MINUTE);
    await own.close();
  });

  // proves: nodes.lost
  it('is reported after its slots were lost', async () => {
    const world = createWorld('2026-01-05T08:59:00.000Z');
    const { clock, claims, logger } = world;
    const lost: string[] = [];
    const own = createScheduler({
      ...{ clock, claims, logger, onFire() {} },
      onLost: (projects) => void lost.push(...projects),
    });
    await own.sync('demo', [every('b', '1m')]);
    await clock.advance(MINUTE);
    expect(lost).toEqual([]);
    const [stored] = [...(await claims.loadProject('demo')).values()];
    if (stored === undefined) throw new Error('It is not stored.');
    const cursor = { ...stored, cursor: START + 5 * MINUTE };
    await claims.arm([{ key: keyOf('b'), cursor, definitionHash: 'd' }]);
    await clock.advance(MINUTE);
    expect(lost).toEqual(['demo']);
    await own.close();
  });
});

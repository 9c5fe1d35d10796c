import { describe, expect, it } from '@jest/globals';
import { isoTime } from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import type { HeardSignal, Signals, SilentNode, Traits } from '@svc/store';
import { createMembers } from '../src/cluster/members.ts';

const SECOND = 1000;

interface Row {
  heartbeat: number;
  isServing: boolean;
  traits: Traits;
  isGone: boolean;
  /** How many projects it owned when it was evicted. */
  taken?: number | undefined;
}

/** The table of processes, with a database that may be away for some of them. */
function createWorld() {
  const clock = createFakeClock('2026-03-01T00:00:00.000Z');
  const rows = new Map<string, Row>();
  const away = new Set<string>();
  const skew = new Map<string, number>();
  const hearing = new Map<string, (heard: HeardSignal) => void>();
  const signalsOf = (id: string): Signals => ({
    send(signal) {
      for (const [other, hear] of hearing) if (other !== id && !away.has(other)) hear(signal);
    },
    subscribe(on) {
      hearing.set(id, on);
      return () => void hearing.delete(id);
    },
  });
  const logger = createMemoryLogger();
  const events: string[] = [];
  const join = (id: string, traits: () => Traits = () => ({})) => {
    rows.set(id, { heartbeat: clock.now(), isServing: true, isGone: false, traits: {} });
    const reached = () => {
      if (away.has(id)) throw new Error('The database is away.');
    };
    const nodes = {
      async beat(at: number) {
        reached();
        const row = rows.get(id);
        if (row === undefined || row.isGone) return false;
        row.heartbeat = at;
        return true;
      },
      async evict(silent: readonly SilentNode[] | 'others') {
        reached();
        if (silent === 'others') throw new Error('There may be others.');
        const dead = silent.filter((one) => {
          const row = rows.get(one.id);
          return row !== undefined && !row.isGone && isoTime(row.heartbeat) === one.heartbeatAt;
        });
        for (const { id: one, projects: taken } of dead) {
          Object.assign(rows.get(one) as Row, { isGone: true, taken });
        }
        return { ids: dead.map((one) => one.id), released: 0 };
      },
      async list() {
        reached();
        return [...rows]
          .filter(([, row]) => !row.isGone)
          .map(([other, { isServing, heartbeat, traits }]) => ({
            id: other,
            host: null,
            version: '1',
            startedAt: '',
            heartbeatAt: isoTime(heartbeat),
            isServing,
            running: 0,
            traits,
          }));
      },
      async describe(traits: Traits) {
        reached();
        (rows.get(id) as Row).traits = traits;
      },
      gone: async () =>
        [...rows]
          .filter(([, row]) => row.isGone)
          .map(([other, { heartbeat }]) => ({
            ...{ id: other, host: 'atlas', version: '1', url: null, home: null, startedAt: '' },
            ...{ heartbeatAt: isoTime(heartbeat), goneAt: isoTime(clock.now()) },
            ...{ isLost: true, projects: null },
          })),
      own: async () => [],
      orphans: async () => [],
      async leave() {},
      time: async () => null,
    };
    const own = { ...clock, now: () => clock.now() + (skew.get(id) ?? 0) };
    const deps = {
      clock: own,
      logger,
      shared: { traits },
      store: { nodes, nodeId: id, signals: signalsOf(id) },
    };
    return createMembers(deps, {
      cutOff: (why) => events.push(why === 'away' ? `${id} cut off` : `${id} ${why}`),
      back: () => {},
      evicted: () => events.push(`${id} dead`),
      gone: (ids) => events.push(`${id} buried ${ids.join()}`),
    });
  };
  return { clock, rows, away, events, join, skew, logger };
}

const projects = Array.from({ length: 200 }, (_, n) => `p${n}`);

describe('processes that share a database', () => {
  // proves: nodes.shares, nodes.figures
  it('divide the projects among themselves, each with one owner', async () => {
    const { clock, join, rows } = createWorld();
    const all = ['a', 'b', 'c'].map((id) => join(id));
    for (const each of all) await each.start();
    for (const each of all) await each.announce();
    expect(all.map(({ size }) => size)).toEqual([3, 3, 3]);
    expect(all.filter((each) => each.leads())).toHaveLength(1);
    const shares = all.map((each) => projects.filter((project) => each.has(project)));
    expect(shares.flat().sort()).toEqual([...projects].sort());
    for (const share of shares) expect(share.length).toBeGreaterThan(40);
    // A process that is about to stop hands over its projects; all others keep theirs.
    (rows.get('c') as Row).isServing = false;
    await all[2]?.announce();
    await clock.advance(1);
    const after = all.map((each) => projects.filter((project) => each.has(project)));
    expect(after.flat().sort()).toEqual([...projects].sort());
    expect(after[2]).toEqual([]);
    expect(all.map(({ size }) => size)).toEqual([2, 2, 2]);
    expect(all.filter((each) => each.leads())).toHaveLength(1);
    for (const n of [0, 1]) expect(after[n]).toEqual(expect.arrayContaining(shares[n] as string[]));
    for (const each of all) await each.leave();
    expect(clock.pending).toBe(0);
  });

  // proves: nodes.dead
  it('evict a process without heartbeats, after it has cut itself off', async () => {
    const { clock, away, events, join } = createWorld();
    const [a, b] = [join('a'), join('b')];
    let changes = 0;
    b.subscribe(() => {
      changes += 1;
    });
    await a.start();
    await b.start();
    await clock.advance(60 * SECOND);
    expect(events).toEqual([]);
    away.add('b');
    await clock.advance(16 * SECOND);
    expect(events).toEqual(['b cut off']);
    // It cannot claim slots, so it runs none; its projects have no other owner yet.
    expect(changes).toBe(1);
    expect(projects.some((project) => b.has(project))).toBe(true);
    await clock.advance(16 * SECOND);
    expect(events).toEqual(['b cut off', 'a buried b']);
    expect(projects.every((project) => a.has(project))).toBe(true);
    away.clear();
    await clock.advance(8 * SECOND);
    expect(events).toEqual(['b cut off', 'a buried b', 'b dead']);
    expect(projects.filter((project) => b.has(project))).toEqual([]);
    await a.leave();
    await b.leave();
    expect(clock.pending).toBe(0);
  });

  // proves: nodes.gone, nodes.loss-named
  it('say of one that is gone which it was, when it was last heard of, and how many projects it had', async () => {
    const { clock, away, rows, join, logger } = createWorld();
    const [a, b] = [join('a'), join('b')];
    await a.start();
    await b.start();
    await a.announce();
    const held = projects.filter((project) => a.holder(project) === 'b').length;
    a.leads();
    away.add('b');
    const last = isoTime((rows.get('b') as Row).heartbeat);
    const of = projects.find((project) => a.holder(project) === 'b') ?? '';
    const other = projects.find((project) => a.holder(project) === 'a') ?? '';
    const due = (rows.get('b') as Row).heartbeat + 9 * SECOND;
    expect(a.absence(of, due)).toBeNull();
    await clock.advance(32 * SECOND);
    expect(a.absence(of, due)).toMatch(
      new RegExp(
        `^The server atlas \\(b\\), which owned the project, .* heartbeat at ${last}, taken over 2\\d s later\\.$`,
      ),
    );
    expect([a.absence(other, due), a.absence(of, due - 9 * SECOND)]).toEqual([null, null]);
    expect(rows.get('b')?.taken).toBe(held);
    expect(held).toBeGreaterThan(40);
    const logged = logger.lines.filter(({ message }) => /^servers lost/.test(message));
    expect(logged.map(({ fields }) => fields)).toEqual([
      { servers: [`a server (b): last heartbeat ${last}, projects: ${held}`] },
    ]);
    await a.leave();
    await b.leave();
  });

  it('evict no process when the database was unavailable for all of them', async () => {
    const { clock, away, events, join, logger } = createWorld();
    const all = ['a', 'b', 'c'].map((id) => join(id));
    for (const each of all) {
      await each.start();
      await clock.advance(SECOND);
    }
    await clock.advance(60 * SECOND);
    const unheard = () =>
      logger.lines.filter(({ message }) => /^cannot send heartbeat/.test(message));
    for (const time of [1, 2]) {
      for (const id of ['a', 'b', 'c']) away.add(id);
      await clock.advance(90 * SECOND);
      expect(unheard()).toHaveLength(3 * time);
      away.clear();
      await clock.advance(60 * SECOND);
      expect(events.splice(0).sort()).toEqual(['a cut off', 'b cut off', 'c cut off']);
    }
    const shares = all.map((each) => projects.filter((project) => each.has(project)));
    expect(shares.flat().sort()).toEqual([...projects].sort());
    for (const each of all) await each.leave();
  });

  // proves: nodes.stood-still
  it.each([false, true])(
    'report that they were suspended, and whether other servers took over: %s',
    async (isGone) => {
      const { clock, rows, events, join, logger } = createWorld();
      const a = join('a');
      await a.start();
      await clock.advance(10 * SECOND);
      clock.stall(32 * SECOND);
      (rows.get('a') as Row).isGone = isGone;
      await clock.advance(SECOND);
      const still = ['warn', 'server was suspended', 30];
      const dead = ['error', 'evicted by other servers, shutting down', undefined];
      expect(
        logger.lines.map(({ level, message, fields }) => [level, message, fields['seconds']]),
      ).toEqual(isGone ? [still, dead] : [still]);
      if (isGone)
        expect(logger.lines[1]?.fields).toEqual({
          reason: 'It was suspended for too long, and other servers took over its projects.',
        });
      expect(events).toEqual(isGone ? ['a stood_still', 'a dead'] : ['a stood_still']);
      await a.leave();
    },
  );

  it('evict no process when the clock of a machine is wrong or is set', async () => {
    const { clock, events, join, skew } = createWorld();
    const all = ['a', 'b', 'c'].map((id) => join(id));
    for (const each of all) await each.start();
    skew.set('a', -600 * SECOND);
    await clock.advance(60 * SECOND);
    skew.set('b', 3600 * SECOND);
    await clock.advance(60 * SECOND);
    expect(events).toEqual([]);
    for (const each of all) await each.leave();
  });

  // proves: nodes.not-alike
  it('log once which settings differ, and once when they match again', async () => {
    const { clock, join, logger, rows } = createWorld();
    let zone = 'UTC';
    const a = join('a', () => ({ zone: 'Europe/Berlin', limit: '1s' }));
    const b = join('b', () => ({ zone, limit: '1s' }));
    // A server of an earlier version, and a command run by hand.
    const c = join('c');
    const d = join('d', () => ({ zone: 'Asia/Tokyo' }));
    (rows.get('d') as Row).isServing = false;
    for (const each of [a, b, c, d]) await each.start();
    await clock.advance(30 * SECOND);
    const logged = () => logger.lines.filter(({ message }) => message.startsWith('settings '));
    const differences = ['zone differs between servers: Europe/Berlin on a; UTC on b.'];
    const warning = { fields: { differences }, message: 'settings differ between servers' };
    expect(logged()).toEqual(Array(4).fill(expect.objectContaining(warning)));
    zone = 'Europe/Berlin';
    await clock.advance(30 * SECOND);
    expect(
      logged()
        .slice(4)
        .map(({ message }) => message),
    ).toEqual(Array(4).fill('settings match on all servers again'));
    for (const each of [a, b, c, d]) await each.leave();
  });
});

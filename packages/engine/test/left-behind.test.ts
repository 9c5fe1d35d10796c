import { describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import type { ClaimedRun } from '@svc/store';
import { ALONE } from '../src/cluster/members.ts';
import type { FireRequest } from '../src/firing/fire-request.ts';
import { createRecovery } from '../src/recovery/recovery.ts';

const SECOND = 1000;

type Deps = Parameters<typeof createRecovery>[0];

/** One of several processes, over a store of which the test says what is in it. */
function createWorld() {
  const clock = createFakeClock('2026-03-01T09:00:00.000Z');
  const world = {
    clock,
    own: [] as string[],
    orphans: [] as string[],
    running: new Set<string>(),
    runs: [] as ClaimedRun[],
    starting: new Set<string>(),
    leads: false,
    ended: [] as string[],
    fired: [] as string[],
    looks: 0,
    onLook: async (): Promise<void> => {},
  };
  const deps = {
    clock,
    logger: createMemoryLogger(),
    changes: { publish() {} },
    reaper: { endTurns: async () => ({ ended: 0 }) },
    queue: { runs: (id: string) => world.running.has(id) },
    projects: { snapshot: async () => null },
    store: {
      nodes: {
        own: async () => {
          world.looks += 1;
          await world.onLook();
          return world.own;
        },
        orphans: async () => world.orphans,
        list: async () => [],
      },
      turns: {
        get: async (id: string) => ({
          id,
          project: 'demo',
          sessionId: 's',
          runId: null,
          model: null,
        }),
        toolCalls: async () => 0,
        queued: async () => [],
        end: async (id: string) => {
          world.ended.push(id);
          return { run: null, endsPause: false };
        },
        ended: async () => [],
      },
      runs: { unstarted: async () => world.runs },
    },
  } as unknown as Deps;
  const fire = async ({ key, claimed }: FireRequest): Promise<never> => {
    world.fired.push(`${key.name} ${claimed}`);
    if (key.name === 'broken') throw new Error('It cannot be read.');
    return { ok: true } as never;
  };
  const recovery = createRecovery(deps, fire, {
    members: { ...ALONE, isShared: true, hasOthers: true, leads: () => world.leads },
    isStarting: (id) => world.starting.has(id),
  });
  const claimed = (name: string, ago: number): ClaimedRun => ({
    ...{ id: `run-${name}`, key: { project: 'demo', source: 'trigger', name } },
    ...{ cause: 'schedule', scheduledFor: clock.now() - ago, claimedAt: clock.now() - ago },
    ...{ catchUp: false, isHeld: false },
  });
  return { world, recovery, claimed };
}

describe('what is left behind where several processes share a database', () => {
  // proves: nodes.lost-turns
  it('is ended by each process of its own, and by one of those that are gone', async () => {
    const { world, recovery } = createWorld();
    await recovery.start();
    Object.assign(world, { own: ['mine', 'at-work'], orphans: ['theirs'], ended: [] });
    world.running.add('at-work');
    await world.clock.advance(10 * SECOND);
    expect(world.ended).toEqual(['mine']);
    Object.assign(world, { own: [], ended: [], leads: true });
    await world.clock.advance(10 * SECOND);
    expect(world.ended).toEqual(['theirs']);
    await recovery.close();
    expect(world.clock.pending).toBe(0);
  });

  // proves: nodes.claimed-left
  it('and was claimed is started, but for what is young, or about to be started here', async () => {
    const { world, recovery, claimed } = createWorld();
    await recovery.start();
    const old = ['broken', 'left', 'here'].map((name) => claimed(name, 16 * SECOND));
    world.runs = [...old, claimed('young', 0)];
    world.starting.add('run-here');
    await world.clock.advance(10 * SECOND);
    expect(world.fired).toEqual(['broken run-broken', 'left run-left']);
    await recovery.close();
  });

  it('is looked for once more where another process is gone while it is looked for', async () => {
    const { world, recovery } = createWorld();
    await recovery.start();
    let goOn = (): void => {};
    world.onLook = () => new Promise((resolve) => (goOn = resolve));
    world.looks = 0;
    await world.clock.advance(10 * SECOND);
    world.orphans = ['theirs'];
    world.ended = [];
    recovery.again();
    world.onLook = async () => {};
    goOn();
    await world.clock.advance(1);
    expect([world.looks, world.ended]).toEqual([2, ['theirs']]);
    await recovery.close();
  });
});

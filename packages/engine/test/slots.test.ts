import { describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { createConcurrencyLimit, fireSlots } from '../src/firing/slots.ts';

type Deps = Parameters<typeof fireSlots>[0];
type Fire = Parameters<typeof fireSlots>[1];

/** So many claimed slots, each of a trigger of its own or of as many as are given, and a way to fire that waits for the test. */
function world(
  count: number,
  { triggers = count, limit = createConcurrencyLimit({ isShared: false }) } = {},
) {
  const ended: string[] = [];
  const deps = {
    clock: createFakeClock(0),
    logger: createMemoryLogger(),
    store: {
      runs: {
        get: async () => null,
        endUnstarted: async (id: string, outcome: string, reason: string) => {
          ended.push(`${id} ${outcome}: ${reason}`);
          return id;
        },
      },
    },
  } as unknown as Deps;
  const begun: string[] = [];
  const open = new Map<string, { done(): void; fail(): void }>();
  const fire: Fire = ({ claimed }) =>
    new Promise((resolve, reject) => {
      const id = claimed ?? '';
      begun.push(id);
      open.set(id, {
        done: () => resolve({ ok: true } as never),
        fail: () => reject(new Error('No room.')),
      });
    });
  const starting = new Set<string>();
  const fires = Array.from({ length: count }, (_, n) => ({
    key: { project: 'demo', source: 'trigger', name: `t${n % triggers}` } as const,
    runId: `run${n}`,
    scheduledFor: 0,
    lateMs: 0,
    catchUp: false,
  }));
  const closing = new AbortController().signal;
  const all = fireSlots(deps, fire, fires, { closing, isShared: false, starting, limit });
  const settle = async (id: string, how: 'done' | 'fail'): Promise<void> => {
    open.get(id)?.[how]();
    await new Promise(setImmediate);
  };
  return { all, begun, ended, starting, settle };
}

const named = (count: number): string[] => Array.from({ length: count }, (_, n) => `run${n}`);

describe('slots that fall due together', () => {
  it('are started in order, a few at a time', async () => {
    const { all, begun, starting, settle } = world(20);
    expect(begun).toEqual(named(4));
    expect([...starting]).toEqual(named(20));
    for (const id of named(20)) await settle(id, 'done');
    await all;
    expect(begun).toEqual(named(20));
    expect(starting.size).toBe(0);
  });

  it('do not wait for one of them that takes long', async () => {
    const { all, begun, starting, settle } = world(20);
    for (const id of named(20).slice(1)) await settle(id, 'done');
    expect(begun).toEqual(named(20));
    expect([...starting]).toEqual(['run0']);
    await settle('run0', 'done');
    await all;
  });

  it('are started one after the other where they are of one trigger', async () => {
    const { all, begun, settle } = world(4, { triggers: 2 });
    expect(begun).toEqual(['run0', 'run1']);
    await settle('run1', 'done');
    expect(begun).toEqual(['run0', 'run1', 'run3']);
    await settle('run3', 'done');
    await settle('run0', 'fail');
    expect(begun).toEqual(['run0', 'run1', 'run3', 'run2']);
    await settle('run2', 'done');
    await all;
  });

  it('are started even when another one cannot be started', async () => {
    const { all, begun, ended, settle } = world(10);
    await settle('run0', 'fail');
    for (const id of named(10).slice(1)) await settle(id, 'done');
    await all;
    expect(begun).toEqual(named(10));
    expect(ended).toEqual(['run0 failed: It could not be started: No room.']);
  });

  it('share what is started at a time with those of the same moment, and wait for none of them', async () => {
    const limit = createConcurrencyLimit({ isShared: false });
    const first = world(9, { limit });
    const second = world(9, { limit });
    expect([first.begun, second.begun]).toEqual([named(4), named(1)]);
    for (const id of named(9)) await second.settle(id, 'done');
    await second.all;
    for (const id of named(9)) await first.settle(id, 'done');
    await first.all;
    expect(limit.acquire()).toBe(4);
  });

  it('are started one at a time where a server writes one after the other', async () => {
    const { begun } = world(9, { limit: createConcurrencyLimit({ isShared: true }) });
    expect(begun).toEqual(named(1));
  });

  it('may be fewer than are started at a time, or none', async () => {
    const { all, begun, settle } = world(2);
    expect(begun).toEqual(named(2));
    await settle('run1', 'done');
    await settle('run0', 'done');
    await all;
    await world(0).all;
  });
});

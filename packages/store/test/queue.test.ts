import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import { createTurnQueue, type TurnQueue } from '@svc/store';

interface Workbench {
  queue: TurnQueue;
  started: string[];
  finish(id: string): Promise<void>;
  reasons: Map<string, unknown>;
  clock: ReturnType<typeof createFakeClock>;
}

function workbench(concurrent = 4, perProject = 2): Workbench {
  const clock = createFakeClock();
  const queue = createTurnQueue({ clock, logger: silentLogger }, { concurrent, perProject });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const reasons = new Map<string, unknown>();
  queue.work(async (id, signal) => {
    started.push(id);
    signal.addEventListener('abort', () => {
      reasons.set(id, signal.reason);
      ends.get(id)?.();
    });
    await new Promise<void>((resolve) => ends.set(id, resolve));
  });
  const finish = async (id: string): Promise<void> => {
    ends.get(id)?.();
    await clock.settle();
  };
  return { queue, started, finish, reasons, clock };
}

const ticket = (id: string, project = 'a', sessionId = id) => ({ id, project, sessionId });

describe('the queue of turns', () => {
  it('keeps the limits of project and instance', async () => {
    const { queue, started, finish } = workbench(3, 2);
    for (const id of ['a1', 'a2', 'a3']) queue.add(ticket(id));
    for (const id of ['b1', 'b2']) queue.add(ticket(id, 'b'));
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await finish('b1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2']);
    await finish('a1');
    expect(started.at(-1)).toBe('a3');
    expect([queue.running, queue.waiting]).toEqual([3, 0]);
  });

  it('runs turns of one session one after the other, in order', async () => {
    const { queue, started, finish } = workbench();
    queue.add(ticket('1', 'a', 's'));
    queue.add(ticket('2', 'a', 's'));
    queue.add(ticket('3', 'a', 'other'));
    expect(started).toEqual(['1', '3']);
    await finish('1');
    expect(started).toEqual(['1', '3', '2']);
  });

  it('does not let a project with a long line starve another', async () => {
    const { queue, started, finish } = workbench(1, 1);
    for (const id of ['a1', 'a2', 'a3']) queue.add(ticket(id));
    queue.add(ticket('b1', 'b'));
    await finish('a1');
    await finish('a2');
    await finish('b1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('takes a waiting turn out and signals a running one', async () => {
    const { queue, started, reasons, clock } = workbench(1, 1);
    queue.add(ticket('1'));
    queue.add(ticket('2'));
    expect(await queue.cancel('2', 'why')).toBe('removed');
    expect(await queue.cancel('1', 'because')).toBe('signalled');
    expect(await queue.cancel('9', 'nothing')).toBe('unknown');
    await clock.settle();
    expect(reasons.get('1')).toBe('because');
    expect(started).toEqual(['1']);
    expect(queue.running).toBe(0);
  });

  it('drains on closing: running turns may end, then they are aborted; nothing new starts', async () => {
    const { queue, started, finish, reasons, clock } = workbench(2, 2);
    for (const id of ['1', '2', '3']) queue.add(ticket(id));
    const closed = queue.close(20_000, 'shutdown');
    await finish('1');
    expect(reasons.size).toBe(0);
    await clock.advance(20_000);
    await closed;
    expect([...reasons]).toEqual([['2', 'shutdown']]);
    expect(started).toEqual(['1', '2']);
    expect(clock.pending).toBe(0);
  });
});

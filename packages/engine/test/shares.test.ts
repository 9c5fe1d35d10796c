import { describe, expect, it } from '@jest/globals';
import { TurnStop } from '@svc/agent-runtime';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { STOP_CODEC } from '@svc/engine';
import { ALONE } from '../src/cluster/members.ts';
import { createShares } from '../src/cluster/shares.ts';

describe('the projects that one of several processes owns', () => {
  // proves: nodes.shares
  it('are armed and disarmed as processes come and go, and retried after a failure', async () => {
    const clock = createFakeClock();
    const own = new Set(['a', 'b']);
    const here = new Set<string>();
    let tell = (): void => {};
    let fails = false;
    const shares = createShares(
      {
        ...{ clock, logger: createMemoryLogger() },
        projects: {
          list: async () => {
            if (fails) throw new Error('The volume is away.');
            return ['a', 'b', 'c', 'd'];
          },
        },
      },
      {
        ...ALONE,
        isShared: true,
        has: (project) => own.has(project),
        subscribe(on) {
          tell = on;
          return () => {};
        },
      },
      {
        here,
        closing: new AbortController().signal,
        arm: async (projects) => {
          for (const project of projects) here.add(project);
        },
        disarm: async (project) => void here.delete(project),
      },
    );
    const stop = shares.start();
    await clock.advance(0);
    expect([...here]).toEqual(['a', 'b']);
    own.delete('a');
    own.add('d');
    fails = true;
    tell();
    await clock.advance(500);
    expect([...here]).toEqual(['b']);
    fails = false;
    await clock.advance(500);
    expect([...here]).toEqual(['b', 'd']);
    await stop();
    own.add('c');
    tell();
    await clock.advance(5000);
    expect([...here]).toEqual(['b', 'd']);
    expect(clock.pending).toBe(0);
  });
});

describe('a stop request sent to another process', () => {
  // proves: nodes.cancel
  it('arrives with its kind and reason, or at least as a cancellation', () => {
    const why = new TurnStop('interrupted', 'The service was shut down.');
    expect(STOP_CODEC.decode(STOP_CODEC.encode(why))).toEqual(why);
    const long = STOP_CODEC.encode(new TurnStop('cancelled', 'é'.repeat(5000)));
    expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(900);
    expect(STOP_CODEC.decode({ stop: 'exploded', reason: 'no' })).toMatchObject({
      kind: 'cancelled',
    });
    expect(STOP_CODEC.requestedBy('user')).toEqual(
      new TurnStop('cancelled', 'Cancelled by a user.'),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { ProjectsError } from '@svc/projects';
import { StoreError } from '@svc/store';
import { parseProject } from '@svc/trigger-schema';
import { createConcurrencyLimit, fireSlots } from '../src/firing/slots.ts';

type Deps = Parameters<typeof fireSlots>[0];

const MINUTE = 60_000;

const parsed = parseProject(`triggers:
  it: { enabled: true, trigger: { type: schedule, interval: 1m }, run: { prompt: x } }
`);

/** A claimed slot of a trigger of every minute, and what fails until the test says. */
function world(fault: Error = new StoreError('unavailable', 'It is away.')) {
  const clock = createFakeClock('2026-03-01T09:00:00.000Z');
  const followers = new Set<(fault: string | null) => void>();
  let isAway = true;
  const recorded: string[] = [];
  const connectivity = {
    fault: null,
    quietMs: 0,
    subscribe(on: (fault: string | null) => void) {
      followers.add(on);
      return () => void followers.delete(on);
    },
  };
  const deps = {
    clock,
    logger: createMemoryLogger(),
    projects: {
      snapshot: async () => ({ slug: 'demo', file: parsed.ok ? parsed.value : null }),
    },
    store: {
      connectivity,
      runs: {
        get: async () => null,
        endUnstarted: async (id: string, outcome: string, reason: string) => {
          recorded.push(`${outcome}: ${reason}`);
          return id;
        },
      },
    },
  } as unknown as Deps;
  const fire = async (): Promise<never> => {
    if (isAway) throw fault;
    recorded.push('fired');
    return { ok: true } as never;
  };
  const key = { project: 'demo', source: 'trigger', name: 'it' } as const;
  const claimed = { key, runId: 'run', scheduledFor: clock.now(), lateMs: 0, catchUp: false };
  const starting = new Set<string>();
  const done = fireSlots(deps, fire, [claimed], {
    ...{ closing: new AbortController().signal, isShared: true, starting },
    limit: createConcurrencyLimit({ isShared: true }),
  });
  const back = async (): Promise<void> => {
    isAway = false;
    for (const follower of followers) follower(null);
    await done;
  };
  return { clock, back, done, recorded, starting, followers };
}

describe('a slot that was claimed before its database went away', () => {
  // proves: nodes.outage-slots
  it('is started at once when that is back within its window', async () => {
    const { clock, back, recorded, starting, followers } = world();
    await clock.advance(MINUTE / 2);
    await back();
    expect([recorded, starting.size, followers.size, clock.pending]).toEqual([['fired'], 0, 0, 0]);
  });

  // proves: nodes.outage-slots
  it('is missed where that comes back too late to make up for it', async () => {
    const { clock, back, recorded } = world();
    await clock.advance(MINUTE);
    await back();
    expect(recorded).toEqual([
      'missed: The database was unavailable for too long to catch up this slot.',
    ]);
  });
});

// proves: nodes.outage-blameless
it('a slot whose project folder cannot be read ends at once, and holds up no other', async () => {
  const { done, recorded, starting, clock } = world(
    new ProjectsError('unavailable', 'The disk fails.'),
  );
  await done;
  expect([recorded, starting.size, clock.pending]).toEqual([
    ['interrupted: It could not be started: The disk fails.'],
    0,
    0,
  ]);
});

import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import type { Store } from '@svc/store';
import fc from 'fast-check';
import { MINUTE, type World, withWorld } from './harness.ts';

const FILE = `triggers:
  first: { trigger: { type: event, on: onArchive }, run: { prompt: "One." }, enabled: true }
  second: { trigger: { type: event, on: onArchive }, run: { prompt: "Two." }, enabled: true }
  keeps: { trigger: { type: event, on: afterTurn }, run: { prompt: "Keep it." }, enabled: true }
  idle: { trigger: { type: event, on: afterTurn }, run: { prompt: "Never." }, enabled: true }
`;

/** The writes in the life of an event, each of which a process can die before and after. */
const WRITES = {
  store: (store: Store) => [store.chats, 'archive'],
  dispatch: (store: Store) => [store.events, 'dispatch'],
  cover: (store: Store) => [store.events, 'cover'],
  claim: (store: Store) => [store.turns, 'open'],
  ask: (store: Store) => [store.turns, 'openAll'],
  start: (store: Store) => [store.turns, 'start'],
  end: (store: Store) => [store.turns, 'end'],
} as const;

type Write = keyof typeof WRITES;

interface Kill {
  readonly at: Write;
  readonly when: 'before' | 'after';
  /** Which of these writes it is, from 0. */
  readonly nth: number;
}

class Killed extends Error {}

/** Has the writes of a store fail from a kill on, as if there were no process any more. */
function plan(store: Store, kill: Kill | undefined): { readonly isDead: boolean } {
  const state = { isDead: false };
  let seen = 0;
  for (const [name, find] of Object.entries(WRITES)) {
    const [of, method] = find(store) as [Record<string, (...args: unknown[]) => unknown>, string];
    const write = of[method]?.bind(of);
    // What begins and ends a turn is tried again and again while it fails: it has to seem done.
    const isInsisted = name === 'start' || name === 'end';
    const isKilled = (): boolean => !state.isDead && name === kill?.at && seen++ === kill.nth;
    of[method] = async (...args) => {
      const isIt = isKilled();
      const mayWrite = !state.isDead && !(isIt && kill?.when === 'before');
      const done = mayWrite ? await write?.(...args) : false;
      if (isIt) state.isDead = true;
      if (state.isDead && !isInsisted) throw new Killed();
      return state.isDead ? false : done;
    };
  }
  return state;
}

/** Lets the agents end their turns, and the process die and come back, until there is nothing left to do. */
async function live(world: World, kills: Kill[], steps: readonly Step[]): Promise<void> {
  let life = plan(world.store, kills.shift());
  const isDone = new Set<unknown>();
  const goOn = async (): Promise<void> => {
    if (life.isDead) {
      await world.restart();
      isDone.clear();
      life = plan(world.store, kills.shift());
    }
    for (const turn of world.runtime.turns) {
      if (isDone.has(turn)) continue;
      isDone.add(turn);
      turn.say('Done.');
      turn.end();
    }
  };
  const isQuiet = async (): Promise<boolean> => {
    await goOn();
    if (life.isDead || (await world.store.nodes.own()).length > 0) return false;
    return (await world.store.turns.queued()).length === 0;
  };
  for (const step of [...steps, 'pause', 'pause'] as const) {
    await act(world, step).catch(() => {});
    await world.until(isQuiet);
  }
  await world.until(async () => {
    await goOn();
    const runs = await world.runs();
    const { events } = await world.store.events.list('demo', { limit: 200 });
    return (
      !life.isDead &&
      [...runs, ...events].every((one) =>
        'dispatchedAt' in one ? one.dispatchedAt !== null : one.state === 'ended',
      )
    );
  });
}

type Step = 'talk' | 'archive' | 'pause';

async function act({ ops, clock }: World, step: Step): Promise<void> {
  if (step === 'pause') await clock.advance(6 * MINUTE);
  else if (step === 'talk') await ops.chats.create(USER, 'demo', { prompt: 'Hello.' });
  else {
    const listed = await ops.chats.list('demo', {});
    const chats = listed.ok ? listed.value.chats.filter(({ trigger }) => trigger === null) : [];
    await ops.chats.archive(USER, 'demo', chats.at(-1)?.sessionId ?? '');
  }
}

async function expectCovered({ store, runs }: World): Promise<void> {
  const { events } = await store.events.list('demo', { limit: 200 });
  const { chats } = await store.chats.list({
    projects: ['demo'],
    includeArchived: true,
    limit: 200,
  });
  const people = chats.filter(({ trigger }) => trigger === null);
  const of = (kind: string) => events.filter(({ event }) => event === kind);
  expect(
    of('onArchive')
      .map(({ sessionId }) => sessionId)
      .sort(),
  ).toEqual(
    people
      .filter(({ archived }) => archived)
      .map(({ sessionId }) => sessionId)
      .sort(),
  );
  for (const { runs: started } of of('onArchive')) {
    expect(started.map(({ trigger }) => trigger)).toEqual(['first', 'second']);
  }
  expect(
    of('afterTurn')
      .map(({ sessionId }) => sessionId)
      .sort(),
  ).toEqual(people.map(({ sessionId }) => sessionId).sort());
  for (const { runs: started } of of('afterTurn')) {
    expect(started.map(({ trigger }) => trigger)).toEqual(['keeps']);
  }
  const dispatched = new Set(events.flatMap((event) => event.runs.map(({ id }) => id)));
  const all = await runs();
  expect(new Set(all.map(({ id }) => id))).toEqual(dispatched);
  expect(all.every(({ outcome }) => outcome === 'succeeded' || outcome === 'interrupted')).toBe(
    true,
  );
}

const USUAL: readonly Step[] = ['talk', 'talk', 'archive', 'pause', 'archive', 'talk'];

describe('the life of an event', () => {
  const places = (Object.keys(WRITES) as Write[]).flatMap((at) =>
    (['before', 'after'] as const).map((when) => [when, at] as const),
  );
  // proves: events.kill, events.cover
  it.each(places)('outlives a kill %s: %s', (when, at) =>
    withWorld(FILE, async (world) => {
      await live(
        world,
        [0, 1, 2].map((nth) => ({ at, when, nth })),
        USUAL,
      );
      await expectCovered(world);
    }),
  );

  // proves: events.kill, events.cover
  it('outlives any kills among any deeds', async () => {
    const step = fc.constantFrom<Step>('talk', 'archive', 'pause');
    const kill = fc.record({
      at: fc.constantFrom(...(Object.keys(WRITES) as Write[])),
      when: fc.constantFrom('before' as const, 'after' as const),
      nth: fc.nat({ max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(kill, { maxLength: 4 }),
        (steps, kills) =>
          withWorld(FILE, async (world) => {
            await live(world, [...kills], ['talk', ...steps]);
            await expectCovered(world);
          }),
      ),
      { numRuns: 12 },
    );
  });
});

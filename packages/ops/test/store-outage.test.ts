import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import { StoreError } from '@svc/store';
import { MINUTE, scheduled, type World, withWorld } from './harness.ts';

const PAUSING = `${scheduled()}    policy: { pauseAfterFailures: 1 }\n`;
const AWAY = 'The database does not answer.';

/** Lets the named calls of a store fail, as those of a server that is down, until the returned function is called. */
function takeAway<N extends 'turns' | 'chats'>(
  store: World['store'],
  noun: N,
  ...names: readonly (keyof World['store'][N])[]
): () => void {
  const whole = { ...store[noun] };
  for (const name of names) {
    Object.assign(store[noun], { [name]: async () => Promise.reject(away()) });
  }
  return () => void Object.assign(store[noun], whole);
}

const INTERRUPTED = {
  outcome: 'interrupted',
  reason: `The service could not continue it: ${AWAY}`,
};

const away = () => new StoreError('unavailable', AWAY);

const ended = ({ until, clock, runs }: World) =>
  until(async () => {
    await clock.advance(1000);
    return (await runs()).find(({ state }) => state === 'ended');
  });

const isPaused = async ({ store }: World): Promise<boolean> => {
  const key = { project: 'demo', source: 'trigger', name: 'nightly' } as const;
  return (await store.pausing.of(key)) !== null;
};

describe('a turn during whose work the database is unavailable', () => {
  // proves: nodes.outage-blameless
  it('ends as its agent ended it, with all that was said, once that is back', () =>
    withWorld(PAUSING, async (world) => {
      const { ops, clock, runtime, store, until } = world;
      await clock.advance(MINUTE);
      const turn = await until(() => runtime.turns[0]);
      const back = takeAway(store, 'turns', 'append', 'end');
      turn.say('Kept.');
      await clock.advance(1000);
      turn.say('Kept too.');
      turn.end();
      for (let n = 0; n < 18; n += 1) await clock.advance(1000);
      back();
      const run = await ended(world);
      expect(run).toMatchObject({ outcome: 'succeeded', reason: null });
      const chat = await ops.chats.get('demo', run.sessionId ?? '', {});
      const said = chat.ok ? chat.value.messages.map(({ text }) => text) : [];
      expect(said.slice(-2)).toEqual(['Kept.', 'Kept too.']);
      expect(await isPaused(world)).toBe(false);
    }));

  // proves: nodes.outage-blameless
  it('keeps what was said where it was cancelled meanwhile', () =>
    withWorld(PAUSING, async (world) => {
      const { ops, clock, runtime, store, until } = world;
      await clock.advance(MINUTE);
      const turn = await until(() => runtime.turns[0]);
      const back = takeAway(store, 'turns', 'append', 'end');
      turn.say('Kept.');
      await clock.advance(1000);
      await ops.runs.cancel(USER, 'demo', turn.spec.runId ?? '');
      for (let n = 0; n < 18; n += 1) await clock.advance(1000);
      back();
      const run = await ended(world);
      expect(run.outcome).toBe('cancelled');
      const chat = await ops.chats.get('demo', run.sessionId ?? '', {});
      expect(chat.ok && chat.value.messages.some(({ text }) => text === 'Kept.')).toBe(true);
    }));

  // proves: nodes.outage-blameless
  it('is interrupted, and pauses nothing, where it runs out of time while it waits for that', () =>
    withWorld(PAUSING.replace('run: { prompt: "Do it."', '$&, timeout: 5s'), async (world) => {
      const { clock, runtime, store, until } = world;
      await clock.advance(MINUTE);
      const turn = await until(() => runtime.turns[0]);
      const back = takeAway(store, 'turns', 'used');
      const counted = turn.cost(1).catch(() => {});
      for (let n = 0; n < 30; n += 1) await clock.advance(1000);
      await counted;
      back();
      expect(await ended(world)).toMatchObject(INTERRUPTED);
      expect(await isPaused(world)).toBe(false);
    }));

  // proves: nodes.outage-blameless
  it.each([
    ['interrupted where it fails for an operation that needs that', false, INTERRUPTED],
    ['failed where it fails after one that worked', true, { outcome: 'failed', reason: 'No.' }],
  ])('is %s', (_, isBack, end) =>
    withWorld(
      PAUSING,
      async (world) => {
        const { clock, runtime, store, until } = world;
        await clock.advance(MINUTE);
        const turn = await until(() => runtime.turns[0]);
        const list = () =>
          turn.spec.toolset?.call('mcp__svc_manage__list_chats', {}, new AbortController().signal);
        const back = takeAway(store, 'chats', 'list');
        const { ping } = store;
        store.ping = () => Promise.reject(away());
        expect(await list()).toEqual({ text: AWAY, isError: true });
        store.ping = ping;
        back();
        if (isBack) expect(await list()).toMatchObject({ isError: false });
        turn.end('failed', 'No.');
        expect(await ended(world)).toMatchObject(end);
        expect(await isPaused(world)).toBe(isBack);
      },
      { gates: { read: true, write: false, projects: false, hooks: false } },
    ),
  );
});

import { renameSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Caller, USER } from '@svc/ops';
import { MINUTE, T0, type World, withWorld } from './harness.ts';

const hook = (name: string, extra = ''): string => `  ${name}:
    trigger: { type: event, on: onArchive }
    run: { prompt: "Look at ${name}." }
    enabled: true${extra}
`;
const HOOKED = `triggers:\n${hook('first')}${hook('second')}`;
const CURATED = `triggers:
  keeps:
    trigger: { type: event, on: afterTurn }
    run: { prompt: "Keep it true." }
    enabled: true
`;

async function chat({ ops, runtime, until }: World, caller: Caller = USER): Promise<string> {
  const before = runtime.turns.length;
  const made = await ops.chats.create(caller, 'demo', { prompt: 'Hello.' });
  if (!made.ok) throw new Error(made.error.message);
  const turn = await until(() => runtime.turns[before]);
  turn.say('Hi.');
  turn.end();
  await until(async () => (await ops.chats.get('demo', made.value.sessionId, {})).ok);
  return made.value.sessionId;
}

const archive = ({ ops }: World, sessionId: string, caller: Caller = USER) =>
  ops.chats.archive(caller, 'demo', sessionId);

const byEvent = async (world: World) =>
  (await world.runs()).filter(({ cause }) => cause === 'event').reverse();

const waitingEvents = ({ store }: World) => store.events.backlog('onArchive', 'demo');

describe('a chat that is archived', () => {
  // proves: events.on-archive, events.on-archive.each
  it('starts each enabled hook once, with the event as data', () =>
    withWorld(`${HOOKED}${hook('off').replace('true', 'false')}`, async (world) => {
      const sessionId = await chat(world);
      await archive(world, sessionId);
      await world.until(async () => (await byEvent(world)).length === 2);
      const turns = await world.until(
        () => world.runtime.turns.length === 3 && world.runtime.turns,
      );
      expect(turns[1]?.spec.prompt).toEqual({
        author: 'Look at first.',
        data: {
          event: 'onArchive',
          project: 'demo',
          data: {
            chat: {
              sessionId,
              name: 'Hello.',
              archivedAt: new Date(T0).toISOString(),
              archivedBy: 'user',
              messages: 4,
            },
          },
        },
      });
      expect(await byEvent(world)).toMatchObject([
        { trigger: 'first', cause: 'event', by: null, scheduledFor: null },
        { trigger: 'second', cause: 'event' },
      ]);
      await archive(world, sessionId);
      for (const turn of turns) turn.end();
      await world.until(async () =>
        (await byEvent(world)).every(({ outcome }) => outcome !== null),
      );
      expect(await byEvent(world)).toHaveLength(2);
    }));

  // proves: events.list
  it('is listed with its runs, as is the end of a turn', () =>
    withWorld(`${HOOKED}${CURATED.replace('triggers:\n', '')}`, async (world) => {
      const sessionId = await chat(world);
      await archive(world, sessionId);
      await world.until(async () => (await byEvent(world)).length === 2);
      const [first, second] = await byEvent(world);
      const runs = [first, second].map((run) => ({ id: run?.id, trigger: run?.trigger }));
      const listed = await world.ops.events('demo');
      expect(listed).toMatchObject({
        value: {
          events: [
            { event: 'onArchive', sessionId, chat: 'Hello.', by: 'user', turnId: null, runs },
            { event: 'afterTurn', sessionId, by: null, dispatchedAt: null, runs: [] },
          ],
          next: null,
        },
      });
      expect(first?.eventId).toBe(listed.ok ? listed.value.events[0]?.id : '');
      expect(second?.eventId).toBe(first?.eventId);
      await world.clock.advance(5 * MINUTE);
      await world.until(async () => (await byEvent(world)).length === 3);
      const ids = listed.ok ? listed.value.events.map(({ id }) => id) : [];
      expect(await world.ops.events('demo', { id: ids.slice(1) })).toMatchObject({
        value: { events: [{ id: ids[1] }], next: null },
      });
      const [newest] = await world.runs();
      expect(await world.ops.events('demo', { event: 'afterTurn', limit: 1 })).toMatchObject({
        value: { events: [{ runs: [{ id: newest?.id, trigger: 'keeps' }] }] },
      });
    }));

  it('is published as a change again when nothing was waiting for it', () =>
    withWorld('name: Demo', async (world) => {
      const sessionId = await chat(world);
      await world.until(
        async () => (await world.store.events.backlog('afterTurn', 'demo')) === null,
      );
      const published: (string | null)[] = [];
      const end = world.ops.changes.subscribe(null, (item) => {
        if (!('reset' in item) && item.kind === 'event') published.push(item.kind);
      });
      await archive(world, sessionId);
      await world.until(async () => published.length === 2);
      end();
      expect(await waitingEvents(world)).toBeNull();
    }));

  // proves: events.order
  it('has the runs of a hook wait for each other, in the order of what happened', () =>
    withWorld(`triggers:\n${hook('first')}`, async (world) => {
      const chats = [await chat(world), await chat(world), await chat(world)];
      for (const sessionId of chats) await archive(world, sessionId);
      const seen: unknown[] = [];
      for (const n of [3, 4, 5]) {
        const turn = await world.until(() => world.runtime.turns[n]);
        expect(world.runtime.turns).toHaveLength(n + 1);
        seen.push(turn.spec.prompt.data?.data['chat']);
        turn.end();
      }
      expect(seen).toMatchObject(chats.map((sessionId) => ({ sessionId })));
      await world.until(async () =>
        (await byEvent(world)).every(({ outcome }) => outcome === 'succeeded'),
      );
    }));

  // proves: events.overlap
  it('has them skipped where the policy says so', () =>
    withWorld(`triggers:\n${hook('first', '\n    policy: { overlap: skip }')}`, async (world) => {
      const chats = [await chat(world), await chat(world)];
      await archive(world, chats[0] ?? '');
      const turn = await world.until(() => world.runtime.turns[2]);
      await archive(world, chats[1] ?? '');
      await world.until(async () => (await byEvent(world))[1]?.outcome === 'skipped_overlap');
      turn.end();
    }));

  // proves: overlap.allow
  it('has them start beside each other where the policy says so', () =>
    withWorld(`triggers:\n${hook('first', '\n    policy: { overlap: allow }')}`, async (world) => {
      const chats = [await chat(world), await chat(world)];
      for (const turn of world.runtime.turns) turn.end();
      for (const sessionId of chats) await archive(world, sessionId);
      await world.until(() => world.runtime.turns.length === 4);
      expect((await byEvent(world)).map(({ outcome }) => outcome)).toEqual([null, null]);
    }));

  // proves: events.loops
  it('starts nothing where a turn that an event has started did it, or one that such a turn has started', () =>
    withWorld(`triggers:\n${hook('first')}`, async (world) => {
      const chats = [await chat(world), await chat(world)];
      await archive(world, chats[0] ?? '');
      const turn = await world.until(() => world.runtime.turns[2]);
      const agent: Caller = { ...USER, turnId: turn.spec.turnId, depth: 0, spawnLimit: 3 };
      expect((await archive(world, chats[1] ?? '', agent)).ok).toBe(true);
      const child = await chat(world, agent);
      const childTurn = world.runtime.turns[3]?.spec.turnId ?? '';
      await archive(world, child, { ...agent, turnId: childTurn });
      turn.end();
      await world.until(async () => (await byEvent(world))[0]?.outcome === 'succeeded');
      expect(await waitingEvents(world)).toBeNull();
      expect(await byEvent(world)).toHaveLength(1);
      await world.ops.chats.unarchive('demo', child);
      await archive(world, child);
      await world.until(async () => (await byEvent(world)).length === 2);
    }));

  // proves: events.archive.safe
  it('stays archived when its hooks fail', () =>
    withWorld(
      `triggers:\n${hook('first').replace('prompt: "Look at first."', 'promptFile: gone.md')}`,
      async (world) => {
        const chats = [await chat(world), await chat(world)];
        for (const sessionId of chats) expect((await archive(world, sessionId)).ok).toBe(true);
        await world.until(async () => (await byEvent(world)).length === 2);
        await world.until(async () =>
          (await byEvent(world)).every(({ outcome }) => outcome === 'failed'),
        );
        expect((await byEvent(world))[0]?.reason).toContain('gone.md');
      },
    ));

  // proves: events.unreadable
  it('starts the hooks of the last good version where the file cannot be read', () =>
    withWorld(`triggers:\n${hook('first')}`, async (world) => {
      const sessionId = await chat(world);
      world.write('demo/project.yaml', 'triggers: [');
      await archive(world, sessionId);
      await world.until(() => world.runtime.turns[1]);
    }));

  // proves: events.away
  it.each([
    ['is back in time', 30, 1],
    ['is gone for an hour', 61, 0],
  ])('waits while the folder is away, and starts its hook where it %s', (_, minutes, runs) =>
    withWorld(`triggers:\n${hook('first')}`, async (world) => {
      const sessionId = await chat(world);
      const away = `${world.root}/../away`;
      world.store.events.waiting = async () => [];
      await archive(world, sessionId);
      renameSync(`${world.root}/demo`, away);
      await world.restart();
      await world.clock.advance(minutes * MINUTE);
      await world.until(async () => ((await waitingEvents(world)) === null) === (runs === 0));
      renameSync(away, `${world.root}/demo`);
      await world.clock.advance(2 * MINUTE);
      if (runs > 0) await world.until(() => world.runtime.turns[0]);
      expect(await byEvent(world)).toHaveLength(runs);
    }),
  );

  // proves: events.unreadable
  it('waits where no version of the file could ever be read', () =>
    withWorld(`triggers:\n${hook('first')}`, async (world) => {
      const sessionId = await chat(world);
      await world.restart({ edit: () => world.write('demo/project.yaml', 'triggers: [') });
      await archive(world, sessionId);
      await world.clock.advance(MINUTE);
      expect(await waitingEvents(world)).toMatchObject({ count: 1 });
      world.write('demo/project.yaml', `triggers:\n${hook('first')}`);
      await world.clock.advance(MINUTE);
      await world.until(() => world.runtime.turns[0]);
      expect(await byEvent(world)).toHaveLength(1);
    }));

  it.each([
    ['a schedule', 'type: schedule, interval: 1d'],
    ['a curator', 'type: event, on: afterTurn'],
  ])('fires no trigger that has become %s meanwhile', (_, trigger) =>
    withWorld(`triggers:\n${hook('first')}`, async (world) => {
      const chats = [await chat(world), await chat(world)];
      for (const sessionId of chats) await archive(world, sessionId);
      const turn = await world.until(() => world.runtime.turns[2]);
      await world.until(async () => (await byEvent(world)).length === 2);
      const changed = hook('first').replace('type: event, on: onArchive', trigger);
      world.write('demo/project.yaml', `triggers:\n${changed}`);
      turn.end();
      await world.until(
        async () => (await byEvent(world))[1]?.state === 'ended' || world.runtime.turns[3],
      );
      expect((await byEvent(world))[1]).toMatchObject({
        outcome: 'cancelled',
        reason: 'The trigger was changed and no longer fires on this event.',
      });
      expect(world.runtime.turns).toHaveLength(3);
    }),
  );
});

describe('after a kill', () => {
  // proves: events.kill
  it('between an archive and its dispatch, the hook starts', () =>
    withWorld(`triggers:\n${hook('first')}`, async (world) => {
      const sessionId = await chat(world);
      world.store.events.waiting = async () => [];
      await archive(world, sessionId);
      await world.restart();
      await world.until(() => world.runtime.turns[0]);
      expect(await byEvent(world)).toHaveLength(1);
    }));

  // proves: events.kill
  it('between dispatch and start, the hook starts', () =>
    withWorld(HOOKED, async (world) => {
      const sessionId = await chat(world);
      world.store.turns.open = async () => {
        throw new Error('killed');
      };
      await archive(world, sessionId);
      await world.until(async () => (await byEvent(world)).length === 2);
      await world.restart();
      await world.until(() => world.runtime.turns.length === 2);
      expect(await byEvent(world)).toHaveLength(2);
    }));
});

describe('a curator', () => {
  // proves: events.after-turn, events.after-turn.debounce
  it('runs once for all turns of people since the last, when they have paused', () =>
    withWorld(CURATED, async (world) => {
      await chat(world);
      await world.clock.advance(4 * MINUTE);
      await chat(world);
      await world.clock.advance(4 * MINUTE);
      expect(await byEvent(world)).toEqual([]);
      await world.clock.advance(MINUTE);
      const turn = await world.until(() => world.runtime.turns[2]);
      expect(turn.spec.prompt.data?.event).toBe('afterTurn');
      turn.end();
      await world.until(async () => (await byEvent(world))[0]?.outcome === 'succeeded');
      await world.clock.advance(60 * MINUTE);
      expect(await byEvent(world)).toHaveLength(1);
      await chat(world);
      await world.clock.advance(5 * MINUTE);
      await world.until(() => world.runtime.turns[4]);
    }));

  it('does not wait for ever', () =>
    withWorld(CURATED, async (world) => {
      for (let n = 0; n < 8; n += 1) {
        await chat(world);
        await world.clock.advance(4 * MINUTE);
      }
      await world.until(async () => (await byEvent(world)).length === 1);
    }));

  // proves: events.after-turn.durable
  it('runs after a restart for turns before it', () =>
    withWorld(CURATED, async (world) => {
      await chat(world);
      await world.restart({ afterMs: 2 * MINUTE });
      expect(await byEvent(world)).toEqual([]);
      await world.clock.advance(3 * MINUTE);
      await world.until(async () => (await byEvent(world)).length === 1);
    }));

  // proves: events.after-turn.whose
  it('runs neither after turns of triggers nor after those of agents', () =>
    withWorld(CURATED, async (world) => {
      const agent: Caller = { ...USER, turnId: 'someone', depth: 0, spawnLimit: 3 };
      await chat(world, agent);
      await world.clock.advance(10 * MINUTE);
      expect(await world.store.events.backlog('afterTurn', 'demo')).toBeNull();
      expect(await byEvent(world)).toEqual([]);
    }));

  // proves: events.after-turn.now
  it('is started by hand with the turns that wait, which it makes up for; then with the newest', () =>
    withWorld(CURATED, async (world) => {
      const sessionId = await chat(world);
      const ran = await world.ops.triggers.run(USER, 'demo', 'keeps');
      const turn = await world.until(() => world.runtime.turns[1]);
      expect(turn.spec.prompt.data?.data).toMatchObject({ turns: 1, chats: [{ sessionId }] });
      turn.end();
      const run = await world.until(async () =>
        (await world.runs()).find(({ state }) => state === 'ended'),
      );
      expect(run).toMatchObject({ id: ran.ok ? ran.value.runId : '', cause: 'manual', by: 'user' });
      await world.clock.advance(10 * MINUTE);
      expect(await byEvent(world)).toEqual([]);
      await world.ops.triggers.run(USER, 'demo', 'keeps');
      const again = await world.until(() => world.runtime.turns[2]);
      expect(again.spec.prompt.data?.data).toMatchObject({ turns: 1, chats: [{ sessionId }] });
      again.end();
    }));

  // proves: events.after-turn.now
  it('is not started again by a restart when a user has started it', () =>
    withWorld(CURATED, async (world) => {
      await chat(world);
      world.store.turns.open = async () => {
        throw new Error('killed');
      };
      world.store.runs.endUnstarted = world.store.turns.open as never;
      expect((await world.ops.triggers.run(USER, 'demo', 'keeps')).ok).toBe(false);
      await world.restart();
      const [run] = await world.runs();
      expect(run).toMatchObject({ cause: 'manual', outcome: 'interrupted' });
      expect(world.runtime.turns).toEqual([]);
    }));
});

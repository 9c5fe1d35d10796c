import { describe, expect, it } from '@jest/globals';
import type { TurnEnd } from '@svc/agent-runtime';
import { USER } from '@svc/ops';
import { MINUTE, scheduled, type World, withWorld } from './harness.ts';

const GUARDED = `${scheduled()}    policy: { pauseAfterFailures: 1, overlap: allow }\n`;
const HOOKS = { read: true, write: true, projects: false, hooks: true };

async function isPaused({ ops }: World): Promise<boolean | undefined> {
  const states = await ops.triggers.runtime('demo');
  return states.ok ? states.value[0]?.paused : undefined;
}

async function starts(world: World, nth: number): Promise<World['runtime']['turns'][number]> {
  await world.clock.advance(MINUTE);
  return world.until(() => world.runtime.turns[nth]);
}

async function ends(
  world: World,
  turn: World['runtime']['turns'][number],
  outcome: TurnEnd['outcome'],
): Promise<void> {
  turn.end(outcome, outcome === 'succeeded' ? null : 'No.');
  await world.until(async () =>
    (await world.runs()).some(({ id, state }) => id === turn.spec.runId && state === 'ended'),
  );
}

async function edit(world: World, file: string): Promise<void> {
  world.write('demo/project.yaml', file);
  await world.ops.projects.health('demo');
}

describe('a trigger that is paused after failures', () => {
  // proves: pausing.failures.goes-on
  it('stays paused when its entry becomes invalid and is then restored', () =>
    withWorld(GUARDED, async (world) => {
      await ends(world, await starts(world, 0), 'failed');
      expect(await isPaused(world)).toBe(true);
      await edit(world, GUARDED.replace('* * * * *', '* * * *'));
      await world.until(async () => (await isPaused(world)) === undefined);
      await edit(world, GUARDED);
      await world.until(async () => (await isPaused(world)) !== undefined);
      expect(await isPaused(world)).toBe(true);
    }));

  // proves: pausing.failures.goes-on
  it('stays so when a run of an earlier definition succeeds', () =>
    withWorld(GUARDED, async (world) => {
      const earlier = await starts(world, 0);
      await edit(world, GUARDED.replace('Do it.', 'Do it worse.'));
      await ends(world, await starts(world, 1), 'failed');
      expect(await isPaused(world)).toBe(true);
      await ends(world, earlier, 'succeeded');
      expect(await isPaused(world)).toBe(true);
    }));
});

describe('everything that is paused', () => {
  // proves: pausing.all.left
  it('lets nothing start that waits and that an ended turn of a trigger has left behind', () =>
    withWorld(
      scheduled(),
      async (world) => {
        const fired = await starts(world, 0);
        const { toolset } = fired.spec;
        const call = (prompt: string) =>
          toolset?.call(
            'mcp__svc_manage__create_chat',
            { prompt, name: prompt },
            new AbortController().signal,
          );
        for (const prompt of ['a', 'b', 'c']) await call(prompt);
        const first = await world.until(() => world.runtime.turns[1]);
        await world.ops.chats.create(USER, 'demo', { prompt: 'mine' });
        await ends(world, fired, 'succeeded');
        const second = await world.until(() => world.runtime.turns[2]);
        await world.ops.pause({ reason: 'Stop.' });
        first.end();
        second.end();
        const third = await world.until(() => world.runtime.turns[3]);
        expect(third.spec.prompt.author).toBe('mine');
        expect(world.ops.load()).toMatchObject({ queued: 0, running: 1 });
      },
      { gates: HOOKS },
    ));
});

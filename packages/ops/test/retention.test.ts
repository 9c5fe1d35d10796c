import { describe, expect, it } from '@jest/globals';
import { isoTime } from '@svc/core';
import { USER } from '@svc/ops';
import { MINUTE, scheduled, T0, type World, withWorld } from './harness.ts';

const signal = new AbortController().signal;
const DAY = 24 * 60 * MINUTE;
const KEEPS_TWO = { retention: { runs: 2, ageMs: null } };

async function fired({ clock, runtime, runs, until }: World, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const before = runtime.turns.length;
    await clock.advance(MINUTE);
    (await until(() => runtime.turns[before])).end();
    await until(async () => (await runs()).every(({ state }) => state === 'ended'));
  }
}

/** Lets time pass until only so many runs are left. */
const left = ({ clock, runs, until }: World, count: number) =>
  until(async () => {
    await clock.advance(100);
    const found = await runs();
    return found.length === count ? found : null;
  });

describe('retention', () => {
  // proves: retention.begins
  it('begins within a minute of a start, and repeats periodically', () =>
    withWorld(
      scheduled(),
      async (world) => {
        await fired(world, 5);
        await world.restart();
        const from = world.clock.mono();
        await left(world, 2);
        expect(world.clock.mono() - from).toBeLessThan(MINUTE);
        const line = await world.until(async () => {
          await world.clock.advance(100);
          return world.logger.lines.find(({ message }) => message === 'old runs removed');
        });
        expect(line).toMatchObject({ level: 'info', fields: { runs: 3, chats: 3 } });
        await fired(world, 12);
        await world.until(async () => {
          await world.clock.advance(100);
          return ((await world.store.retention.pruned('demo'))?.count ?? 0) >= 12;
        });
      },
      KEEPS_TWO,
    ));

  // proves: why.retention
  it('takes old changes too, and why says that what was before is not kept', () =>
    withWorld(
      scheduled().replace('* * * * *', '0 3 1 * *'),
      async (world) => {
        const first = world.clock.now();
        await world.clock.advance(20 * MINUTE);
        const changed = world.read('demo/project.yaml').replace('0 3 1 * *', '0 4 1 * *');
        world.write('demo/project.yaml', changed);
        const key = { project: 'demo', source: 'trigger', name: 'nightly' } as const;
        const kinds = async () => (await world.store.changes.of(key)).map(({ kind }) => kind);
        await world.until(async () => (await kinds()).includes('changed'));
        await world.clock.advance(20 * MINUTE);
        await world.restart();
        await world.until(async () => {
          await world.clock.advance(100);
          return !(await kinds()).includes('defined');
        });
        const asked = { project: 'demo', name: 'nightly', at: isoTime(first + 30_000) };
        const answer = await world.ops.operations.call(USER, 'why_trigger', asked, { signal });
        expect(answer).toMatchObject({
          value: {
            decision: 'not_recorded',
            sentences: [expect.stringMatching(/^No records from before .*retention/)],
          },
        });
      },
      { retention: { runs: null, ageMs: 10 * MINUTE } },
    ));

  it('keeps everything by default', () =>
    withWorld(scheduled(), async (world) => {
      await fired(world, 5);
      await world.restart();
      await world.clock.advance(30_000);
      expect(await world.runs()).toHaveLength(5);
    }));

  it('says of a run that it was removed only where that may be', () =>
    withWorld(
      scheduled(),
      async (world) => {
        await fired(world, 4);
        const [newest, , , oldest] = await world.runs();
        await world.restart();
        await left(world, 2);
        const read = (id: string | undefined) => world.ops.runs.get('demo', id ?? '');
        expect(await read(oldest?.id)).toMatchObject({
          error: {
            code: 'not_found',
            message: expect.stringContaining('removed by retention'),
            pruned: true,
          },
        });
        expect((await read(newest?.id)).ok).toBe(true);
        const late = `ffffffff${newest?.id.slice(8)}`;
        expect(await read(late)).toMatchObject({
          error: { code: 'not_found', message: 'There is no such run.' },
        });
        expect(await read(late)).not.toMatchObject({ error: { pruned: true } });
      },
      KEEPS_TWO,
    ));

  it('lets the last failure of a trigger go that is gone, once it is too old', () =>
    withWorld(
      scheduled().replace('* * * * *', '1 9 * * *'),
      async (world) => {
        await world.clock.advance(MINUTE);
        (await world.until(() => world.runtime.turns[0])).end('failed', 'It broke.');
        await world.until(async () => (await world.runs())[0]?.outcome === 'failed');
        // Ids are of the machine's clock, whatever this one shows.
        world.clock.suspend(Math.max(0, Date.now() - T0) + 2 * DAY);
        await world.restart();
        await world.clock.advance(60_000);
        expect((await world.runs()).some(({ outcome }) => outcome === 'failed')).toBe(true);
        await world.restart({ edit: () => world.write('demo/project.yaml', 'name: Demo\n') });
        await world.until(async () => {
          await world.clock.advance(100);
          return (await world.runs()).every(({ outcome }) => outcome !== 'failed');
        });
      },
      { retention: { runs: 1000, ageMs: DAY } },
    ));
});

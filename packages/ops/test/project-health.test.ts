import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isoTime, newId } from '@svc/core';
import { USER } from '@svc/ops';
import { armedHash } from './armed.ts';
import { MINUTE, scheduled, T0, type World, withWorld } from './harness.ts';

const FILE = `triggers:
  report: { trigger: { type: schedule, cron: "0 3 * * *", timezone: UTC }, run: { prompt: x }, enabled: true }
  off: { trigger: { type: schedule, cron: "0 2 * * *", timezone: UTC }, run: { prompt: x } }
  hook: { trigger: { type: event, on: onArchive }, run: { prompt: x }, enabled: true }
  broken: { trigger: { type: schedule, cron: "0 3 * *" }, run: { prompt: x }, enabled: true }
schedules:
  old: { type: interval, interval: 1h, prompt: x, enabled: true }
`;

const UNREADY = `triggers:
  gone: { trigger: { type: schedule, interval: 1h }, run: { promptFile: gone.md }, enabled: true }
  unreadable: { trigger: { type: schedule, interval: 1h }, run: { promptFile: loop/file.md }, enabled: true }
  off: { trigger: { type: schedule, interval: 1h }, run: { promptFile: gone.md }, enabled: false }
  hook: { trigger: { type: event, on: onArchive }, run: { prompt: x }, enabled: true }
  fine: { trigger: { type: schedule, interval: 1h }, run: { prompt: x }, enabled: true }
schedules:
  old: { type: interval, interval: 1h, promptFile: old.md, enabled: true }
`;

const NEEDY = `triggers:
  gone: { trigger: { type: schedule, interval: 1h }, run: { promptFile: gone.md }, enabled: true }
  hook: { trigger: { type: webhook }, run: { prompt: x }, enabled: true }
  off: { trigger: { type: webhook }, run: { prompt: x } }
  cron: { trigger: { type: schedule, cron: "x" }, run: { prompt: x } }
  never: { trigger: { type: schedule, cron: "0 0 30 2 *" }, run: { prompt: x }, enabled: true }
schedules:
  old: { type: interval, interval: 1h, enabled: true }
  fine: { type: interval, interval: 1h, prompt: x, enabled: true }
`;

const CALM = {
  total: 4,
  needYou: 1,
  legacyNeedYou: 0,
  failing: 0,
  invalid: 1,
  paused: 0,
  unready: 0,
  limited: 0,
  silent: 0,
  running: 0,
  missed24h: 0,
  armed: 3,
  nextFire: '2026-03-01T10:00:00.000Z',
};

async function fire(
  { ops, runtime, until, runs }: World,
  name: string,
  outcome: 'failed' | 'succeeded',
) {
  const before = runtime.turns.length;
  const fired = await ops.triggers.run(USER, 'demo', name);
  if (!fired.ok) throw new Error(fired.error.message);
  const turn = await until(() => runtime.turns[before]);
  const during = await ops.projects.health('demo');
  turn.end(outcome);
  await until(async () => (await runs())[0]?.state === 'ended');
  return during;
}

describe('the health of a project', () => {
  it('counts what is invalid and armed, also of legacy schedules, and reports the next fire', () =>
    withWorld(FILE, async ({ ops, write }) => {
      expect(await ops.projects.health('demo')).toEqual(CALM);
      write('other/project.yaml', 'triggers: {}\n');
      expect(await ops.projects.health('other')).toMatchObject({ armed: 0, nextFire: null });
      write('demo/project.yaml', `${FILE}  "`);
      expect(await ops.projects.health('demo')).toMatchObject({
        ...{ total: 4, needYou: 1, invalid: 2, armed: 3 },
      });
    }));

  // proves: reads.triggers.problem
  it('counts enabled triggers whose prompt file would make them fail, which lists report too', () =>
    withWorld(UNREADY, async ({ ops, write, root }) => {
      write('demo/.svc/triggers/other.md', 'x');
      symlinkSync('loop', join(root, 'demo/.svc/triggers/loop'));
      const problems = async () => {
        const listed = await ops.triggers.list('demo');
        if (!listed.ok) return [];
        const { triggers, legacySchedules } = listed.value;
        return [...triggers, ...legacySchedules].map(({ name, problem }) => [name, problem]);
      };
      const problemOf = (file: string, fault: string) =>
        expect.stringMatching(new RegExp(`promptFile names ${file}, which ${fault}`));
      expect(await ops.projects.health('demo')).toMatchObject({
        ...{ unready: 3, armed: 5, total: 5, needYou: 2, legacyNeedYou: 1 },
      });
      expect(await problems()).toEqual([
        ['gone', problemOf('.svc/triggers/gone.md', 'does not exist')],
        ['unreadable', problemOf('.svc/triggers/loop/file.md', 'cannot be read')],
        ['off', undefined],
        ['hook', undefined],
        ['fine', undefined],
        ['old', problemOf('.svc/schedules/old.md', 'does not exist')],
      ]);
      write('demo/.svc/triggers/gone.md', 'Report.');
      write('demo/.svc/schedules/old.md', 'Tidy.');
      expect(await ops.projects.health('demo')).toMatchObject({
        ...{ unready: 1, armed: 5, needYou: 1, legacyNeedYou: 0 },
      });
    }));

  // proves: page.counts
  it('counts each entry that needs attention once, however many problems it has', () =>
    withWorld(NEEDY, async (world) => {
      const { ops, write, root } = world;
      const calm = { total: 5, needYou: 4, legacyNeedYou: 1 };
      expect(await ops.projects.health('demo')).toMatchObject(calm);
      write('demo/.svc/triggers/gone.md', 'x');
      await fire(world, 'gone', 'failed');
      rmSync(join(root, 'demo/.svc/triggers/gone.md'));
      expect(await ops.projects.health('demo')).toMatchObject({ ...calm, failing: 1, unready: 1 });
    }));

  it('counts what runs, and what failed last, also while it runs again', () =>
    withWorld(FILE, async (world) => {
      expect(await fire(world, 'report', 'failed')).toEqual({ ...CALM, running: 1 });
      const { ops } = world;
      expect(await ops.projects.health('demo')).toEqual({ ...CALM, failing: 1, needYou: 2 });
      const again = await fire(world, 'report', 'succeeded');
      expect(again).toEqual({ ...CALM, failing: 1, running: 1, needYou: 2 });
      expect(await ops.projects.health('demo')).toEqual(CALM);
      await fire(world, 'off', 'failed');
      expect(await ops.projects.health('demo')).toEqual(CALM);
    }));

  it('counts what missed a slot in the last 24 hours, which hides no failure', () =>
    withWorld(FILE, async (world) => {
      await fire(world, 'report', 'failed');
      const key = { project: 'demo', source: 'trigger', name: 'report' } as const;
      const from = T0 + MINUTE;
      await world.store.claims.claim([
        {
          ...{ key, scheduleHash: await armedHash(world, key) },
          ...{ as: 'missed', from, until: from, count: 1 },
          ...{ claimedAt: from, lateMs: 0, catchUp: false, reason: 'The service was not running.' },
        },
      ]);
      expect(await world.ops.projects.health('demo')).toEqual({
        ...CALM,
        failing: 1,
        needYou: 2,
        missed24h: 1,
      });
      const skipped = { id: newId(), key, cause: 'manual', by: null, claimedAt: from } as const;
      await world.store.runs.addEnded(skipped, 'skipped_overlap', 'It was running.');
      expect(await world.ops.projects.health('demo')).toMatchObject({ failing: 1 });
      world.clock.suspend(24 * 60 * MINUTE + 2 * MINUTE);
      const signs = await world.store.runs.signs(['demo'], new Date(from + 1).toISOString());
      expect(signs.get('demo')?.missed).toEqual(new Set());
    }));
});

const attentionIn = async ({ ops }: World) => {
  const status = await ops.status();
  if (!status.ok) throw new Error(status.error.message);
  return status.value.attention;
};

const stateOf = async ({ ops }: World, name = 'nightly') => {
  const states = await ops.triggers.runtime('demo');
  const found = states.ok ? states.value.find((state) => state.name === name) : undefined;
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
};

const MIDNIGHT = '2026-03-02T00:00:00.000Z';

describe('what needs attention', () => {
  // proves: attention.limited
  it('is a trigger whose daily limit is spent, which tells its first slot after that day', () =>
    withWorld(
      scheduled(),
      async (world) => {
        const { ops, runtime, until, runs, clock } = world;
        expect(await stateOf(world)).toMatchObject({ armed: true, nextFire: isoTime(T0 + MINUTE) });
        await ops.triggers.run(USER, 'demo', 'nightly');
        const turn = await until(() => runtime.turns[0]);
        turn.end('succeeded', null, { costMicrousd: 10_000 });
        await until(async () => (await runs())[0]?.state === 'ended');
        const reason = expect.stringContaining('(limits.costPerDayUsd: 0.01)');
        const attention = [{ kind: 'limited', reason }];
        const state = await stateOf(world);
        const limited = { limit: 'limits.costPerDayUsd', until: MIDNIGHT };
        expect(state).toMatchObject({
          armed: true,
          nextFire: MIDNIGHT,
          reason,
          limited,
          attention,
        });
        expect(await ops.projects.health('demo')).toMatchObject({
          ...{ needYou: 1, limited: 1, armed: 1, nextFire: MIDNIGHT },
        });
        const listed = await ops.triggers.list('demo');
        expect(listed.ok && listed.value.triggers[0]?.upcoming[0]).toBe(MIDNIGHT);
        const item = { project: 'demo', source: 'trigger', name: 'nightly', ...attention[0] };
        expect(await attentionIn(world)).toEqual({ total: 1, entries: [item] });
        clock.suspend(24 * 60 * MINUTE);
        expect(await attentionIn(world)).toEqual({ total: 0, entries: [] });
        expect((await stateOf(world)).limited).toBeUndefined();
      },
      { cost: 'estimate', costPerDayUsd: 0.01 },
    ));

  // proves: attention.limited
  it('is one that was started as often as it may be, and none of those that may start', () =>
    withWorld(
      `${scheduled().trimEnd()}
    policy: { firesPerDay: 1 }
  other: { trigger: { type: event, on: onArchive }, run: { prompt: x }, enabled: true }
`,
      async (world) => {
        await fire(world, 'nightly', 'succeeded');
        const { entries } = await attentionIn(world);
        expect(entries.map(({ name, kind }) => [name, kind])).toEqual([['nightly', 'limited']]);
        expect(await stateOf(world)).toMatchObject({ nextFire: MIDNIGHT });
      },
    ));

  // proves: attention.unready
  it('is a trigger whose runtime is not ready, or whose prompt nothing acts on', () =>
    withWorld(scheduled(), async (world) => {
      const { runtime, ops } = world;
      runtime.ready = false;
      const broken = 'The native runtime cannot start: it is broken.';
      expect(await stateOf(world)).toMatchObject({
        reason: broken,
        attention: [{ kind: 'unready', reason: broken }],
      });
      runtime.ready = true;
      const judged: unknown[] = [];
      Object.assign(runtime, {
        promptFault(...given: unknown[]) {
          judged.push(given);
          return { field: 'prompt', message: 'has no steps.' };
        },
      });
      const reason = 'run.prompt has no steps.';
      expect((await attentionIn(world)).entries).toMatchObject([{ kind: 'unready', reason }]);
      expect(judged).toEqual([['Do it.', null]]);
      const warnings = [{ path: 'run.prompt', message: 'has no steps.' }];
      const listed = await ops.triggers.list('demo');
      expect(listed.ok && listed.value.triggers[0]).toMatchObject({ problem: reason, warnings });
      const record = {
        trigger: { type: 'schedule', interval: '1h' },
        run: { promptFile: 'new.md' },
      };
      world.write('demo/.svc/triggers/new.md', 'Do that.');
      const onFile = { path: 'run.promptFile', message: 'has no steps.' };
      const put = await ops.triggers.put(USER, 'demo', 'file', record);
      expect(put).toMatchObject({ value: { warnings: [onFile] } });
      const verdict = await ops.triggers.validate('demo', record);
      expect(verdict).toMatchObject({ value: { valid: true, warnings: [onFile] } });
      const set = await ops.operations.call(
        USER,
        'set_trigger',
        { project: 'demo', name: 'set', interval: '1h', prompt: 'Do it.' },
        { signal: new AbortController().signal },
      );
      expect(set).toMatchObject({
        value: { warnings: [{ path: 'prompt', message: 'has no steps.' }] },
      });
      Object.assign(runtime, { promptFault: undefined });
      expect(await attentionIn(world)).toEqual({ total: 0, entries: [] });
    }));

  // proves: attention.unreadable
  it('is a file that never could be read, of which the log claims nothing armed', () =>
    withWorld('triggers: [', async (world) => {
      const of = { project: 'demo', source: 'file', name: 'project.yaml', kind: 'unreadable' };
      const reason = expect.stringMatching(/^The file .*/);
      expect(await attentionIn(world)).toEqual({ total: 1, entries: [{ ...of, reason }] });
      const lines = world.logger.lines.map(({ message }) => message);
      expect(lines).toContain('cannot read project.yaml, no triggers armed');
      world.write('demo/project.yaml', scheduled());
      await world.until(async () => (await world.ops.projects.health('demo'))?.armed === 1);
      world.write('demo/project.yaml', 'triggers: [');
      await world.until(() =>
        world.logger.lines.some(({ message }) =>
          message.endsWith('last valid version stays armed'),
        ),
      );
      expect((await attentionIn(world)).entries).toMatchObject([of]);
    }));
});

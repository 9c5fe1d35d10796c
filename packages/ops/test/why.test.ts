import { describe, expect, it } from '@jest/globals';
import { clientCaller, USER } from '@svc/ops';
import { MINUTE, scheduled, T0, type World, withWorld } from './harness.ts';

const RECORD = {
  trigger: { type: 'schedule', cron: '0 3 * * *', timezone: 'UTC' },
  run: { prompt: 'Do it.' },
  enabled: true,
};
const NIGHTLY = scheduled().replace('* * * * *', '0 3 * * *');
const CI = clientCaller({
  clientId: 'ci',
  scope: { projects: ['*'], allow: ['*'], deny: [], denyProjects: [], maxSpawnDepth: null },
});

const signal = new AbortController().signal;

async function why({ ops }: World, at?: string, name = 'nightly') {
  const query = at === undefined ? {} : { at };
  const asked = { project: 'demo', name, ...query };
  const answer = await ops.operations.call(USER, 'why_trigger', asked, { signal });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

/** T0 is Sunday, 1 March 2026, 09:00 UTC. */
const at = (time: string, day = 2): string => `2026-03-0${day}T${time}:00.000Z`;

async function advanceTo({ clock }: World, instant: string): Promise<void> {
  await clock.advance(Date.parse(instant) - clock.now());
}

const edited = (world: World, from: string, to: string): void =>
  world.write('demo/project.yaml', world.read('demo/project.yaml').replace(from, to));

async function changesAre(world: World, kind: string): Promise<void> {
  const key = { project: 'demo', source: 'trigger', name: 'nightly' } as const;
  await world.until(async () =>
    (await world.store.changes.of(key)).some((change) => change.kind === kind),
  );
}

describe('why an instant of a trigger', () => {
  // proves: why.fired
  it('fired, how late, and how that went', () =>
    withWorld(NIGHTLY, async (world) => {
      await advanceTo(world, at('03:00'));
      const turn = await world.until(() => world.runtime.turns[0]);
      expect(await why(world, at('03:00'))).toMatchObject({
        decision: 'underway',
        sentences: [
          expect.stringMatching(/^03:00 on Monday: fired on time, running since 03:00\.$/),
        ],
      });
      await world.clock.advance(40_000);
      turn.end('failed', 'Bash, exit code 3.');
      await world.until(async () => (await world.runs())[0]?.outcome === 'failed');
      const [run] = await world.runs();
      expect(await why(world, at('03:00'))).toMatchObject({
        ...{ at: at('03:00'), slot: at('03:00'), decision: 'fired', by: 'service', runId: run?.id },
        sentences: ['03:00 on Monday: fired on time, failed after 40 s: Bash, exit code 3.'],
      });
      expect((await why(world)).at).toBe(at('03:00'));
      expect(await why(world, at('03:30'))).toMatchObject({
        ...{ decision: 'no_slot', slot: null, runId: null, before: at('03:00') },
        after: at('03:00', 3),
        sentences: [
          'No slot: the schedule is 0 3 * * *; the previous slot was 03:00, the next slot is Tuesday 03:00.',
        ],
      });
      expect(await why(world, at('03:00', 3))).toMatchObject({ decision: 'due' });
    }));

  // proves: why.fired
  it('fired on time and began later, as it had to wait', () =>
    withWorld(`${scheduled()}    policy: { overlap: queue }\n`, async (world) => {
      await world.clock.advance(MINUTE);
      const before = await world.until(() => world.runtime.turns[0]);
      await world.clock.advance(MINUTE);
      await world.until(async () =>
        (await world.runs()).some(({ reason }) => reason?.startsWith('It waits') === true),
      );
      await world.clock.advance(20_000);
      before.end();
      await world.until(() => world.runtime.turns[1]);
      expect(await why(world, at('09:02', 1))).toMatchObject({
        sentences: [
          '09:02 on Sunday: fired on time, running since 09:02:20.',
          'It started 20 s later: it waited for limits.concurrentTurns, the previous run, or the database.',
        ],
      });
    }));

  // proves: why.newest
  it('is that of no slot where none has come since it was armed', () =>
    withWorld(
      scheduled().replace('cron: "* * * * *", timezone: UTC', 'interval: 1h'),
      async (world) => {
        await changesAre(world, 'armed');
        await world.clock.advance(MINUTE);
        expect(await why(world)).toMatchObject({
          sentences: [
            expect.stringMatching(
              /^No slot: the schedule is every 1h; the next slot is \d\d:00\.$/,
            ),
          ],
        });
      },
    ));

  // proves: why.off
  it('was none as it was disabled, from when to when, and by whom', () =>
    withWorld(NIGHTLY, async (world) => {
      await advanceTo(world, at('18:02', 1));
      const off = { project: 'demo', name: 'nightly', enabled: false };
      await world.ops.operations.call(CI, 'set_trigger', off, { signal });
      const shorter = { ...RECORD, run: { prompt: 'Do.' }, enabled: false };
      await world.ops.triggers.put(USER, 'demo', 'nightly', shorter);
      await advanceTo(world, at('09:10'));
      await world.ops.triggers.put(USER, 'demo', 'nightly', RECORD);
      expect(await why(world, at('03:00'))).toMatchObject({
        ...{ decision: 'off', by: 'client:ci', slot: null },
        sentences: [
          'No slot: the trigger was disabled from Sunday 18:02 (disabled by client:ci) to 09:10.',
        ],
        changes: [{ kind: 'disabled' }, { kind: 'enabled', by: 'user' }],
      });
      await world.ops.triggers.remove(USER, 'demo', 'nightly');
      await world.clock.advance(MINUTE);
      expect(await why(world, at('09:11'))).toMatchObject({
        decision: 'removed',
        sentences: ['No slot: the trigger was removed at 09:10 by a user.'],
      });
      expect(await why(world, at('08:00', 1))).toMatchObject({ decision: 'not_recorded' });
    }));

  // proves: why.missed
  it('was missed, as the service was down, and why that was not made up for', () =>
    withWorld(
      NIGHTLY.replace('enabled', 'policy: { catchUp: none }\n    enabled'),
      async (world) => {
        await advanceTo(world, at('02:58'));
        await world.restart({ afterMs: 22 * MINUTE });
        await world.clock.advance(MINUTE);
        await world.until(async () => (await world.runs())[0]?.outcome === 'missed');
        expect(await why(world, at('03:00'))).toMatchObject({
          decision: 'missed',
          sentences: [
            'Missed: the service was down from 02:58 to 03:20. It does not run later, because policy.catchUp is none.',
            'The service was killed; the start of the downtime is known to within 30 s.',
          ],
        });
      },
    ));

  // proves: why.invalid
  it('never could, as the entry was invalid, since which edit', () =>
    withWorld(NIGHTLY, async (world) => {
      edited(world, '0 3 * * *', '0 3 * *');
      await changesAre(world, 'invalid');
      await world.clock.advance(MINUTE);
      const { decision, by, sentences } = await why(world, at('03:00'));
      expect({ decision, by }).toEqual({ decision: 'invalid', by: 'file' });
      expect(sentences[0]).toMatch(
        /^It could not fire: its entry has been invalid since the edit (on|at) /,
      );
      // It was seen then, by a clock that stands still, and written before.
      expect(sentences[0]).not.toContain('Sunday at 09:00');
      expect(sentences[1]).toMatch(/^trigger\.cron /);
    }));

  // proves: why.newest
  it('is reported with the current state when nothing fires any more', () =>
    withWorld(NIGHTLY, async (world) => {
      await advanceTo(world, at('03:00'));
      (await world.until(() => world.runtime.turns[0])).end();
      await world.until(async () => (await world.runs())[0]?.outcome === 'succeeded');
      expect((await why(world)).sentences).toHaveLength(1);
      await world.clock.advance(MINUTE);
      edited(world, '0 3 * * *', '0 3 * *');
      await changesAre(world, 'invalid');
      await world.clock.advance(MINUTE);
      const { decision, sentences } = await why(world);
      expect(decision).toBe('fired');
      expect(sentences[0]).toMatch(
        /^It could not fire: its entry has been invalid since the edit (on|at) /,
      );
      expect(sentences.at(-1)).toMatch(/^03:00 on Monday: fired on time, succeeded/);
      expect((await why(world, at('03:00'))).sentences).toHaveLength(1);
    }));

  // proves: why.skipped
  it('was skipped, as everything was paused, and by whom', () =>
    withWorld(NIGHTLY, async (world) => {
      await advanceTo(world, at('22:00', 1));
      await world.ops.pause({ reason: 'Moving house.' });
      await advanceTo(world, at('08:00'));
      await world.ops.resume();
      await world.until(async () => (await world.runs())[0]?.outcome === 'skipped_paused');
      expect(await why(world, at('03:00'))).toMatchObject({
        ...{ decision: 'skipped', by: 'user' },
        sentences: [
          '03:00 on Monday: skipped. All triggers were paused by a user (reason: Moving house).',
          'Paused by a user on Sunday at 22:00, resumed at 08:00.',
        ],
      });
    }));

  it('has no slot yet, and neither a pause nor a spent limit lets the next one start', () => {
    const limited = `${NIGHTLY}    policy: { firesPerDay: 1 }\n`;
    return withWorld(limited, async (world) => {
      await world.ops.pause({ reason: 'Moving house.' });
      const paused = 'All triggers were paused by a user (reason: Moving house).';
      const { decision, sentences } = await why(world);
      expect([decision, sentences[1]]).toEqual(['no_slot', paused]);
      await world.ops.resume();
      await world.ops.triggers.run(USER, 'demo', 'nightly');
      const spent =
        'Daily limit reached: 1 run today (policy.firesPerDay). The trigger can fire again tomorrow.';
      const tonight = new Date(T0 + MINUTE).toISOString();
      expect((await why(world, tonight)).sentences[1]).toBe(spent);
      expect((await why(world, at('03:00'))).sentences).toHaveLength(1);
    });
  });

  // proves: why.asked-for
  it('was a requested run, or is an error for an unknown trigger', () =>
    withWorld(NIGHTLY, async (world) => {
      expect(await why(world)).toMatchObject({ decision: 'no_slot', after: at('03:00') });
      await world.clock.advance(12_000);
      await world.ops.triggers.run(USER, 'demo', 'nightly');
      expect(await why(world, new Date(T0).toISOString())).toMatchObject({
        decision: 'asked_for',
        by: 'user',
        sentences: [expect.stringMatching(/^09:00:12 on Sunday: run now, requested by a user, /)],
      });
      await expect(why(world, at('03:00'), 'nightl')).rejects.toThrow('Did you mean nightly?');
    }));
});

describe('the changes of a trigger', () => {
  // proves: why.changes.paged
  it('are listed newest first, in pages', () =>
    withWorld(NIGHTLY, async (world) => {
      for (const enabled of [false, true, false]) {
        await world.ops.triggers.put(USER, 'demo', 'nightly', { ...RECORD, enabled });
      }
      const page = async (more: object = {}) => {
        const asked = { project: 'demo', name: 'nightly', limit: 4, ...more };
        const read = await world.ops.operations.call(USER, 'list_trigger_changes', asked, {
          signal,
        });
        if (!read.ok) throw new Error(read.error.message);
        return read.value;
      };
      const first = await page();
      const second = await page({ cursor: first.next });
      expect(second.next).toBeNull();
      const kinds = [...first.changes, ...second.changes].map(({ kind }) => kind);
      expect(kinds).toEqual([
        ...['disarmed', 'disabled', 'armed', 'enabled'],
        ...['disarmed', 'disabled', 'armed', 'defined'],
      ]);
    }));
});

import { describe, expect, it } from '@jest/globals';
import type { ZoneHost } from '@svc/engine';
import { USER } from '@svc/ops';
import { MINUTE, T0, type World, withWorld } from './harness.ts';

const HOUR = 60 * MINUTE;
const KEY = { project: 'demo', source: 'trigger', name: 'nightly' } as const;
const SECOND = 1000;

const every = (text: string): string => `triggers:
  nightly:
    trigger: { type: schedule, ${text} }
    run: { prompt: "Do it." }
    enabled: true
`;

async function stateOf({ ops }: World) {
  const result = await ops.triggers.runtime('demo');
  return result.ok ? result.value[0] : undefined;
}

/** Fires once an hour ahead, then comes back. */
async function fireAhead(world: World): Promise<void> {
  world.clock.step(T0 + HOUR + SECOND);
  await world.clock.advance(30 * SECOND);
  const turn = await world.until(() => world.runtime.turns[0]);
  turn.end();
  await world.until(async () => (await world.runs())[0]?.outcome === 'succeeded');
  world.clock.step(T0 + MINUTE);
  await world.clock.advance(31 * SECOND);
  await world.until(async () => (await stateOf(world))?.clock !== undefined);
}

describe('a trigger whose clock was set back over a slot that ran', () => {
  // proves: firing.clock.silent
  it('reports why it does not fire, and when it fires again', () =>
    withWorld(every('interval: 1h'), async (world) => {
      await fireAhead(world);
      const message =
        'The clock was ahead and was set back: its next slots already ran and do not run again. It fires again at 2026-03-01T11:00:00.000Z. Resume it to continue one period from now.';
      const clock = {
        aheadUntil: '2026-03-01T10:00:00.000Z',
        silentUntil: '2026-03-01T11:00:00.000Z',
        canResume: true,
        message,
      };
      const nextFire = clock.silentUntil;
      expect(await world.ops.projects.health('demo')).toMatchObject({ silent: 1, needYou: 0 });
      expect(await stateOf(world)).toMatchObject({ armed: true, nextFire, clock, reason: message });
      const { signal } = new AbortController();
      const about = { project: 'demo' };
      const result = await world.ops.operations.call(USER, 'list_triggers', about, { signal });
      expect(result.ok && result.value['triggers']).toMatchObject([{ clock, reason: message }]);
    }));

  it('is explained for its newest slot and for those that already ran, and for no others', () =>
    withWorld(every('interval: 1h'), async (world) => {
      await fireAhead(world);
      const { signal } = new AbortController();
      const sentences = async (at: number | null): Promise<string> => {
        const time = at === null ? {} : { at: new Date(at).toISOString() };
        const about = { project: 'demo', name: 'nightly', ...time };
        const result = await world.ops.operations.call(USER, 'why_trigger', about, { signal });
        return result.ok ? result.value.sentences.join(' ') : result.error.message;
      };
      const silent =
        /It does not fire until \S+: its slots before that already ran while the clock was ahead/;
      expect(await sentences(null)).toMatch(silent);
      expect(await sentences(T0 + HOUR)).toMatch(silent);
      expect(await sentences(T0)).not.toMatch(silent);
      expect(await sentences(T0 + 2 * HOUR)).not.toMatch(silent);
    }));

  it('cannot be resumed when its schedule is a cron expression', () =>
    withWorld(every('cron: "0 * * * *", timezone: UTC'), async (world) => {
      await fireAhead(world);
      expect(await stateOf(world)).toMatchObject({
        clock: {
          canResume: false,
          message: expect.stringMatching(/Use Run now to fire it at once\.$/),
        },
      });
      expect(await world.ops.resumeTrigger('demo', 'nightly')).toMatchObject({
        value: { resumed: false },
      });
    }));

  // proves: firing.clock.back, firing.clock.silent
  it.each(['0 * * * *', '*/10 * * * *'])(
    'reports it also when it was disabled in the meantime, with %s',
    (cron) =>
      withWorld(every(`cron: "${cron}", timezone: UTC`), async (world) => {
        world.clock.step(T0 + HOUR + SECOND);
        await world.clock.advance(30 * SECOND);
        const turn = await world.until(() => world.runtime.turns[0]);
        turn.end();
        await world.until(async () => (await world.runs())[0]?.outcome === 'succeeded');
        const switchTo = async (enabled: boolean) => {
          const { signal } = new AbortController();
          const args = { project: 'demo', name: 'nightly', enabled };
          const { ok } = await world.ops.operations.call(USER, 'set_trigger', args, { signal });
          expect(ok).toBe(true);
        };
        await switchTo(false);
        await world.until(async () => (await stateOf(world))?.armed === false);
        world.clock.step(T0 + MINUTE);
        await world.clock.advance(31 * SECOND);
        await switchTo(true);
        const clock = { aheadUntil: '2026-03-01T10:00:00.000Z' };
        const state = () =>
          world.until(async () => {
            const now = await stateOf(world);
            return now?.armed && now;
          });
        expect(await state()).toMatchObject({ clock });
        await world.restart();
        expect(await state()).toMatchObject({ clock });
        expect((await world.runs()).map(({ outcome }) => outcome)).toEqual(['succeeded']);
      }),
  );

  // proves: firing.clock.go-on
  it('is resumed by a user, which is recorded', () =>
    withWorld(every('interval: 1h'), async (world) => {
      await fireAhead(world);
      const now = new Date(world.clock.now()).toISOString();
      expect(await world.ops.resumeTrigger('demo', 'nightly')).toMatchObject({
        value: { resumed: true, project: 'demo', name: 'nightly' },
      });
      const next = new Date(world.clock.now() + HOUR).toISOString();
      const state = await stateOf(world);
      expect(state).toMatchObject({ nextFire: next });
      expect(state?.reason).toBeUndefined();
      const changes = await world.store.changes.of(KEY);
      expect(changes.at(-1)).toMatchObject({
        kind: 'armed',
        at: now,
        by: 'user',
        via: 'rest',
        anchor: now,
        reason: 'It was resumed after the clock was set back; its intervals count from now.',
      });
      await world.clock.advance(HOUR);
      const slots = await world.until(async () => {
        const all = (await world.runs()).map(({ scheduledFor }) => scheduledFor);
        return all.length === 2 && all;
      });
      expect([...slots].sort()).toEqual(['2026-03-01T10:00:00.000Z', next]);
      const count = (await world.store.changes.of(KEY)).length;
      world.write('demo/project.yaml', every('interval: 1h').replace('Do it', 'Do that'));
      await world.until(async () => (await world.store.changes.of(KEY)).length === count + 1);
      expect((await world.store.changes.of(KEY)).at(-1)?.kind).toBe('changed');
    }));

  it('has on record what was taken back, of which no row is left', () =>
    withWorld(every('interval: 1m'), async (world) => {
      world.clock.step(T0 + HOUR + SECOND);
      await world.clock.advance(30 * SECOND);
      (await world.until(() => world.runtime.turns[0])).end();
      world.clock.step(T0 + 90 * SECOND);
      await world.clock.advance(31 * SECOND);
      const change = await world.until(async () =>
        (await world.store.changes.of(KEY)).find(({ kind }) => kind === 'clock_set_back'),
      );
      expect(change).toMatchObject({ by: null, via: 'service', trigger: 'nightly' });
      const missed = (await world.runs()).filter(({ outcome }) => outcome === 'missed');
      expect(missed).toMatchObject([{ slotCount: 1, scheduledUntil: '2026-03-01T09:01:00.000Z' }]);
    }));
});

/** A TZif file of version 2 that holds one rule. */
function tzif(rule: string): Uint8Array {
  const header = (types: number, letters: number): Buffer => {
    const head = Buffer.alloc(44);
    head.write('TZif2');
    head.writeUInt32BE(types, 36);
    head.writeUInt32BE(letters, 40);
    return head;
  };
  const block = [header(1, 4), Buffer.alloc(6), Buffer.from('LMT\0')];
  return Buffer.concat([...block, ...block, Buffer.from(`\n${rule}\n`)]);
}

const host = (rules: Readonly<Record<string, string>>, hasData = true): ZoneHost => ({
  refresh: async () => {},
  hasData: async () => hasData,
  data: async (zone) => {
    const rule = rules[zone ?? 'host'];
    return rule === undefined ? null : tzif(rule);
  },
});

describe('zone data of the host', () => {
  const berlin = every('cron: "0 9 * * *", timezone: Europe/Berlin');
  const lines = ({ logger }: World, part: string) =>
    logger.lines.filter(({ message }) => message.includes(part));

  // proves: firing.clock.zone-data
  it('that differ from those of Node are logged once and reported on each trigger', () =>
    withWorld(
      `${berlin}${berlin.replace('triggers:\n', '').replace('nightly', 'other')}`,
      async (world) => {
        const zoneData = {
          zone: 'Europe/Berlin',
          from: '2026-03-29T01:00:00.000Z',
          offset: '+02:00',
          hostOffset: '+01:00',
          message:
            'Node and the host have different zone data for Europe/Berlin from 2026-03-29T01:00:00.000Z: +02:00 in Node, which is used, and +01:00 on the host. Update Node or tzdata, and restart svc.',
        };
        const result = await world.ops.triggers.runtime('demo');
        expect(result.ok && result.value).toMatchObject([
          { name: 'nightly', armed: true, zoneData, reason: zoneData.message },
          { name: 'other', armed: true, zoneData },
        ]);
        const { message, ...fields } = zoneData;
        expect(lines(world, 'different zone data')).toMatchObject([{ level: 'warn', fields }]);
        expect(lines(world, 'different zone data')[0]?.message).toBe(message);
      },
      { zoneHost: host({ 'Europe/Berlin': 'CET-1' }) },
    ));

  it('are compared for a zone when it is used for the first time', () =>
    withWorld(
      berlin,
      async (world) => {
        expect((await stateOf(world))?.zoneData).toBeUndefined();
        world.write('demo/project.yaml', berlin.replace('Europe/Berlin', 'Asia/Tokyo'));
        const zoneData = await world.until(async () => (await stateOf(world))?.zoneData);
        expect(zoneData).toMatchObject({
          zone: 'Asia/Tokyo',
          offset: '+09:00',
          hostOffset: '+00:00',
        });
      },
      {
        zoneHost: host({
          'Europe/Berlin': 'CET-1CEST,M3.5.0,M10.5.0/3',
          'Asia/Tokyo': 'UTC0',
        }),
      },
    ));

  it('that are not there are not missed, which is said once', () =>
    withWorld(
      berlin,
      async (world) => {
        world.write('demo/project.yaml', berlin.replace('Europe/Berlin', 'Asia/Tokyo'));
        await world.until(async () => (await stateOf(world))?.timezone === 'Asia/Tokyo');
        expect((await stateOf(world))?.zoneData).toBeUndefined();
        expect(lines(world, 'no time zone data')).toMatchObject([{ level: 'info' }]);
      },
      { zoneHost: host({ 'Asia/Tokyo': 'UTC0' }, false) },
    ));
});

describe('a change of the host time zone', () => {
  // proves: firing.clock.host-zone
  it('rearms the triggers that use it within a minute, and no others', () => {
    let zone = 'Europe/Berlin';
    let looked = 0;
    const zoneHost: ZoneHost = {
      ...host({}),
      zone: () => zone,
      refresh: async () => {
        looked += 1;
      },
    };
    const local = every('cron: "0 9 * * *"');
    const yaml = `${local}${every('cron: "0 9 * * *", timezone: UTC').replace('triggers:\n', '').replace('nightly', 'utc')}`;
    return withWorld(
      yaml,
      async (world) => {
        const armedAt = async (name: string) => {
          const armings = await world.store.claims.loadProject('demo');
          return armings.get(`demo/trigger/${name}`)?.armedSince;
        };
        await world.clock.advance(10 * MINUTE);
        expect(await armedAt('nightly')).toBe(T0);
        expect(looked).toBeGreaterThan(9);
        zone = 'Asia/Tokyo';
        await world.clock.advance(MINUTE);
        const since = await world.until(async () => {
          const at = await armedAt('nightly');
          return at !== T0 && at;
        });
        expect(since).toBeLessThanOrEqual(T0 + 11 * MINUTE);
        expect(await armedAt('utc')).toBe(T0);
        expect(world.logger.lines).toContainEqual(
          expect.objectContaining({
            message: 'time zone of the host changed',
            fields: { from: 'Europe/Berlin', to: 'Asia/Tokyo' },
          }),
        );
        expect((await world.store.changes.of(KEY)).at(-1)).toMatchObject({ kind: 'armed' });
      },
      { zoneHost },
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import type { Projects } from '@svc/projects';
import type { Slug } from '@svc/records';
import { MINUTE, NO_TRIGGERS, scheduled, type World, withWorld } from './harness.ts';

const record = {
  trigger: { type: 'schedule', interval: '15m' },
  run: { prompt: 'Look around.', tools: ['Read'] },
  enabled: true,
};

describe('putting a trigger', () => {
  // proves: state.new.enabled
  it('writes it into the file, arms it, and keeps every other byte', () =>
    withWorld('# mine\nname: Demo\n', async ({ ops, read }) => {
      const put = await ops.triggers.put(USER, 'demo', 'look', record);
      expect(put).toMatchObject({
        ok: true,
        value: {
          created: true,
          record: {
            name: 'look',
            agentName: 'trigger-demo-look',
            enabled: true,
            run: { session: 'new', maxTurns: 30 },
          },
        },
      });
      expect(read('demo/project.yaml')).toMatch(/^# mine\nname: Demo\n/);
      expect(read('demo/project.yaml')).not.toContain('maxTurns');
      const runtime = await ops.triggers.runtime('demo');
      expect(runtime.ok && runtime.value).toMatchObject([
        { name: 'look', armed: true, nextFire: '2026-03-01T09:15:00.000Z', timezone: null },
      ]);
    }));

  // proves: rest.put.absent-enabled, rest.put.switch
  it('defaults to disabled, and disarms a trigger that is disabled', () =>
    withWorld(scheduled(), async ({ ops }) => {
      const { enabled: _, ...silent } = record;
      const put = await ops.triggers.put(USER, 'demo', 'nightly', silent);
      expect(put.ok && put.value.record.enabled).toBe(false);
      const runtime = await ops.triggers.runtime('demo');
      expect(runtime.ok && runtime.value).toMatchObject([{ armed: false, nextFire: null }]);
    }));

  it('reports every fault and changes nothing', () =>
    withWorld(scheduled(), async ({ ops, read }) => {
      const before = read('demo/project.yaml');
      const put = await ops.triggers.put(USER, 'demo', 'x', {
        trigger: { type: 'schedule', cron: '* * * *', interval: '1h' },
        run: { tools: ['Nope'], maxTurns: 0 },
      });
      const paths = put.ok ? [] : (put.error.issues ?? []).map((issue) => issue.path);
      expect(paths).toEqual(expect.arrayContaining(['run.tools[0]', 'run.maxTurns']));
      expect(read('demo/project.yaml')).toBe(before);
    }));

  it.each(['', 'a/b', 'a\\b', ' x', '..', '__proto__', 'x'.repeat(129), 'runtime'])(
    'refuses the name %j',
    (name) =>
      withWorld(scheduled(), async ({ ops }) => {
        expect(await ops.triggers.put(USER, 'demo', name, record)).toMatchObject({
          error: { code: 'invalid' },
        });
      }),
  );

  it.each(['constructor', 'toString', 'a..b', "it's", 'Ünïcode 1'])('takes the name %j', (name) =>
    withWorld(scheduled(), async ({ ops }) => {
      expect((await ops.triggers.put(USER, 'demo', name, record)).ok).toBe(true);
      const got = await ops.triggers.get('demo', name);
      expect(got.ok && got.value.record.name).toBe(name);
      expect(await ops.triggers.remove(USER, 'demo', name)).toEqual({
        ok: true,
        value: { removed: true, project: 'demo', name },
      });
    }),
  );

  it('heeds entity tags', () =>
    withWorld(scheduled(), async ({ ops }) => {
      const got = await ops.triggers.get('demo', 'nightly');
      if (!got.ok) throw new Error('gone');
      const put = (condition: object) =>
        ops.triggers.put(USER, 'demo', 'nightly', record, condition);
      expect(await put({ ifNoneMatch: '*' })).toMatchObject({
        error: { code: 'precondition_failed' },
      });
      expect((await put({ ifMatch: got.value.etag })).ok).toBe(true);
      expect(await put({ ifMatch: got.value.etag })).toMatchObject({
        error: { code: 'precondition_failed' },
      });
      expect((await put({ ifMatch: '*' })).ok).toBe(true);
    }));

  it('refuses a file that does not parse, and leaves it alone', () =>
    withWorld(scheduled(), async ({ ops, write, read }) => {
      await ops.triggers.list('demo');
      write('demo/project.yaml', 'triggers: [');
      expect(await ops.triggers.put(USER, 'demo', 'x', record)).toMatchObject({
        error: { code: 'conflict' },
      });
      expect(read('demo/project.yaml')).toBe('triggers: [');
      const list = await ops.triggers.list('demo');
      expect(list.ok && list.value).toMatchObject({
        triggers: [{ name: 'nightly' }],
        invalid: [{ name: 'project.yaml', source: 'file' }],
      });
    }));

  it('reads the file once, whatever it takes to check, change, verify and arm it', () =>
    withWorld(scheduled(), async ({ ops, reads, until, clock, logger }) => {
      const armings = () => logger.lines.filter((line) => line.message === 'triggers armed');
      const published: string[] = [];
      ops.changes.subscribe(null, (item) => void ('kind' in item && published.push(item.kind)));
      await until(async () => {
        const got = await ops.triggers.get('demo', 'nightly');
        return got.ok;
      });
      const before = { reads: reads.count, armings: armings().length };
      const put = await ops.triggers.put(USER, 'demo', 'look', record);
      expect(put.ok && put.value.created).toBe(true);
      expect(reads.count - before.reads).toBe(1);
      // What the disk says afterwards is what is armed already.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await clock.advance(0);
      expect(reads.count - before.reads).toBe(1);
      expect(armings().length - before.armings).toBe(1);
      expect(published.filter((kind) => kind === 'triggers')).toHaveLength(1);
      const patched = await ops.triggers.remove(USER, 'demo', 'look');
      expect(patched.ok && patched.value.removed).toBe(true);
      expect(reads.count - before.reads).toBe(2);
    }));

  it('refuses a new one beyond the 2,000 of a project that run, until one is taken out', () => {
    const hook = (n: number) => `  t${n}: { trigger: { type: webhook }, enabled: true }\n`;
    const hooks = Array.from({ length: 2001 }, (_, n) => hook(n)).join('');
    return withWorld(`triggers:\n${hooks}`, async ({ ops }) => {
      const full = { error: { code: 'conflict', message: expect.stringContaining('2000') } };
      expect(await ops.triggers.put(USER, 'demo', 'new', record)).toMatchObject(full);
      expect(await ops.triggers.put(USER, 'demo', 't2000', record)).toMatchObject(full);
      expect((await ops.triggers.put(USER, 'demo', 't7', record)).ok).toBe(true);
      const list = await ops.triggers.list('demo');
      expect(list.ok && list.value).toMatchObject({
        triggers: { length: 2000 },
        invalid: [{ name: 'project.yaml', source: 'file', issues: [{ path: '' }] }],
      });
      for (const name of ['t2000', 't3']) {
        expect(await ops.triggers.remove(USER, 'demo', name)).toMatchObject({
          value: { removed: true, project: 'demo', name },
        });
      }
      expect((await ops.triggers.put(USER, 'demo', 'new', record)).ok).toBe(true);
    });
  }, 60_000);

  it('loses none of 40 at the same time', () =>
    withWorld('name: Demo\n', async ({ ops }) => {
      const puts = await Promise.all(
        Array.from({ length: 40 }, (_, n) => ops.triggers.put(USER, 'demo', `t${n}`, record)),
      );
      expect(puts.every((put) => put.ok)).toBe(true);
      const list = await ops.triggers.list('demo');
      expect(list.ok && list.value.triggers).toHaveLength(40);
    }));
});

describe('an edit on disk', () => {
  it('arms what is new, leaves alone what did not change, and disarms what is gone', () =>
    withWorld(scheduled(), async ({ ops, write, until, clock }) => {
      const next = async (name: string): Promise<string | null | undefined> => {
        const states = await ops.triggers.runtime('demo');
        return states.ok ? states.value.find((state) => state.name === name)?.nextFire : null;
      };
      const every =
        '  every:\n    trigger: { type: schedule, interval: 1h }\n    run: { prompt: x }\n    enabled: true\n';
      write('demo/project.yaml', scheduled() + every);
      expect(await until(() => next('every'))).toBe('2026-03-01T10:00:00.000Z');
      await clock.advance(10 * MINUTE);
      write('demo/project.yaml', scheduled() + every.replace('prompt: x', 'prompt: y'));
      await until(async () => {
        const got = await ops.triggers.get('demo', 'every');
        return got.ok && got.value.record.run.prompt === 'y';
      });
      expect(await next('every')).toBe('2026-03-01T10:00:00.000Z');
      write(
        'demo/project.yaml',
        every.replace('  every', 'triggers:\n  every').replace('1h', '30m'),
      );
      expect(
        await until(async () => {
          const fire = await next('every');
          return fire === '2026-03-01T09:40:00.000Z' ? fire : null;
        }),
      ).toBeTruthy();
      expect(await next('nightly')).toBeUndefined();
    }));

  it('is read once more, however many notifications arrive while its project is read', () => {
    let tell = (_: Slug): void => {};
    let release = (): void => {};
    let looks = 0;
    let isStarted = false;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const projects = (onDisk: Projects): Projects => ({
      ...onDisk,
      async watch(changed) {
        tell = changed;
        return async () => {};
      },
      async snapshot(slug) {
        looks += 1;
        if (isStarted) await held;
        return onDisk.snapshot(slug);
      },
    });
    const test = async (world: World): Promise<void> => {
      isStarted = true;
      looks = 0;
      for (let n = 0; n < 1000; n += 1) tell('demo');
      world.write('demo/project.yaml', scheduled().replace('nightly', 'daily'));
      for (let n = 0; n < 1000; n += 1) tell('demo');
      release();
      await world.until(async () => {
        const states = await world.ops.triggers.runtime('demo');
        return states.ok && states.value.some(({ name }) => name === 'daily');
      });
      let [before, same] = [-1, 0];
      await world.until(() => {
        same = looks === before ? same + 1 : 0;
        before = looks;
        return same > 20;
      });
      expect(looks).toBeLessThan(10);
    };
    return withWorld(scheduled(), test, { projects });
  });

  it('keeps the last good version armed while the file is broken', () =>
    withWorld(scheduled(), async ({ clock, write, runtime, until, logger }) => {
      write('demo/project.yaml', 'triggers: [');
      await until(() =>
        logger.lines.some(({ message }) => message.includes('last valid version stays armed')),
      );
      await clock.advance(MINUTE);
      await until(() => runtime.turns[0]);
    }));

  it('ends the ownership of a session with its trigger', () =>
    withWorld(
      scheduled(', session: resume'),
      async ({ clock, runtime, until, ops, write, store }) => {
        await clock.advance(MINUTE);
        (await until(() => runtime.turns[0])).end();
        const owned = () => store.chats.ownedBy('demo', 'trigger', 'nightly');
        expect(await owned()).toBeTruthy();
        await ops.triggers.remove(USER, 'demo', 'nightly');
        expect(await owned()).toBeNull();
        write('demo/project.yaml', scheduled());
      },
    ));
});

describe('an entry that is not valid', () => {
  const BROKEN = `triggers:
  broken:
    trigger: { type: schedule, cron: "0 3 * *" }
    run: { promt: Do it. }
    owner: me
    enabled: true
`;

  // proves: rest.trigger.invalid
  it('is not called unknown, and says what is wrong with it, unknown fields too', () =>
    withWorld(BROKEN, async ({ ops }) => {
      const issues = [
        { path: 'trigger.cron', line: 3 },
        { path: 'run.prompt' },
        { path: 'owner', message: 'is not a known field and has no effect.', line: 5 },
        { path: 'run.promt', message: expect.stringContaining('did you mean prompt?'), line: 4 },
      ];
      const message = expect.stringMatching(
        /^Trigger "broken" in the project.yaml of "demo" is invalid and is ignored\. .*trigger.cron /,
      );
      const error = { code: 'not_found', message, issues };
      expect(await ops.triggers.get('demo', 'broken')).toMatchObject({ error });
      expect(await ops.triggers.run(USER, 'demo', 'broken')).toMatchObject({ error });
      const list = await ops.triggers.list('demo');
      expect(list.ok && list.value.invalid).toMatchObject([{ name: 'broken', issues }]);
      const other = await ops.triggers.get('demo', 'brokn');
      expect(other).toMatchObject({ error: { message: expect.stringContaining('mean broken?') } });
    }));

  it('is reported when it is put, each fault once', () =>
    withWorld(BROKEN, async ({ ops }) => {
      const record = { trigger: { type: 'webhook' }, run: { maxTurns: 0 }, owner: 'me' };
      const paths = ['run.maxTurns', 'owner'].map((path) => ({ path }));
      const put = await ops.triggers.put(USER, 'demo', 'x', record);
      expect(put).toMatchObject({ error: { code: 'invalid', issues: paths } });
      const verdict = await ops.triggers.validate('demo', record);
      expect(verdict).toMatchObject({ value: { valid: false, issues: paths, warnings: [] } });
    }));
});

describe('listing triggers', () => {
  it('gives records with last run and next fires, what is invalid, and the catalogue', () =>
    withWorld(
      `${scheduled()}  bad: { trigger: { type: schedule }, run: { prompt: x } }\nschedules:\n  old: { type: interval, interval: 1h, prompt: x, enabled: false }\n`,
      async ({ ops }) => {
        const list = await ops.triggers.list('demo');
        if (!list.ok) throw new Error('gone');
        const { value } = list;
        expect(value.triggers).toMatchObject([
          {
            name: 'nightly',
            lastRun: null,
            upcoming: [
              '2026-03-01T09:01:00.000Z',
              '2026-03-01T09:02:00.000Z',
              '2026-03-01T09:03:00.000Z',
              '2026-03-01T09:04:00.000Z',
              '2026-03-01T09:05:00.000Z',
            ],
          },
        ]);
        expect(value.invalid).toMatchObject([
          { name: 'bad', issues: [{ line: expect.any(Number), column: expect.any(Number) }] },
        ]);
        expect(value.legacySchedules).toMatchObject([
          { name: 'old', enabled: false, upcoming: [] },
        ]);
        expect(value.catalog.grantableTools).toEqual(value.grantableTools);
        expect(value.events).toEqual(['onArchive', 'afterTurn']);
      },
    ));

  it('tells each schedule in words, and the tag that a change needs', () =>
    withWorld(
      `triggers:
  daily: { trigger: { type: schedule, cron: "0 3 * * *", timezone: Europe/Berlin }, run: { prompt: x } }
  half: { trigger: { type: schedule, interval: 30m }, run: { prompt: x }, enabled: true }
  hook: { trigger: { type: event, on: onArchive }, run: { prompt: x }, enabled: true }
schedules:
  old: { type: interval, interval: 6h, prompt: x, enabled: true }
`,
      async ({ ops, clock }) => {
        const list = await ops.triggers.list('demo');
        if (!list.ok) throw new Error('gone');
        const { triggers, legacySchedules } = list.value;
        expect(triggers.map(({ schedule }) => schedule)).toEqual([
          {
            description: 'At 03:00 every day (Europe/Berlin)',
            timezone: 'Europe/Berlin',
            firesPerDay: 1,
          },
          { description: 'Every 30 minutes', timezone: null, firesPerDay: 48 },
          null,
        ]);
        expect(legacySchedules[0]?.schedule).toMatchObject({ firesPerDay: 4 });
        clock.suspend(40 * 24 * 60 * MINUTE);
        const later = await ops.triggers.list('demo');
        expect(later.ok && later.value.triggers[0]?.schedule).toEqual(triggers[0]?.schedule);
        for (const { name, etag } of triggers) {
          expect(await ops.triggers.get('demo', name)).toMatchObject({ value: { etag } });
        }
      },
    ));

  it('shows the ten newest runs of each, newest first', () =>
    withWorld(
      `${scheduled()}  other: { trigger: { type: schedule, interval: 1h }, run: { prompt: x } }\n`,
      async ({ ops, clock, runtime, until, runs }) => {
        for (let n = 0; n < 12; n += 1) {
          await clock.advance(MINUTE);
          (await until(() => runtime.turns[n])).end(n === 11 ? 'failed' : 'succeeded');
          await until(async () => (await runs())[0]?.state === 'ended');
        }
        const list = await ops.triggers.list('demo');
        if (!list.ok) throw new Error('gone');
        const [nightly, other] = list.value.triggers;
        const all = await runs();
        expect(nightly?.recentRuns).toEqual(
          all.slice(0, 10).map(({ id, state, outcome, reason, scheduledFor: at }) => ({
            ...{ id, state, outcome, reason, at },
          })),
        );
        expect(nightly?.recentRuns.map(({ outcome }) => outcome).slice(0, 2)).toEqual([
          'failed',
          'succeeded',
        ]);
        expect(other?.recentRuns).toEqual([]);
      },
    ));

  it('sums up what fires more than 48 times a day, so that it hides nothing', () =>
    withWorld(
      `triggers:
  often: { trigger: { type: schedule, interval: 30s }, run: { prompt: x }, enabled: true }
  off: { trigger: { type: schedule, interval: 30s }, run: { prompt: x } }
  half: { trigger: { type: schedule, interval: 30m }, run: { prompt: x }, enabled: true }
  evening: { trigger: { type: schedule, cron: "0 20 * * *", timezone: UTC }, run: { prompt: x }, enabled: true }
`,
      async ({ ops }) => {
        const plan = await ops.triggers.plan('demo', 24);
        if (!plan.ok) throw new Error('gone');
        const { fires, frequent } = plan.value;
        expect(frequent).toEqual([{ trigger: 'often', firesPerDay: 2880 }]);
        expect(fires.filter(({ trigger }) => trigger === 'half')).toHaveLength(48);
        expect(fires).toContainEqual({ trigger: 'evening', at: '2026-03-01T20:00:00.000Z' });
        expect(fires).toHaveLength(49);
      },
    ));

  it('plans the coming hours', () =>
    withWorld(scheduled().replace('* * * * *', '30 * * * *'), async ({ ops }) => {
      const planned = await ops.triggers.upcoming('demo', 2);
      expect(planned.ok && planned.value).toEqual([
        { trigger: 'nightly', at: '2026-03-01T09:30:00.000Z' },
        { trigger: 'nightly', at: '2026-03-01T10:30:00.000Z' },
      ]);
    }));
});

describe('previews', () => {
  it.each([
    [{ cron: '0 12 * * *', timezone: 'UTC' }, '2026-03-01T12:00:00.000Z'],
    [{ interval: '90m' }, '2026-03-01T10:30:00.000Z'],
  ])('%j', (request, first) =>
    withWorld(NO_TRIGGERS, async ({ ops }) => {
      const shown = await ops.preview(request);
      expect(shown.ok && shown.value.upcoming[0]).toBe(first);
    }),
  );

  it.each([
    [{}],
    [{ cron: '* * * * *', interval: '1h' }],
    [{ cron: 'x' }],
    [{ interval: '1h', timezone: 'UTC' }],
  ])('refuses %j', (request) =>
    withWorld(NO_TRIGGERS, async ({ ops }) => {
      expect(await ops.preview(request)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    }),
  );
});

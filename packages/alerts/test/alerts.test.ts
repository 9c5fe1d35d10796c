import { expect, it } from '@jest/globals';
import { ALERT_TYPES, createAlerts, createHeartbeat, type Sent, type Sink } from '@svc/alerts';
import { isoTime } from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { type EndedRun, lossSentence } from '@svc/records';
import { createMemoryStore } from './memory-store.ts';

const DAY = 86_400_000;

function setUp() {
  const clock = createFakeClock();
  const logger = createMemoryLogger();
  const runs: EndedRun[] = [];
  const { store, state } = createMemoryStore(runs);
  const sent: { id: string; type: string; reason: string; data: object }[] = [];
  let answer: Sent = { ok: true };
  const sink: Sink = {
    async send({ id, body }) {
      const { type, data } = JSON.parse(body);
      sent.push({ id, type, reason: data.reason, data });
      return answer;
    },
  };
  let pings = 0;
  let ids = 0;
  const ping = async (): Promise<Sent> => {
    pings += 1;
    return { ok: true };
  };
  const create = (redact = (text: string) => text, cooldownMs = 0) => {
    const rules = { on: ALERT_TYPES, threshold: 1, cooldownMs };
    const heartbeat = createHeartbeat({ clock, logger, ping }, { everyMs: 60_000 });
    const tried: string[] = [];
    const deps = {
      redact,
      clock,
      logger,
      store,
      heartbeat,
      onTried: (_: string, r: string) => tried.push(r),
    };
    return { tried, alerts: createAlerts(deps, new Map([['ops', { sink, rules }]])) };
  };
  const end = (outcome: EndedRun['outcome'], endedAt = clock.now(), why = 'It was so.'): void => {
    const of = { project: 'demo', source: 'trigger', trigger: 'nightly' } as const;
    const reason = outcome === 'succeeded' ? null : why;
    ids += 1;
    const id = `r${ids}-${endedAt}`;
    runs.push({ ...of, id, outcome, reason, endedAt, slots: 0, pausedReason: null });
  };
  const set = (next: Sent) => {
    answer = next;
  };
  return { clock, logger, runs, sent, state, create, end, set, pings: () => pings };
}

// proves: alerts.once, alerts.day
it('sends alerts for runs that an earlier process left pending, but not for runs older than a day', async () => {
  const { clock, runs, sent, create, end } = setUp();
  end('failed', clock.now() - DAY - 1);
  end('failed');
  const { alerts } = create();
  await alerts.start();
  await clock.settle();
  expect(sent.map(({ type }) => type)).toEqual(['failed']);
  expect(runs).toEqual([]);
  await alerts.close();
});

// proves: alerts.day, alerts.restart
it('retries with the same id, also after a restart, and abandons a delivery after a day', async () => {
  const { clock, logger, sent, create, end, set } = setUp();
  set({ ok: false, error: 'The server responded with status 500.' });
  const first = create().alerts;
  await first.start();
  end('failed');
  first.happened();
  await clock.advance(400_000);
  expect(sent).toHaveLength(3);
  await first.close();
  const { alerts, tried } = create();
  await alerts.start();
  await clock.advance(DAY);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(tried).toEqual(['failed', 'failed', 'failed', 'failed', 'given_up']);
  const standing = (await alerts.standing()).get('ops');
  expect(standing?.last).toMatchObject({
    ok: false,
    error: 'The server responded with status 500.',
  });
  const warned = logger.lines.filter(({ message }) => message === 'alert sink failing');
  expect(warned).toHaveLength(1);
  await alerts.close();
  expect(clock.pending).toBe(0);
});

// proves: alerts.sent, alerts.heartbeat
it('sends recoveries and pauses, and pings at most once in its period', async () => {
  const { clock, sent, state, create, end, pings } = setUp();
  const { alerts } = create();
  await alerts.start();
  for (const outcome of ['succeeded', 'failed', 'succeeded', 'succeeded'] as const) {
    end(outcome);
    alerts.happened();
    await clock.settle();
  }
  state.pause = { by: 'ada', at: isoTime(clock.now()), reason: null };
  alerts.happened();
  await clock.settle();
  expect(sent.map(({ type }) => type)).toEqual(['failed', 'recovered', 'paused']);
  expect(pings()).toBe(1);
  await clock.advance(60_000);
  end('succeeded');
  alerts.happened();
  await clock.settle();
  expect(pings()).toBe(2);
  await alerts.close();
});

// proves: alerts.order
it('sends a thousand failures in order, and waiting deliveries as soon as the sink recovers', async () => {
  const { clock, runs, sent, create, end, set } = setUp();
  for (let n = 0; n < 1000; n += 1) end('failed', clock.now(), `failure ${n}`);
  set({ ok: false, error: 'The server responded with status 500.' });
  const { alerts, tried } = create();
  await alerts.start();
  await clock.advance(3_600_000);
  expect(runs).toEqual([]);
  // A failing sink is tried now and then, regardless of how much is waiting.
  expect(tried.length).toBeLessThan(800);
  expect((await alerts.standing()).get('ops')).toMatchObject({ waiting: 1000 });
  sent.length = 0;
  set({ ok: true });
  await clock.advance(5000);
  const [first, ...rest] = sent.map(({ reason }) => Number(reason.split(' ')[1]));
  expect(rest).toEqual([...Array(1000).keys()].filter((n) => n !== first));
  expect((await alerts.standing()).get('ops')).toMatchObject({ waiting: 0 });
  await alerts.close();
});

// proves: alerts.secrets
it('redacts secrets in reasons and sink errors, and truncates a long reason', async () => {
  const { clock, logger, sent, create, end, set } = setUp();
  set({ ok: false, error: 'The command exited with code 3: the key is hunter2' });
  const { alerts } = create((text) => text.replaceAll('hunter2', '[secret]'));
  await alerts.start();
  end('failed', clock.now(), `The key is hunter2. ${'x'.repeat(100_000)}`);
  alerts.happened();
  await clock.settle();
  expect(sent[0]?.reason).toHaveLength(1000);
  expect(sent[0]?.reason).toMatch(/^The key is \[secret\]\. x+…$/);
  const error = 'The command exited with code 3: the key is [secret]';
  expect((await alerts.standing()).get('ops')?.last).toMatchObject({ error });
  expect(await alerts.test('ops')).toMatchObject({ ok: false, error });
  expect(JSON.stringify(logger.lines)).not.toContain('hunter2');
  await alerts.close();
});

// proves: alerts.lost-server
it('reports a lost server once, regardless of how many slots were missed and when they are recorded', async () => {
  const { clock, runs, sent, create, end } = setUp();
  const { alerts } = create();
  await alerts.start();
  const lost = { heartbeatAt: isoTime(clock.now()), goneAt: isoTime(clock.now() + 20_000) };
  const atlas = lossSentence({ id: '0199-a', host: 'atlas (old)', ...lost });
  for (const reason of [atlas, lossSentence({ id: '0199-b', host: null, ...lost }), atlas]) {
    for (let n = 0; n < 50; n += 1) end('missed', clock.now(), reason);
    alerts.happened();
    await clock.settle();
  }
  end('missed');
  alerts.happened();
  await clock.settle();
  expect(sent.map(({ type, reason }) => [type, reason.slice(0, 47)])).toEqual([
    ['missed', 'The server atlas (old) (0199-a) was killed or l'],
    ['missed', 'The server 0199-b was killed or lost its connec'],
    ['missed', 'It was so.'],
  ]);
  expect(runs).toEqual([]);
  await alerts.close();
});

// proves: alerts.limited
it('sends each exhausted limit, also a second one of the same trigger within the cooldown', async () => {
  const { clock, sent, state, create } = setUp();
  const of = { project: 'demo', trigger: 'nightly', day: '2026-03-01', run: null };
  const names = ['policy.costPerDayUsd', 'policy.firesPerDay'];
  state.spent = names.map((limit) => ({ ...of, limit, at: clock.now(), reason: 'It is spent.' }));
  const { alerts } = create(undefined, DAY);
  await alerts.start();
  await clock.advance(0);
  expect(sent.map(({ data }) => data)).toMatchObject(names.map((limit) => ({ limit })));
  await alerts.close();
});

// proves: alerts.limited
it('reports an exhausted daily limit once, with its name and what it applies to', async () => {
  const { clock, sent, state, create } = setUp();
  const note = { day: '2026-03-01', at: clock.now(), run: null, reason: 'It is spent.' };
  const ofAll = { ...note, limit: 'limits.costPerDayUsd', project: null, trigger: null };
  const own = { limit: 'policy.costPerDayUsd', project: 'demo', trigger: 'nightly' };
  const old = { ...note, ...own, at: clock.now() - DAY - 1, limit: 'policy.firesPerDay' };
  state.spent = [ofAll, { ...note, ...own, run: 'r1' }, old];
  const { alerts } = create();
  await alerts.start();
  await clock.advance(0);
  expect(state.spent).toEqual([]);
  expect(sent.map(({ type, data }) => [type, data])).toEqual([
    [
      'limited',
      {
        ...{ project: null, source: null, trigger: null, run: null, outcome: null, slots: 0 },
        ...{ failures: 0, limit: 'limits.costPerDayUsd', reason: 'It is spent.' },
      },
    ],
    [
      'limited',
      {
        ...{ ...own, source: 'trigger', run: 'r1', outcome: 'skipped_limit', slots: 0 },
        ...{ failures: 0, reason: 'It is spent.' },
      },
    ],
  ]);
  await alerts.close();
});

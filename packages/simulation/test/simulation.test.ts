import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import { parseCron, parseInterval } from '@svc/recurrence';
import { type ArmRequest, createScheduler } from '@svc/scheduler';
import { clockDaysOf, type Simulation, type SimulationRequest, simulate } from '@svc/simulation';
import { openStore } from '@svc/store';
import { parseProject } from '@svc/trigger-schema';
import fc from 'fast-check';

const T0 = Date.parse('2026-03-01T09:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = (iso: string): number => Date.parse(iso);

interface Wanted extends Partial<Omit<SimulationRequest, 'rules' | 'projects'>> {
  readonly rules?: Partial<SimulationRequest['rules']>;
  readonly days?: number;
}

function requestOf(yaml: string, { rules, days = 1, ...wanted }: Wanted = {}): SimulationRequest {
  const parsed = parseProject(yaml, { minIntervalMs: 1000 });
  if (!parsed.ok || parsed.value.invalid.length > 0) throw new Error(JSON.stringify(parsed));
  const from = wanted.from ?? T0;
  return {
    projects: [{ slug: 'demo', file: parsed.value }],
    from,
    until: from + days * DAY,
    withDisabled: false,
    durationOf: () => MINUTE,
    costOf: () => 0,
    ...wanted,
    rules: {
      limits: { concurrent: 3, perProject: 2 },
      firesPerDay: null,
      costPerDayUsd: null,
      turnTimeoutMs: HOUR,
      ...rules,
    },
  };
}

const entry = (name: string, when: string, rest = ''): string =>
  `  ${name}: { trigger: { type: schedule, ${when} }, run: { prompt: x }, enabled: true${rest} }\n`;
const project = (...entries: readonly string[]): string => `triggers:\n${entries.join('')}`;

async function one(yaml: string, wanted: Wanted = {}) {
  const { triggers } = await simulate(requestOf(yaml, wanted));
  const [only] = triggers;
  if (only === undefined) throw new Error('There is no trigger.');
  return only;
}

async function slotsOf(request: SimulationRequest): Promise<string[]> {
  const slots: string[] = [];
  await simulate(request, ({ name }, slot) =>
    slots.push(`${name} ${new Date(slot).toISOString()}`),
  );
  return slots;
}

describe('overlapping runs in a simulation', () => {
  const yaml = (policy: string) => project(entry('a', 'interval: 10m', `, policy: ${policy}`));
  const wanted: Wanted = { until: T0 + 2 * HOUR, durationOf: () => 25 * MINUTE };

  // proves: simulate.rules
  it.each([
    // At minute 10, 40, 70, 100: each ends 5 minutes after another slot fell due.
    ['skip', { fires: 11, started: 4, skippedOverlap: 7, held: 0, crowded: 0, longestWaitMs: 0 }],
    // From minute 10 without a pause, a slot of ten minutes before waiting each time.
    ['queue', { fires: 11, started: 5, skippedOverlap: 5, held: 5, longestWaitMs: 25 * MINUTE }],
    // Two of the project at a time: 10, 20, 35, 45, 60, 70, 85, 95, 110.
    ['allow', { fires: 11, started: 9, skippedOverlap: 0, held: 0, crowded: 9 }],
  ])('go by overlap: %s', async (policy, expected) => {
    expect(await one(yaml(`{ overlap: ${policy} }`), wanted)).toMatchObject(expected);
  });

  it('are none where a run takes exactly as long as the interval', async () => {
    const exact = { ...wanted, durationOf: () => 10 * MINUTE };
    expect(await one(yaml('{}'), exact)).toMatchObject({ overlaps: 0, started: 11 });
  });

  it('end with the longest time of the trigger, or of the home', async () => {
    const timed = project(
      `  a: { trigger: { type: schedule, interval: 10m }, run: { prompt: x, timeout: 10m }, enabled: true }\n`,
    );
    expect(await one(timed, wanted)).toMatchObject({ overlaps: 0, durationMs: 10 * MINUTE });
    const limited = { ...wanted, rules: { turnTimeoutMs: 5 * MINUTE } };
    expect(await one(yaml('{}'), limited)).toMatchObject({
      durationMs: 5 * MINUTE,
      isCutShort: true,
    });
  });
});

describe('limits in a simulation', () => {
  const hourly = entry('a', 'cron: "0 * * * *", timezone: UTC', ', policy: { firesPerDay: 5 }');

  // proves: simulate.rules
  it('are those of a trigger on a day of the host', async () => {
    const from = at('2026-03-02T00:00:00');
    expect(await one(project(hourly), { from, days: 3 })).toMatchObject({
      fires: 72,
      started: 15,
      skippedLimit: 57,
    });
  });

  it('are those of all triggers together', async () => {
    const yaml = project(entry('a', 'interval: 1h'), entry('b', 'interval: 2h'));
    const from = at('2026-03-02T00:00:00');
    const { triggers } = await simulate(requestOf(yaml, { from, rules: { firesPerDay: 6 } }));
    expect(triggers.reduce((sum, { started }) => sum + started, 0)).toBe(6);
    expect(triggers.reduce((sum, { skippedLimit }) => sum + skippedLimit, 0)).toBe(28);
  });

  it('are what a day may cost', async () => {
    const from = at('2026-03-02T00:00:00');
    const wanted = { from, costOf: () => 300_000, rules: { costPerDayUsd: 1 } };
    expect(await one(project(entry('a', 'interval: 1h')), wanted)).toMatchObject({
      started: 4,
      skippedLimit: 19,
      costMicrousd: 1_200_000,
    });
  });

  it('are what a day of a trigger and of its project may cost', async () => {
    const from = at('2026-03-02T00:00:00');
    const yaml = `costPerDayUsd: 1.5
${project(entry('a', 'interval: 1h', ', policy: { costPerDayUsd: 0.9 }'), entry('b', 'interval: 1h'))}`;
    const { triggers } = await simulate(requestOf(yaml, { from, costOf: () => 300_000 }));
    expect(triggers.map(({ started }) => started)).toEqual([3, 3]);
  });

  it('bound concurrent turns: further turns wait, and the wait is reported', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const yaml = project(...names.map((name) => entry(name, 'cron: "0 12 * * *", timezone: UTC')));
    const { triggers, pileUps, mostRunning } = await simulate(requestOf(yaml));
    const noon = at('2026-03-01T12:00:00Z');
    expect(mostRunning).toBe(2);
    expect(triggers.map(({ longestWaitMs }) => longestWaitMs)).toEqual([0, 0, MINUTE, MINUTE]);
    expect(pileUps).toMatchObject({ count: 1, lastedMs: MINUTE });
    expect(pileUps.worst).toEqual([
      {
        from: noon,
        until: noon + MINUTE,
        most: 4,
        mostAt: noon,
        triggers: new Set(['demo/trigger/c', 'demo/trigger/d']),
      },
    ]);
  });

  it('end it where ever more turns wait', async () => {
    const yaml = project(entry('a', 'interval: 1s', ', policy: { overlap: allow }'));
    const { overwhelmedAt } = await simulate(requestOf(yaml, { days: 2, durationOf: () => HOUR }));
    expect(overwhelmedAt).toBeGreaterThan(T0 + DAY);
  });
});

describe('the days on which clocks change', () => {
  const YEAR: Wanted = { from: at('2026-01-01T00:00:00Z'), days: 365 };
  const daysOf = async (cron: string, timezone: string) => {
    const yaml = project(entry('a', `cron: "${cron}", timezone: ${timezone}`));
    const request = requestOf(yaml, YEAR);
    const { definition } = await one(yaml, YEAR);
    return clockDaysOf(definition, request.from, request.until);
  };

  // proves: simulate.clocks
  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-10-25'],
    ['America/New_York', '2026-03-08', '2026-11-01'],
  ])('are listed for %s', async (zone, spring, autumn) => {
    const hour = zone === 'Europe/Berlin' ? 2 : 1;
    expect(await daysOf('30 2 * * *', zone)).toMatchObject([
      { day: spring, kind: 'skipped', times: ['02:30'], fires: 'at_once', atTime: '03:00' },
      ...(hour === 2 ? [{ day: autumn, kind: 'repeated', times: ['02:30'], fires: 'first' }] : []),
    ]);
    expect((await daysOf(`30 ${hour} * * *`, zone)).at(-1)).toMatchObject({
      ...{ day: autumn, kind: 'repeated', times: [`0${hour}:30`], fires: 'first' },
    });
    expect((await daysOf('*/20 * * * *', zone)).map(({ kind, fires }) => [kind, fires])).toEqual([
      ['skipped', 'not'],
      ['repeated', 'both'],
    ]);
    expect(await daysOf('0 12 * * *', zone)).toEqual([]);
  });

  // proves: simulate.clocks
  it('have as many fires as they have', async () => {
    const yaml = project(entry('a', 'cron: "30 2 * * *", timezone: Europe/Berlin'));
    const from = at('2026-03-28T12:00:00Z');
    expect(await slotsOf(requestOf(yaml, { from, days: 2 }))).toEqual([
      'a 2026-03-29T01:00:00.000Z',
      'a 2026-03-30T00:30:00.000Z',
    ]);
    const autumn = at('2026-10-24T12:00:00Z');
    expect(await slotsOf(requestOf(yaml, { from: autumn, days: 1 }))).toEqual([
      'a 2026-10-25T00:30:00.000Z',
    ]);
    const often = project(entry('a', 'cron: "*/30 * * * *", timezone: Europe/Berlin'));
    expect((await one(often, { from: autumn, until: autumn + 14 * HOUR })).fires).toBe(28);
  });
});

describe('what is simulated', () => {
  it('is what is enabled, and all schedules on request', async () => {
    const yaml = `${project(entry('a', 'interval: 1h'))}${entry('b', 'interval: 1h').replace('true', 'false')}  c: { trigger: { type: event, on: onArchive }, run: { prompt: x }, enabled: true }
schedules:
  d: { type: interval, interval: 1h, prompt: x, enabled: true }
`;
    const names = ({ triggers }: Simulation) => triggers.map(({ key }) => key.name);
    expect(names(await simulate(requestOf(yaml)))).toEqual(['a', 'd']);
    expect(names(await simulate(requestOf(yaml, { withDisabled: true })))).toEqual(['a', 'b', 'd']);
  });

  it('is started late by its jitter, and keeps its slot', async () => {
    const yaml = project(
      entry('a', 'cron: "0 * * * *", timezone: UTC', ', policy: { jitter: 10m }'),
    );
    const slot = T0 + HOUR;
    const within = { from: T0 + 1, until: slot + 10 * MINUTE + 1 };
    expect(await slotsOf(requestOf(yaml, within))).toEqual([`a ${new Date(slot).toISOString()}`]);
    // Where the delay of this name lies is the same on every machine.
    expect((await one(yaml, { ...within, until: slot + 1000 })).fires).toBe(0);
  });

  it('counts each fire on its day of the host', async () => {
    const from = at('2026-03-02T12:00:00');
    const { days } = await one(project(entry('a', 'interval: 6h')), { from, days: 2 });
    expect([...days]).toEqual([
      ['2026-03-02', 1],
      ['2026-03-03', 4],
      ['2026-03-04', 2],
    ]);
  });
});

const WHENS = [
  'interval: 7m',
  'interval: 90m',
  'interval: 613s',
  'cron: "*/15 * * * *", timezone: Europe/Berlin',
  'cron: "30 2 * * *", timezone: America/New_York',
  'cron: "0 9 * * 1-5", timezone: Australia/Lord_Howe',
  'cron: "15 6 1 * *", timezone: UTC',
];

describe('a simulation', () => {
  // proves: simulate.agrees
  it('foretells the fires that the scheduler makes over a store', async () => {
    const chosen = fc.uniqueArray(fc.constantFrom(...WHENS), { minLength: 1, maxLength: 5 });
    const start = fc
      .integer({ min: at('2026-03-05T00:00:00Z'), max: at('2026-03-29T00:00:00Z') })
      .map((instant) => instant - (instant % MINUTE) + 1);
    await fc.assert(
      fc.asyncProperty(chosen, start, async (whens, from) => {
        const yaml = project(...whens.map((when, n) => entry(`t${n}`, when)));
        const request = requestOf(yaml, { from, until: from + 30 * HOUR });
        expect((await slotsOf(request)).sort()).toEqual((await storedSlots(whens, from)).sort());
      }),
      { numRuns: 6 },
    );
  }, 60_000);
});

async function storedSlots(whens: readonly string[], from: number): Promise<string[]> {
  const clock = createFakeClock(from);
  const folder = mkdtempSync(join(tmpdir(), 'svc-simulation-'));
  const store = await openStore({ clock }, { file: join(folder, 'svc.db'), version: '0' });
  const slots: string[] = [];
  const scheduler = createScheduler({
    clock,
    logger: silentLogger,
    claims: store.claims,
    onFire: (fires) => {
      for (const { key, scheduledFor } of fires)
        slots.push(`${key.name} ${new Date(scheduledFor).toISOString()}`);
    },
  });
  await scheduler.sync('demo', whens.map(armRequest));
  await clock.advance(30 * HOUR - 1);
  await scheduler.close();
  await store.close();
  rmSync(folder, { recursive: true });
  return slots;
}

function armRequest(when: string, n: number): ArmRequest {
  const [, interval] = /^interval: (.+)$/.exec(when) ?? [];
  const [, cron = '', timezone] = /^cron: "(.+)", timezone: (.+)$/.exec(when) ?? [];
  const parsed =
    interval === undefined ? parseCron(cron, { timezone }) : parseInterval(interval, { anchor: 0 });
  if (!parsed.ok) throw new Error(when);
  const { value: recurrence } = parsed;
  return {
    key: { project: 'demo', source: 'trigger', name: `t${n}` },
    schedule:
      recurrence.kind === 'cron'
        ? { kind: 'cron', recurrence }
        : { kind: 'interval', text: interval ?? '' },
    scheduleHash: when,
    definitionHash: when,
    catchUp: 'latest',
    catchUpWindowMs: null,
  };
}

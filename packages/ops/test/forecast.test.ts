import { describe, expect, it } from '@jest/globals';
import { simulate } from '@svc/simulation';
import { parseProject } from '@svc/trigger-schema';
import { MINUTE, T0, type World, withWorld } from './harness.ts';

describe('a simulation', () => {
  // proves: simulate.agrees
  it.each(['skip', 'queue', 'allow'])(
    'forecasts what the service does with overlapping runs: %s',
    (overlap) => {
      const yaml = `triggers:
  a: { trigger: { type: schedule, cron: "* * * * *", timezone: UTC }, run: { prompt: x }, enabled: true, policy: { overlap: ${overlap}, firesPerDay: 4 } }
`;
      return withWorld(yaml, async (world) => {
        const minutes = 14;
        await live(world, minutes, 3);
        const outcomes = await outcomesOf(world);
        const { started, skippedOverlap, skippedLimit } = await forecast(yaml, minutes);
        expect(outcomes).toEqual({ started, skippedOverlap, skippedLimit });
      });
    },
    60_000,
  );
});

async function forecast(yaml: string, minutes: number) {
  const parsed = parseProject(yaml);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  const { triggers } = await simulate({
    projects: [{ slug: 'demo', file: parsed.value }],
    from: T0 + 1,
    until: T0 + minutes * MINUTE + 1,
    withDisabled: false,
    durationOf: () => 3 * MINUTE,
    costOf: () => 0,
    rules: {
      limits: { concurrent: 3, perProject: 2 },
      firesPerDay: null,
      costPerDayUsd: null,
      turnTimeoutMs: 60 * MINUTE,
    },
  });
  const [only] = triggers;
  if (only === undefined) throw new Error('There is no trigger.');
  return only;
}

/** Advances by minutes. Turns end just before the minute at which they have run for `each` minutes. */
async function live(world: World, minutes: number, each: number): Promise<void> {
  const begun: number[] = [];
  const ended = new Set<number>();
  for (let minute = 1; minute <= minutes; minute += 1) {
    await world.clock.advance(MINUTE - 1);
    for (const [n, since] of begun.entries()) {
      if (minute - since < each || ended.has(n)) continue;
      ended.add(n);
      world.runtime.turns[n]?.end();
    }
    await atRest(world);
    await world.clock.advance(1);
    await atRest(world);
    while (begun.length < world.runtime.turns.length) begun.push(minute);
  }
}

async function atRest(world: World): Promise<void> {
  for (let n = 0; n < 8; n += 1) {
    await world.clock.settle();
    await world.runs();
  }
}

async function outcomesOf(world: World) {
  const counted = { started: world.runtime.turns.length, skippedOverlap: 0, skippedLimit: 0 };
  for (const { outcome, slotCount } of await world.runs()) {
    if (outcome === 'skipped_overlap') counted.skippedOverlap += slotCount;
    if (outcome === 'skipped_limit') counted.skippedLimit += slotCount;
  }
  return counted;
}

import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import type { Run } from '@svc/records';
import fc from 'fast-check';
import { MINUTE, T0, type World, withWorld } from './harness.ts';

type Step =
  | { readonly do: 'wait'; readonly minutes: number }
  | { readonly do: 'switch'; readonly on: boolean }
  | { readonly do: 'every'; readonly minutes: number }
  | { readonly do: 'break' | 'remove' | 'pause' | 'resume' }
  | { readonly do: 'down'; readonly minutes: number; readonly changes: boolean }
  | { readonly do: 'set clock'; readonly minutes: number };

const minutes = fc.integer({ min: 1, max: 12 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('switch' as const), on: fc.boolean() }) },
  fc.record({ do: fc.constant('every' as const), minutes: fc.constantFrom(2, 3, 5) }),
  fc.record({ do: fc.constantFrom('break' as const, 'remove', 'pause', 'resume') }),
  fc.record({ do: fc.constant('down' as const), minutes, changes: fc.boolean() }),
  fc.record({ do: fc.constant('set clock' as const), minutes: fc.integer({ min: 2, max: 30 }) }),
);

/** What was done, determined without reading any record. */
interface Era {
  /** In milliseconds since the epoch, until the next. */
  readonly from: number;
  readonly state: 'on' | 'off' | 'invalid' | 'removed' | 'down';
  readonly every: number;
}

const yaml = (enabled: boolean, every: number): string => `triggers:
  nightly:
    trigger: { type: schedule, cron: "*/${every} * * * *", timezone: UTC }
    run: { prompt: "Do it." }
    policy: { overlap: allow, catchUp: ${every === 3 ? 'none' : 'latest'} }
    enabled: ${enabled}
`;

class History {
  readonly eras: Era[] = [];
  state: Exclude<Era['state'], 'down'> = 'on';
  every = 5;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    this.note();
  }

  note(state: Era['state'] = this.state): void {
    this.eras.push({ from: this.world.clock.now(), state, every: this.every });
  }

  text(): string {
    if (this.state === 'removed') return 'triggers: {}\n';
    const text = yaml(this.state === 'on', this.every);
    return this.state === 'invalid' ? text.replace(' * * * *', ' * * *') : text;
  }

  async settle(): Promise<void> {
    const { world } = this;
    world.write('demo/project.yaml', this.text());
    const key = { project: 'demo', source: 'trigger', name: 'nightly' } as const;
    await world.until(async () => {
      const rows = await world.store.changes.of(key);
      const last = rows.findLast(({ kind }) => DEFINING.includes(kind));
      const standing = last?.standing ?? null;
      // What is removed is disarmed with it.
      const since = rows.slice(rows.findLastIndex(({ kind }) => kind === 'removed') + 1);
      const arming = since.findLast(({ kind }) => kind === 'armed' || kind === 'disarmed');
      // The scheduler follows a moment after a change is recorded; a clock must not be set in between.
      if (world.ops.load().armed !== (this.state === 'on' ? 1 : 0)) return false;
      if ((arming?.kind === 'armed') !== (this.state === 'on')) return false;
      if (this.state === 'removed' || this.state === 'invalid') return last?.kind === this.state;
      return (
        standing?.enabled === (this.state === 'on') && standing.cron === `*/${this.every} * * * *`
      );
    });
    this.note();
  }

  async take(one: Step): Promise<void> {
    const { world } = this;
    switch (one.do) {
      case 'wait':
        return this.wait(one.minutes);
      case 'switch':
        this.state = one.on ? 'on' : 'off';
        return this.settle();
      case 'every':
        this.every = one.minutes;
        return this.settle();
      case 'break':
      case 'remove':
        this.state = one.do === 'break' ? 'invalid' : 'removed';
        return this.settle();
      case 'pause':
        await world.ops.pause();
        return;
      case 'resume':
        await world.ops.resume();
        return;
      case 'down':
        this.note('down');
        await world.restart({
          afterMs: one.minutes * MINUTE,
          edit: () => {
            if (one.changes) this.every = this.every === 2 ? 3 : 2;
            world.write('demo/project.yaml', this.text());
          },
        });
        return this.settle();
      case 'set clock':
        world.clock.step(world.clock.now() + one.minutes * MINUTE);
        await world.clock.advance(40_000);
    }
  }

  async wait(count: number): Promise<void> {
    const { world } = this;
    for (let n = 0; n < count * 2; n += 1) {
      await world.clock.advance(MINUTE / 2);
      await world.until(async () => {
        for (const turn of world.runtime.turns.splice(0)) turn.end();
        return (await world.runs()).every(({ state }) => state === 'ended');
      });
    }
  }

  at(instant: number): Era | null {
    return this.eras.findLast(({ from }) => from <= instant) ?? null;
  }
}

const DEFINING = ['defined', 'changed', 'enabled', 'disabled', 'removed', 'invalid', 'fixed'];
const UNSTARTED = ['down', 'superseded', 'not_armed', 'undecided', 'due'];

function covering(runs: readonly Run[], instant: number, isSlot: boolean): Run | undefined {
  return runs.find(({ scheduledFor, scheduledUntil }) => {
    const [first, last] = [Date.parse(scheduledFor ?? ''), Date.parse(scheduledUntil ?? '')];
    return instant === first || instant === last || (isSlot && instant > first && instant < last);
  });
}

describe('the answer to why', () => {
  // proves: why.one-answer
  it(
    'is one for every instant of whatever happened, and agrees with the rows',
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
          await withWorld(yaml(true, 5), async (world) => {
            const history = new History(world);
            for (const one of steps) await history.take(one);
            await history.wait(3);
            // Whatever is being claimed is claimed by the time that it is off.
            await history.take({ do: 'switch', on: false });
            await history.wait(1);
            const runs = await world.runs();
            for (let at = T0 - 2 * MINUTE; at <= world.clock.now() + MINUTE; at += MINUTE) {
              await agrees(world, history, runs, at);
              await agrees(world, history, runs, at + 17_123);
            }
          });
        }),
        { numRuns: 12 },
      ),
    120_000,
  );
});

async function agrees(
  { ops }: World,
  history: History,
  runs: readonly Run[],
  at: number,
): Promise<void> {
  const asked = { project: 'demo', name: 'nightly', at: new Date(at).toISOString() };
  const call = { signal: new AbortController().signal };
  const answer = await ops.operations.call(USER, 'why_trigger', asked, call);
  if (!answer.ok) throw new Error(answer.error.message);
  const { decision, sentences, runId } = answer.value;
  const era = history.at(at);
  const context = { at: asked.at, era, sentences };
  expect({ ...context, count: sentences.length > 0 }).toEqual({ ...context, count: true });
  const isSlot = era !== null && at % (era.every * MINUTE) === 0;
  const run = covering(runs, at, isSlot);
  if (run !== undefined) {
    const means =
      run.outcome === 'missed' ? 'missed' : run.outcome === 'skipped_paused' ? 'skipped' : 'fired';
    expect({ ...context, decision, runId }).toEqual({ ...context, decision: means, runId: run.id });
    return;
  }
  expect({ ...context, runId }).toEqual({ ...context, runId: null });
  const expected = era === null ? ['not_recorded'] : withoutRun(history, era, isSlot);
  const isExpected = expected.includes(decision);
  expect({ ...context, expected, decision, isExpected }).toEqual({
    ...{ ...context, expected, decision },
    isExpected: true,
  });
}

function withoutRun({ eras }: History, era: Era, isSlot: boolean): readonly string[] {
  if (era.state !== 'on' && era.state !== 'down') return [era.state];
  const before = eras[eras.indexOf(era) - 1]?.state;
  // What was off when the service went down is off until it is back.
  if (era.state === 'down' && before !== undefined && before !== 'on') return [before];
  return isSlot ? UNSTARTED : ['no_slot'];
}

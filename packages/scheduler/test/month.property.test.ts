import { describe, expect, it } from '@jest/globals';
import { createFakeClock, createMemoryLogger, type FakeClock } from '@svc/core/testing';
import {
  type SlotClaim,
  type SlotCursor,
  type SlotsAhead,
  type TriggerId,
  type TriggerKey,
  triggerId,
} from '@svc/records';
import { countFires, nextFireMs, parseInterval, type Recurrence } from '@svc/recurrence';
import { type ArmRequest, createScheduler, type Fire, type Scheduler } from '@svc/scheduler';
import fc from 'fast-check';
import { cronOf, DAY, earlyTimers, every, HOUR, MINUTE, requestOf, SECOND } from './harness.ts';
import { createMemoryClaims, type MemoryClaims } from './memory-claims.ts';

const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe'];
const EXPRESSIONS = [
  '*/15 * * * *',
  '30 * * * *',
  '0 */2 * * *',
  '30 2 * * *',
  '0,30 1,2,3 * * *',
  '0 12 * * *',
  '0 9 * * 1-5',
  '15 6 1 * *',
  '*/20 2 * * *',
];
const INTERVALS = ['7m', '25m', '1h', '90m', '5h', '24h', '613s', '3d'];

const DELAYS = [1, 999, 17 * SECOND, 4 * MINUTE + 1, 55 * MINUTE, 7 * HOUR];

function triggers(): ArmRequest[] {
  const crons = ZONES.flatMap((zone) =>
    EXPRESSIONS.flatMap((expression) =>
      (['latest', 'none'] as const).map((catchUp) =>
        requestOf(
          `c${zone}${expression}${catchUp}`.replace(/[^a-z0-9]/gi, ''),
          { kind: 'cron', recurrence: cronOf(expression, zone) },
          expression,
          { catchUp },
        ),
      ),
    ),
  );
  const intervals = INTERVALS.flatMap((text) =>
    (['latest', 'none'] as const).flatMap((catchUp) => [
      every(`i${text}${catchUp}`, text, { catchUp }),
      every(`w${text}${catchUp}`, text, { catchUp, catchUpWindowMs: 10 * MINUTE }),
    ]),
  );
  return [...crons, ...intervals].map((request, index) => ({
    ...request,
    key: { ...request.key, name: `${request.key.name}${index}` },
    ...(index % 5 === 0 ? { delayMs: DELAYS[(index / 5) % DELAYS.length] as number } : {}),
  }));
}

interface Event {
  /** The stored data, for an arming. */
  readonly stored: SlotCursor | null;
  /** The instant to which the clock was set back, if slots were withdrawn. */
  readonly backTo?: number;
  readonly claim: SlotClaim | null;
  /** The first lost claim on the trigger in its batch; later ones do not count. */
  readonly lost: boolean;
}

/** Everything that the store received from the scheduler, per trigger and in order. */
function recording(claims: MemoryClaims): Map<TriggerId, Event[]> {
  const events = new Map<TriggerId, Event[]>();
  const note = (key: TriggerKey, event: Event) => {
    const list = events.get(triggerId(key));
    if (list === undefined) events.set(triggerId(key), [event]);
    else list.push(event);
  };
  const { arm, claim, takeBack } = claims;
  claims.takeBack = async (batch) => {
    await takeBack(batch);
    for (const { key, now } of batch)
      note(key, { stored: null, claim: null, lost: false, backTo: now });
  };
  claims.arm = async (batch) => {
    await arm(batch);
    for (const { key, cursor } of batch) note(key, { stored: cursor, claim: null, lost: false });
  };
  claims.claim = async (batch) => {
    const before = claims.lost.length;
    try {
      return await claim(batch);
    } finally {
      const lost = new Set(claims.lost.slice(before));
      const losers = new Set<TriggerId>();
      for (const one of claims.fault.claim ? [] : batch) {
        const id = triggerId(one.key);
        if (!losers.has(id)) note(one.key, { stored: null, claim: one, lost: lost.has(one) });
        if (lost.has(one)) losers.add(id);
      }
    }
  };
  return events;
}

type Act =
  | 'suspend'
  | 'forward'
  | 'back'
  | 'farBack'
  | 'restart'
  | 'down'
  | 'fail'
  | 'unheard'
  | 'pause'
  | 'toggle';
interface Step {
  readonly awake: number;
  readonly act: Act;
  readonly size: number;
}

const step = fc.record({
  awake: fc.oneof(fc.integer({ min: 1, max: 90 * SECOND }), fc.integer({ min: MINUTE, max: DAY })),
  act: fc.constantFrom<Act>(
    'suspend',
    'forward',
    'back',
    'farBack',
    'restart',
    'down',
    'fail',
    'unheard',
    'pause',
    'toggle',
  ),
  size: fc.oneof(
    fc.integer({ min: 2001, max: 120 * SECOND }),
    fc.integer({ min: MINUTE, max: 11 * HOUR }),
  ),
});

class Simulation {
  readonly clock: FakeClock = createFakeClock('2026-03-07T00:00:00.000Z');
  readonly claims = createMemoryClaims();
  readonly events = recording(this.claims);
  readonly fires: Fire[] = [];
  readonly logger = createMemoryLogger();
  readonly all: readonly ArmRequest[] = triggers();
  scheduler: Scheduler = this.start();

  start(): Scheduler {
    const { claims, logger } = this;
    const onFire = (won: readonly Fire[]) => void this.fires.push(...won);
    // Work that yields for longer than the fake clock waits would let days pass in a moment.
    const clock = { ...earlyTimers(this.clock), yield: async () => {} };
    return createScheduler({ clock, logger, claims, onFire });
  }

  sync(wanted = this.all) {
    return this.scheduler.sync('demo', wanted);
  }

  async restart(downMs: number): Promise<void> {
    await this.scheduler.close();
    expect(this.clock.pending).toBe(0);
    this.clock.suspend(downMs);
    this.scheduler = this.start();
    await this.sync();
  }

  async act({ act, size }: Step): Promise<void> {
    const { clock, claims } = this;
    const acts: Record<Act, () => Promise<unknown>> = {
      suspend: async () => clock.suspend(size),
      forward: async () => clock.step(clock.now() + size),
      back: async () => clock.step(clock.now() - (size % (3 * HOUR - 1))),
      farBack: async () => clock.step(clock.now() - 3 * HOUR - (size % (5 * HOUR))),
      restart: () => this.restart(0),
      down: () => this.restart(size),
      fail: async () => {
        claims.fault.claim = new Error('disk full');
        await clock.advance(size % (2 * HOUR));
        claims.fault = {};
      },
      unheard: async () => {
        claims.losesAnswers = true;
        await clock.advance(size % (10 * MINUTE));
        claims.losesAnswers = false;
      },
      pause: async () => {
        this.scheduler.pauseAll(true);
        await clock.advance(size);
        this.scheduler.pauseAll(false);
      },
      toggle: async () => {
        await this.sync(this.all.filter((_, index) => index % 3 !== size % 3));
        await clock.advance(size % (20 * MINUTE));
        await this.sync();
      },
    };
    await acts[act]();
  }
}

function recurrenceOf(request: ArmRequest, anchor: number): Recurrence {
  if (request.schedule.kind === 'cron') return request.schedule.recurrence;
  const parsed = parseInterval(request.schedule.text, { anchor });
  if (!parsed.ok) throw new Error('not an interval');
  return parsed.value;
}

/** The state of one trigger derived from its claims, and their errors. */
interface Tale {
  cursor: number;
  recurrence: Recurrence | null;
  readonly runs: Set<number>;
  readonly faults: string[];
}

/** Every slot after the arming must be in exactly one won claim, in order and without a gap. */
function taleOf(simulation: Simulation, request: ArmRequest): Tale {
  const tale: Tale = { cursor: Number.NaN, recurrence: null, runs: new Set(), faults: [] };
  const { delayMs = 0 } = request;
  const events = simulation.events.get(triggerId(request.key)) ?? [];
  for (const { stored, claim, lost, backTo } of events) {
    if (backTo !== undefined) {
      if (tale.cursor > backTo) tale.cursor = backTo;
    } else if (stored !== null) {
      tale.cursor = stored.cursor;
      tale.recurrence = recurrenceOf(request, stored.anchor);
    } else if (claim !== null && !(lost && claim.from <= tale.cursor)) {
      follow(tale, tale.recurrence as Recurrence, { claim, lost, delayMs });
    }
  }
  judge(tale, simulation, request);
  return tale;
}

/** The invariants at the end. */
function judge(tale: Tale, simulation: Simulation, request: ArmRequest): void {
  const { delayMs = 0 } = request;
  const recurrence = tale.recurrence as Recurrence;
  const now = simulation.clock.now();
  const next = openSlot(recurrence, tale.cursor, tale.runs);
  const coming = openSlot(recurrence, Math.max(tale.cursor, now), tale.runs);
  if (coversTwice(simulation.claims.rows.get(triggerId(request.key)) ?? []))
    tale.faults.push('a slot is covered twice');
  const state = simulation.scheduler.state(request.key);
  if (next === null || next + delayMs <= now) tale.faults.push('a slot is left undecided');
  if (!state?.armed || state.nextFire !== coming) tale.faults.push('the state is not the truth');
}

function coversTwice(all: readonly SlotsAhead[]): boolean {
  const rows = [...all].sort((a, b) => a.from - b.from);
  return rows.some(({ from }, index) => from <= (rows[index - 1]?.until ?? 0));
}

/** The first slot after an instant that has not run. */
function openSlot(recurrence: Recurrence, after: number, runs: ReadonlySet<number>): number | null {
  let slot = nextFireMs(recurrence, after);
  while (slot !== null && runs.has(slot)) slot = nextFireMs(recurrence, slot);
  return slot;
}

interface DecidedClaim {
  readonly claim: SlotClaim;
  readonly lost: boolean;
  readonly delayMs: number;
}

function follow(tale: Tale, recurrence: Recurrence, { claim, lost, delayMs }: DecidedClaim): void {
  const { cursor, runs, faults } = tale;
  const wrong = (what: string) =>
    faults.push(`${what}: ${JSON.stringify({ cursor, lost, claim })}`);
  if (claim.from !== openSlot(recurrence, cursor, runs)) wrong('not in turn');
  if (claim.claimedAt < claim.until + delayMs) wrong('too early');
  if (claim.lateMs !== claim.claimedAt - claim.from - delayMs) wrong('wrong lateness');
  if (lost) wrong('lost for no reason');
  const { count, last } = countFires(recurrence, claim.from - 1, claim.until);
  if ([...runs].some((run) => run >= claim.from && run <= claim.until)) wrong('ran before');
  if (claim.count !== count || claim.until !== last) wrong('wrong count');
  if (claim.as === 'run' && claim.count !== 1) wrong('several slots in one run');
  if (claim.as === 'run') runs.add(claim.from);
  tale.cursor = claim.until;
}

function expectHonest({ claims, fires, logger }: Simulation): void {
  expect(new Set(fires.map((fire) => fire.runId)).size).toBe(fires.length);
  expect(fires.filter((fire) => !fire.catchUp && fire.lateMs > 2 * SECOND)).toEqual([]);
  expect(fires.filter((fire) => fire.lateMs < 0)).toEqual([]);
  const reasons = claims.won.map((claim) => claim.reason);
  expect(new Set(reasons)).not.toContain('It could not be claimed in time.');
  const messages = logger.lines.map((line) => line.message);
  expect(messages.filter((message) => message.includes('could not be computed'))).toEqual([]);
}

async function live(steps: readonly Step[]): Promise<Simulation> {
  const simulation = new Simulation();
  await simulation.sync();
  for (const one of steps) {
    await simulation.clock.advance(one.awake);
    await simulation.act(one);
  }
  await simulation.clock.advance(3 * MINUTE);
  return simulation;
}

describe('a month of restarts, sleep, failures and wrong clocks', () => {
  // proves: firing.slot.exactly-once
  it('covers every slot of a hundred triggers exactly once, on time while awake', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 45, maxLength: 45 }), async (steps) => {
        const simulation = await live(steps);
        expect(simulation.scheduler.size).toBe(104);
        const tales = simulation.all.map((request) => taleOf(simulation, request));
        expect(tales.flatMap((tale) => tale.faults)).toEqual([]);
        const total = tales.reduce((sum, tale) => sum + tale.runs.size, 0);
        expect(total).toBeGreaterThan(3000);
        if (steps.every((one) => one.act !== 'unheard')) {
          expect(simulation.fires).toHaveLength(total);
        }
        expectHonest(simulation);
        await simulation.scheduler.close();
        expect(simulation.clock.pending).toBe(0);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  }, 60_000);
});

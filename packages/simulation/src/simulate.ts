import { nextTick } from 'node:process';
import { type Checked, silentLogger } from '@svc/core';
import {
  armRequestOf,
  budgetOf,
  costLimitsOf,
  type Definition,
  definitionsOf,
  recurrenceOf,
} from '@svc/engine';
import { type Slug, type TriggerId, type TriggerKey, triggerId } from '@svc/records';
import { firesPerDay } from '@svc/recurrence';
import { type ArmRequest, createScheduler, type Fire } from '@svc/scheduler';
import type { ProjectFile } from '@svc/trigger-schema';
import { createMemorySlots } from './memory-slots.ts';
import type { PileUp } from './pile-ups.ts';
import { createSimulatedClock } from './simulated-clock.ts';
import { type Course, createSimulatedTurns, type TurnRules } from './simulated-turns.ts';
import { createTally, type Tally } from './tally.ts';

/** What to simulate, from `from` to before `until`, both in milliseconds since the epoch. */
export interface SimulationRequest {
  readonly projects: readonly { readonly slug: Slug; readonly file: ProjectFile }[];
  readonly from: number;
  readonly until: number;
  /** Whether disabled triggers fire too. */
  readonly withDisabled: boolean;
  /** Assumed duration of a turn of a trigger, in milliseconds. */
  durationOf(key: TriggerKey): number;
  /** Assumed cost of a turn of a trigger, in millionths of a US dollar. */
  costOf(key: TriggerKey): number;
  /** Aborts the simulation, whose result is then useless. Default: none. */
  readonly signal?: AbortSignal;
  readonly rules: TurnRules & {
    /** Maximum duration of a turn whose trigger sets none, in milliseconds. */
    readonly turnTimeoutMs: number;
  };
}

/** Result of one trigger. */
export interface SimulatedTrigger extends Readonly<Omit<Tally, 'days'>> {
  readonly key: TriggerKey;
  readonly definition: Definition;
  readonly days: ReadonlyMap<string, number>;
  /** Duration of each of its turns, in milliseconds. */
  readonly durationMs: number;
  /** Whether its turns reach their time limit before their assumed duration. */
  readonly isCutShort: boolean;
  /** Why it cannot be armed; null if it can. */
  readonly fault: string | null;
}

/** Result of a simulation. */
export interface Simulation {
  readonly triggers: readonly SimulatedTrigger[];
  readonly mostRunning: number;
  /** When it was aborted because ever more turns waited, in milliseconds since the epoch; null if it completed. */
  readonly overwhelmedAt: number | null;
  readonly pileUps: {
    readonly count: number;
    readonly lastedMs: number;
    readonly worst: readonly PileUp[];
  };
}

/** The simulated triggers: enabled schedules, or all with `withDisabled`. */
function simulatedDefinitions({
  projects,
  withDisabled,
}: Pick<SimulationRequest, 'projects' | 'withDisabled'>): Definition[] {
  return projects
    .flatMap(({ slug, file }) => definitionsOf(slug, file))
    .filter(({ enabled, when }) => when !== null && (enabled || withDisabled))
    .map((definition) => ({ ...definition, enabled: true }));
}

/** Approximate number of fires of a simulation, known before it runs. */
export function estimatedFires(request: SimulationRequest): number {
  const days = (request.until - request.from) / DAY_MS;
  return simulatedDefinitions(request).reduce((sum, { when }) => {
    const recurrence = when === null ? null : recurrenceOf(when, request.from);
    return sum + (recurrence === null ? 0 : days * firesPerDay(recurrence, new Date(request.from)));
  }, 0);
}

/**
 * Runs the scheduler for the triggers of some projects on a simulated clock. Turns start by the rules of the service,
 * and take the assumed time and cost. Nothing is read, written or executed.
 *
 * @param onFire called with each slot, in order
 */
export async function simulate(
  request: SimulationRequest,
  onFire: (key: TriggerKey, slot: number) => void = () => {},
): Promise<Simulation> {
  const { from, until, rules, signal } = request;
  const clock = createSimulatedClock(from - 1);
  const courses = coursesOf(request);
  const turns = createSimulatedTurns(clock, courses, rules);
  const begin = async (fires: readonly Fire[]): Promise<void> => {
    for (const { key, scheduledFor } of fires) onFire(key, scheduledFor);
    await turns.begin(fires);
  };
  const deps = { clock, logger: silentLogger, claims: createMemorySlots(), onFire: begin };
  // This clock is never set, so the scheduler need not check it periodically.
  const scheduler = createScheduler(deps, { maxSleepMs: DAY_MS });
  // Cron slots at the start fire; intervals start at the start.
  await arm(scheduler, request.projects, onlyCron(courses));
  clock.passTo(from);
  const faults = await arm(scheduler, request.projects, courses);
  let overwhelmedAt: number | null = null;
  for (let round = 0; overwhelmedAt === null && !signal?.aborted; round += 1) {
    const at = Math.min(clock.nextAt, turns.nextEnd);
    if (at >= until) break;
    clock.passTo(at);
    // A turn that ends at an instant makes room for turns that start then.
    if (turns.nextEnd <= at) turns.endDue();
    else clock.runDue();
    await settled(round);
    turns.look();
    if (turns.waiting > MOST_WAITING) overwhelmedAt = at;
  }
  await scheduler.close();
  turns.pileUps.close(until);
  const { count, lastedMs, worst } = turns.pileUps;
  return {
    triggers: [...courses.values()].map((course) => resultOf(request, course, faults)),
    mostRunning: turns.mostRunning,
    overwhelmedAt,
    pileUps: { count, lastedMs, worst },
  };
}

const DAY_MS = 86_400_000;

/** This many waiting turns take about 70 MB. */
const MOST_WAITING = 100_000;

const LET_OTHERS_IN = 1000;

/**
 * Waits until all promises have settled; there is no other work. A tick comes after all of them, and costs less than a
 * turn of the event loop, which is needed now and then to receive signals.
 */
function settled(round: number): Promise<void> {
  return new Promise((resolve) => {
    if (round % LET_OTHERS_IN === 0) setImmediate(resolve);
    else nextTick(resolve);
  });
}

function coursesOf(request: SimulationRequest): Map<TriggerId, Course> {
  const { durationOf, costOf, rules, projects } = request;
  const settings = new Map(projects.map(({ slug, file }) => [slug, file.settings]));
  return new Map(
    simulatedDefinitions(request).map((definition) => {
      const { key, run } = definition;
      const longest = run.timeoutMs ?? rules.turnTimeoutMs;
      const course: Course = {
        definition,
        durationMs: Math.min(durationOf(key), longest),
        costMicrousd: costOf(key),
        limits: costLimitsOf(key.project, settings.get(key.project) ?? null, {
          bounds: budgetOf(definition),
        }),
        tally: createTally(),
        open: 0,
        held: null,
      };
      return [triggerId(key), course] as const;
    }),
  );
}

function onlyCron(courses: ReadonlyMap<TriggerId, Course>): Map<TriggerId, Course> {
  return new Map([...courses].filter(([, { definition }]) => definition.when?.kind === 'cron'));
}

async function arm(
  scheduler: ReturnType<typeof createScheduler>,
  projects: SimulationRequest['projects'],
  courses: ReadonlyMap<TriggerId, Course>,
): Promise<Map<TriggerId, string>> {
  const faults = new Map<TriggerId, string>();
  for (const { slug } of projects) {
    const wanted: ArmRequest[] = [];
    for (const [id, { definition }] of courses) {
      if (definition.key.project !== slug) continue;
      const request: Checked<ArmRequest> | null = armRequestOf(definition, '');
      if (request?.ok === true) wanted.push(request.value);
      else faults.set(id, 'Its schedule cannot be read.');
    }
    const { failed } = await scheduler.sync(slug, wanted);
    for (const { key, reason } of failed) faults.set(triggerId(key), reason);
  }
  return faults;
}

function resultOf(
  { durationOf }: SimulationRequest,
  { definition, durationMs, tally }: Course,
  faults: ReadonlyMap<TriggerId, string>,
): SimulatedTrigger {
  const { key } = definition;
  return {
    ...tally,
    key,
    definition,
    durationMs,
    isCutShort: durationMs < durationOf(key),
    fault: faults.get(triggerId(key)) ?? null,
  };
}

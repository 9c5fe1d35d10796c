import { type Clock, silentLogger } from '@svc/core';
import {
  type CostLimits,
  createDailyCost,
  type Definition,
  dailyLimits,
  overlapStop,
  type RunsUnderWay,
} from '@svc/engine';
import { type RunId, type TriggerId, type TriggerKey, triggerId } from '@svc/records';
import type { Fire } from '@svc/scheduler';
import { type CostOwner, createTurnQueue, type TurnLimits } from '@svc/store';
import { createPileUps, type PileUps } from './pile-ups.ts';
import { createDayFormatter, type Tally } from './tally.ts';

/** A trigger in a simulation. */
export interface Course {
  readonly definition: Definition;
  /** Assumed duration of each of its turns, in milliseconds. */
  readonly durationMs: number;
  /** Assumed cost of each, in millionths of a US dollar. */
  readonly costMicrousd: number;
  readonly limits: CostLimits;
  readonly tally: Tally;
  /** Number of its unfinished turns. */
  open: number;
  /** The slot that waits for the run before it. */
  held: Slot | null;
}

interface Slot {
  readonly runId: RunId;
  /** When it should start, in milliseconds since the epoch. */
  readonly dueAt: number;
}

/** Rules for the start of turns. */
export interface TurnRules {
  readonly limits: TurnLimits;
  readonly firesPerDay: number | null;
  readonly costPerDayUsd: number | null;
}

/** The turns of a simulation, which only take time. */
export interface SimulatedTurns {
  /** When the next turn ends, in milliseconds since the epoch; Infinity if none is running. */
  readonly nextEnd: number;
  readonly pileUps: PileUps;
  /** Maximum number of concurrently running turns. */
  readonly mostRunning: number;
  /** Number of turns that wait for capacity. */
  readonly waiting: number;
  /** Starts claimed slots by the rules of the service. */
  begin(fires: readonly Fire[]): Promise<void>;
  /** Ends the turns whose time is over. */
  endDue(): void;
  /** Call it when everything at an instant has settled. */
  look(): void;
}

const PAID = { holds: { cost: 'estimate' } } as const;

/** Creates the turns of some triggers; none is running yet. */
export function createSimulatedTurns(
  clock: Clock,
  courses: ReadonlyMap<TriggerId, Course>,
  rules: TurnRules,
): SimulatedTurns {
  return new Turns(clock, courses, rules);
}

interface Ending {
  readonly at: number;
  readonly course: Course;
  readonly end: () => void;
}

class Turns implements SimulatedTurns {
  readonly pileUps = createPileUps();
  mostRunning = 0;
  private readonly clock: Clock;
  private readonly courses: ReadonlyMap<TriggerId, Course>;
  private readonly rules: TurnRules;
  private readonly queue: ReturnType<typeof createTurnQueue>;
  private readonly dayOf = createDayFormatter();
  private readonly today = {
    day: '',
    fires: 0,
    ofTrigger: new Map<Course, number>(),
    cost: new Map<string, number>(),
  };
  private readonly cost: ReturnType<typeof createDailyCost>;
  private readonly opened = new Map<RunId, { course: Course; slot: Slot }>();
  private readonly endings: Ending[] = [];
  private readonly underWay: RunsUnderWay = {
    store: {
      runs: {
        isBusy: async (key) => (this.courseOf(key)?.open ?? 0) > 0,
        hold: async (id, key) => {
          const held = this.courseOf(key)?.held ?? null;
          return held === null || held.runId === id;
        },
      },
    },
  };

  constructor(clock: Clock, courses: ReadonlyMap<TriggerId, Course>, rules: TurnRules) {
    this.clock = clock;
    this.courses = courses;
    this.rules = rules;
    this.queue = createTurnQueue({ clock, logger: silentLogger }, rules.limits);
    this.queue.work((id) => this.run(id));
    const usage = { costOn: async (_: string, of?: CostOwner) => this.costOf(of) };
    const store = { usage, turns: { used: async () => {} } };
    this.cost = createDailyCost({ clock, store }, rules);
  }

  get nextEnd(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.endings) next = Math.min(next, at);
    return next;
  }

  get waiting(): number {
    return this.queue.waiting;
  }

  async begin(fires: readonly Fire[]): Promise<void> {
    for (const { key, runId, scheduledFor, lateMs } of fires) {
      const course = this.courseOf(key);
      if (course === undefined) continue;
      const { tally } = course;
      const day = this.dayOf(scheduledFor);
      tally.fires += 1;
      tally.days.set(day, (tally.days.get(day) ?? 0) + 1);
      if (course.open > 0) tally.overlaps += 1;
      await this.start(course, { runId, dueAt: this.clock.now() - lateMs });
    }
  }

  endDue(): void {
    const now = this.clock.now();
    const due = this.endings.filter(({ at }) => at <= now);
    for (const ending of due) {
      this.endings.splice(this.endings.indexOf(ending), 1);
      const { course } = ending;
      course.open -= 1;
      course.tally.costMicrousd += course.costMicrousd;
      this.spend(course);
      ending.end();
    }
    void this.goOn(due);
  }

  look(): void {
    this.mostRunning = Math.max(this.mostRunning, this.queue.running);
    this.pileUps.look(this.clock.now(), this.queue);
  }

  private async goOn(ended: readonly Ending[]): Promise<void> {
    for (const { course } of ended) {
      if (course.held !== null) await this.start(course, course.held);
    }
  }

  private async start(course: Course, slot: Slot): Promise<void> {
    const { definition, tally } = course;
    const { key } = definition;
    const request = { key, cause: 'schedule', claimed: slot.runId } as const;
    const stop = await overlapStop(this.underWay, request, definition);
    if (stop?.waits === true) {
      if (course.held === null) tally.held += 1;
      course.held = slot;
      return;
    }
    if (course.held === slot) course.held = null;
    if (stop !== null) tally.skippedOverlap += 1;
    else if (await this.isSpent(course)) tally.skippedLimit += 1;
    else this.open(course, slot);
  }

  private open(course: Course, slot: Slot): void {
    const { key, session } = course.definition;
    const sessionId = session === 'resume' ? triggerId(key) : slot.runId;
    course.open += 1;
    this.opened.set(slot.runId, { course, slot });
    this.queue.add({ id: slot.runId, project: key.project, sessionId });
    if (!this.opened.has(slot.runId)) return;
    course.tally.crowded += 1;
    this.pileUps.waits(triggerId(key));
  }

  private async isSpent(course: Course): Promise<boolean> {
    const { definition } = course;
    if (course.costMicrousd > 0 && (await this.cost.refusal(PAID, null, course.limits)) !== null) {
      return true;
    }
    const { ofTrigger, ofAll } = dailyLimits(definition, this.rules, this.clock.now());
    const today = this.onToday();
    const fires = (today.ofTrigger.get(course) ?? 0) + 1;
    if (fires > (ofTrigger ?? fires) || today.fires + 1 > (ofAll ?? Number.POSITIVE_INFINITY))
      return true;
    today.ofTrigger.set(course, fires);
    today.fires += 1;
    return false;
  }

  private spend({ costMicrousd, definition: { key } }: Course): void {
    const today = this.onToday();
    for (const owner of ['', key.project, triggerId(key)]) {
      today.cost.set(owner, (today.cost.get(owner) ?? 0) + costMicrousd);
    }
  }

  private costOf(of: CostOwner | undefined): number {
    const { cost } = this.onToday();
    if (of === undefined) return cost.get('') ?? 0;
    if ('project' in of) return cost.get(of.project) ?? 0;
    const { project, trigger: name } = of.budget;
    return cost.get(triggerId({ project, source: 'trigger', name })) ?? 0;
  }

  private run(id: RunId): Promise<void> {
    const opened = this.opened.get(id);
    if (opened === undefined) return Promise.resolve();
    this.opened.delete(id);
    const { course, slot } = opened;
    const now = this.clock.now();
    const { tally } = course;
    tally.started += 1;
    tally.longestWaitMs = Math.max(tally.longestWaitMs, now - slot.dueAt);
    return new Promise((end) => {
      this.endings.push({ at: now + course.durationMs, course, end });
    });
  }

  private onToday(): Turns['today'] {
    const day = this.dayOf(this.clock.now());
    if (day !== this.today.day) {
      this.today.ofTrigger.clear();
      this.today.cost.clear();
      Object.assign(this.today, { day, fires: 0 });
    }
    return this.today;
  }

  private courseOf(key: TriggerKey): Course | undefined {
    return this.courses.get(triggerId(key));
  }
}

import type { Clock, Logger } from '@svc/core';
import type { Slug, TriggerKey } from '@svc/records';
import { Absences } from './absences.ts';
import type { ArmReport, ArmRequest, ArmState } from './arm-request.ts';
import { Armer } from './armer.ts';
import { Claimer } from './claimer.ts';
import { ClockWatch } from './clock-watch.ts';
import { Collector } from './collector.ts';
import { type Entry, isArmed } from './entry.ts';
import { SchedulerError } from './errors.ts';
import type { Fire, MissedSlots } from './fire.ts';
import { Firing } from './firing.ts';
import { WakeHeap } from './heap.ts';
import { Incident } from './incident.ts';
import { resolveLimits, type SchedulerOptions, WRONG_CLOCK_MS } from './limits.ts';
import { Pace } from './pace.ts';
import { Placement } from './placement.ts';
import { Queues } from './queues.ts';
import { reviewProject } from './review.ts';
import { Roster } from './roster.ts';
import type { SlotClaims } from './slot-claims.ts';
import { SlotMath } from './slot-math.ts';

const PAUSED = 'Firing was paused at that time.';

/** What a scheduler needs from outside. */
export interface SchedulerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly claims: SlotClaims;
  /**
   * Called right after slots were won, once per claimed batch. It is not waited for; what it throws is logged. A won
   * slot is handed over also when its trigger was disarmed in the meantime: its run exists and needs an end.
   */
  readonly onFire: (fires: readonly Fire[]) => void | Promise<void>;
  /** Called right after slots were recorded as missed; must not throw. Default: nobody is told. */
  readonly onMissed?: (missed: readonly MissedSlots[]) => void;
}

/** Arms recurrences, claims each slot once, and catches up. */
export interface Scheduler {
  /**
   * Makes `wanted` the whole set of armed triggers of a project; nothing fires because of it. Calls for one project run
   * one after the other.
   *
   * @throws SchedulerError `foreign_key`, `duplicate_key`, `not_stored` (call again; nothing of it is armed that is not
   * stored) or `closed`.
   */
  sync(project: Slug, wanted: readonly ArmRequest[]): Promise<ArmReport>;
  /** What is known of a trigger, or null when it is not wanted. */
  state(key: TriggerKey): ArmState | null;
  /** While on, nothing is claimed; slots that pass are then treated like any others that passed unseen. */
  pauseAll(on: boolean): void;
  /** How many triggers are armed. */
  readonly size: number;
  /** Ends the timer and waits for claims and calls of `sync` in flight; nothing fires afterwards. */
  close(): Promise<void>;
}

/**
 * Makes a scheduler with nothing armed; it has no timer until something is.
 *
 * @throws SchedulerError `bad_option`.
 */
export function createScheduler(deps: SchedulerDeps, options: SchedulerOptions = {}): Scheduler {
  return new RecurrenceScheduler(deps, options);
}

class RecurrenceScheduler implements Scheduler {
  private readonly deps: SchedulerDeps;
  private readonly heap = new WakeHeap<Entry>();
  private readonly roster = new Roster();
  private readonly math = new SlotMath();
  private readonly queues = new Queues();
  private readonly absences = new Absences();
  private readonly watch: ClockWatch;
  private readonly incident: Incident;
  private readonly placement: Placement;
  private readonly claimer: Claimer;
  private readonly collector: Collector;
  private readonly firing: Firing;
  private readonly armer: Armer;
  private closed = false;
  private paused = false;
  private reviewDue = false;

  constructor(deps: SchedulerDeps, options: SchedulerOptions) {
    const limits = resolveLimits(options);
    const { heap, roster, math, absences } = this;
    const { clock, logger, claims, onFire, onMissed = () => {} } = deps;
    this.deps = deps;
    this.watch = new ClockWatch(clock, logger, absences);
    this.incident = new Incident(clock, logger, absences);
    this.placement = new Placement(clock, logger, heap, roster, math);
    const { incident, placement } = this;
    const maxInFlight = limits.maxClaimsInFlight;
    const told = { onFire, onMissed };
    this.claimer = new Claimer({ logger, claims, ...told, maxInFlight, incident, placement });
    this.collector = new Collector({ clock, limits, heap, roster, math, placement, absences });
    const { claimer, collector } = this;
    const onWake = () => this.lookAtClock();
    const { maxBatch } = limits;
    this.firing = new Firing({ clock, heap, collector, claimer, incident, maxBatch, onWake });
    const pace = new Pace(clock, limits.sliceMs);
    const onArmed = () => this.firing.touch();
    const ensureOpen = () => this.ensureOpen();
    const armer = { clock, logger, claims, limits, heap, roster, placement, claimer, pace };
    this.armer = new Armer({ ...armer, onArmed, ensureOpen });
  }

  get size(): number {
    return this.roster.armed;
  }

  async sync(project: Slug, wanted: readonly ArmRequest[]): Promise<ArmReport> {
    this.ensureOpen();
    // Nobody looked at the clock while nothing was armed.
    if (this.heap.size === 0) this.watch.restart();
    else this.lookAtClock();
    return this.queues.add(project, async () => {
      this.ensureOpen();
      try {
        return await this.armer.sync(project, wanted);
      } finally {
        this.firing.touch();
      }
    });
  }

  state(key: TriggerKey): ArmState | null {
    const entry = this.roster.get(key);
    if (entry === undefined) return null;
    const now = this.deps.clock.now();
    const armed = isArmed(entry);
    const unclaimed = armed && entry.slot <= now ? this.incident.error : null;
    return {
      armed,
      nextFire: armed ? this.nextFire(entry, now) : null,
      error: entry.trouble?.error ?? unclaimed,
      clockNote: entry.trouble?.clockNote ?? null,
    };
  }

  pauseAll(on: boolean): void {
    if (on === this.paused) return;
    this.paused = on;
    const now = this.deps.clock.now();
    if (on) this.absences.begin(PAUSED, now);
    else this.absences.end(PAUSED, now);
    this.firing.pause(on);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.firing.close();
    await this.queues.idle();
  }

  private nextFire(entry: Entry, now: number): number | null {
    if (entry.slot > now || entry.recurrence === null) return entry.slot;
    const next = this.placement.nextAfter(entry.recurrence, now);
    return next.ok ? next.value : null;
  }

  private lookAtClock(): void {
    const step = this.watch.check();
    if (step < 0) this.collector.wakeSoon();
    if (step <= -WRONG_CLOCK_MS) this.reviewDue = true;
    if (!this.reviewDue) return;
    this.reviewDue = false;
    for (const project of this.roster.slugs()) {
      void this.queues.add(project, () => this.review(project));
    }
  }

  private async review(project: Slug): Promise<void> {
    const { clock, logger, claims } = this.deps;
    const { heap, roster, placement } = this;
    try {
      await this.claimer.drained();
      if (this.closed) return;
      const parts = { clock, logger, claims, heap, roster, placement };
      await reviewProject(parts, project);
    } catch (error) {
      // The next wake-up tries again.
      logger.warn({ project, err: error }, 'Slots in the future could not be put back yet.');
      this.reviewDue = true;
    }
    this.firing.touch();
  }

  private ensureOpen(): void {
    if (this.closed) throw new SchedulerError('closed', 'The scheduler was closed.');
  }
}

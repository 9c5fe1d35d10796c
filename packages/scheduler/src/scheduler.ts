import { type Clock, createKeyedLine, createPace, type Logger } from '@svc/core';
import type { Slug, TriggerKey } from '@svc/records';
import { Agenda } from './agenda.ts';
import { Armer } from './arming.ts';
import { ClaimBackoff, Claimer } from './claiming.ts';
import { ClockWatch, Downtime } from './clocks.ts';
import type { ArmReport, ArmRequest, ArmState, Fire, MissedSlots, SlotClaims } from './contract.ts';
import { Collector } from './deciding.ts';
import { dueAt, type Entry, isArmed } from './entry.ts';
import { SchedulerError } from './errors.ts';
import { resolveLimits, type SchedulerOptions, WRONG_CLOCK_MS } from './limits.ts';
import { FiringLoop } from './loop.ts';

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
  /** Called right after slots were recorded as missed; what it throws is logged. Default: nobody is told. */
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
  private readonly spreadMs: number;
  private readonly line = createKeyedLine();
  private readonly downtime = new Downtime();
  private readonly agenda: Agenda;
  private readonly watch: ClockWatch;
  private readonly backoff: ClaimBackoff;
  private readonly loop: FiringLoop;
  private readonly armer: Armer;
  private closed = false;
  private paused = false;
  private reviewDue = false;

  constructor(deps: SchedulerDeps, options: SchedulerOptions) {
    const limits = resolveLimits(options);
    const { clock, logger, claims, onFire, onMissed = () => {} } = deps;
    const { maxBatch, maxClaimsInFlight: maxInFlight, spreadMs } = limits;
    this.deps = deps;
    this.spreadMs = spreadMs;
    this.watch = new ClockWatch(clock, logger, this.downtime);
    this.backoff = new ClaimBackoff(clock, logger, this.downtime);
    this.agenda = new Agenda(clock, logger);
    const { agenda, backoff, downtime } = this;
    const told = { onFire, onMissed };
    const claimer = new Claimer({ logger, claims, ...told, maxInFlight, backoff, agenda });
    const collector = new Collector(clock, limits, agenda, downtime);
    const onWake = () => this.lookAtClock();
    this.loop = new FiringLoop({ clock, agenda, collector, claimer, backoff, maxBatch, onWake });
    const pace = createPace(clock, limits.sliceMs);
    const onArmed = () => this.loop.touch();
    const ensureOpen = () => this.ensureOpen();
    const armer = { clock, logger, claims, agenda, claimer, spreadMs, pace };
    this.armer = new Armer({ ...armer, onArmed, ensureOpen });
  }

  get size(): number {
    return this.agenda.armed;
  }

  async sync(project: Slug, wanted: readonly ArmRequest[]): Promise<ArmReport> {
    this.ensureOpen();
    // Nobody looked at the clock while nothing was armed.
    if (this.agenda.isEmpty) this.watch.restart();
    else this.lookAtClock();
    return this.line.run(project, async () => {
      this.ensureOpen();
      try {
        return await this.armer.sync(project, wanted);
      } finally {
        this.loop.touch();
      }
    });
  }

  state(key: TriggerKey): ArmState | null {
    const entry = this.agenda.get(key);
    if (entry === undefined) return null;
    const now = this.deps.clock.now();
    const armed = isArmed(entry);
    const unclaimed = armed && dueAt(entry) <= now ? this.backoff.error : null;
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
    if (on) this.downtime.begin(PAUSED, now);
    else this.downtime.end(PAUSED, now);
    this.loop.pause(on);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.loop.close();
    await this.line.idle();
  }

  private nextFire(entry: Entry, now: number): number | null {
    if (entry.slot > now || entry.recurrence === null) return entry.slot;
    const next = this.agenda.nextAfter(entry.recurrence, now);
    return next.ok ? next.value : null;
  }

  private lookAtClock(): void {
    const step = this.watch.check();
    if (step < 0) this.agenda.wakeSoon(this.spreadMs);
    if (step <= -WRONG_CLOCK_MS) this.reviewDue = true;
    if (!this.reviewDue) return;
    this.reviewDue = false;
    for (const project of this.agenda.projects()) {
      void this.line.run(project, () => this.review(project));
    }
  }

  private async review(project: Slug): Promise<void> {
    if (this.closed) return;
    try {
      await this.armer.review(project);
    } catch (error) {
      if (this.closed) return;
      // The next wake-up tries again.
      const { logger } = this.deps;
      logger.warn({ project, err: error }, 'Slots in the future could not be put back yet.');
      this.reviewDue = true;
    }
    this.loop.touch();
  }

  private ensureOpen(): void {
    if (this.closed) throw new SchedulerError('closed', 'The scheduler was closed.');
  }
}

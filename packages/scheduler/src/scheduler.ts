import { type Clock, createKeyedMutex, createTimeSlice, type Logger } from '@svc/core';
import { MISSED_REASONS, type Slug, type TriggerKey } from '@svc/records';
import { Agenda } from './agenda.ts';
import { Armer, type SyncOptions } from './arming.ts';
import { ClaimBackoff, Claimer } from './claiming.ts';
import { ClockWatch, Downtime } from './clocks.ts';
import type {
  ArmReport,
  ArmRequest,
  ArmState,
  ClockState,
  Fire,
  MissedSlots,
  SlotClaims,
} from './contract.ts';
import { Collector } from './deciding.ts';
import { dueAt, type Entry, isArmed } from './entry.ts';
import { SchedulerError } from './errors.ts';
import { resolveLimits, type SchedulerOptions } from './limits.ts';
import { FiringLoop } from './loop.ts';
import { StepBack } from './step-back.ts';

/** What a scheduler needs from outside. */
export interface SchedulerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly claims: SlotClaims;
  /**
   * Called once for each claimed batch, right after slots were won. It is not awaited; errors are logged. A won
   * slot is handed over even if its trigger was disarmed meanwhile, because its run exists and needs an end.
   */
  readonly onFire: (fires: readonly Fire[]) => void | Promise<void>;
  /**
   * Called right after slots were lost: another process decided them or armed another schedule, so the triggers
   * armed here may be out of date. Default: not called.
   */
  readonly onLost?: (projects: readonly Slug[]) => void;
  /**
   * Why no process could claim a slot that was due at an instant, in one sentence; null if unknown. Default: always
   * null.
   */
  readonly absence?: (key: TriggerKey, due: number) => string | null;
  /** Called right after slots were recorded as missed; errors are logged. Default: not called. */
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
  sync(project: Slug, wanted: readonly ArmRequest[], options?: SyncOptions): Promise<ArmReport>;
  /**
   * Hands a project over to another process: disarms all of its triggers here and keeps what is stored.
   * @throws SchedulerError `closed`.
   */
  release(project: Slug): Promise<void>;
  /** The state of a trigger, or null if it is not wanted. */
  state(key: TriggerKey): ArmState | null;
  /**
   * Makes an interval continue one period from now on a new grid, although the slots of the old grid ran before the
   * clock was set back. Returns false if no such silence can be ended.
   * @throws SchedulerError `not_stored` or `closed`.
   */
  restartGrid(key: TriggerKey): Promise<boolean>;
  /** While true, nothing is claimed. Slots that pass meanwhile are treated like any others that passed unclaimed. */
  pauseAll(on: boolean): void;
  /** Retries failed claims immediately, because the cause of the failure is gone. */
  retry(): void;
  /** How many triggers are armed. */
  readonly size: number;
  /** Stops the timer and waits for claims and calls of `sync` in flight. Nothing fires afterwards. */
  close(): Promise<void>;
}

/**
 * Creates a scheduler with nothing armed. It has no timer until something is armed.
 * @throws SchedulerError `bad_option`.
 */
export function createScheduler(deps: SchedulerDeps, options: SchedulerOptions = {}): Scheduler {
  return new RecurrenceScheduler(deps, options);
}

class RecurrenceScheduler implements Scheduler {
  private readonly deps: SchedulerDeps;
  private readonly spreadMs: number;
  private readonly line = createKeyedMutex();
  private readonly downtime = new Downtime();
  private readonly agenda: Agenda;
  private readonly watch: ClockWatch;
  private readonly backoff: ClaimBackoff;
  private readonly loop: FiringLoop;
  private readonly armer: Armer;
  private readonly stepBack: StepBack;
  private closed = false;
  private paused = false;
  private reviewDue = false;

  constructor(deps: SchedulerDeps, options: SchedulerOptions) {
    const limits = resolveLimits(options);
    const { clock, logger, claims, onFire, onMissed = () => {}, onLost = () => {} } = deps;
    const { absence = () => null } = deps;
    const { maxBatch, maxClaimsInFlight: maxInFlight, spreadMs, maxSleepMs } = limits;
    this.deps = deps;
    this.spreadMs = spreadMs;
    this.watch = new ClockWatch(clock, logger, this.downtime);
    this.backoff = new ClaimBackoff(clock, logger, this.downtime);
    this.agenda = new Agenda(clock, logger);
    const { agenda, backoff, downtime } = this;
    const callbacks = { onFire, onMissed, onLost };
    const claimer = new Claimer({ logger, claims, ...callbacks, maxInFlight, backoff, agenda });
    const collector = new Collector(clock, limits, agenda, { downtime, absence });
    const onWake = () => this.lookAtClock();
    const work = { agenda, collector, claimer, backoff, maxBatch, maxSleepMs };
    this.loop = new FiringLoop({ clock, ...work, onWake });
    const timeSlice = createTimeSlice(clock, limits.sliceMs);
    const onArmed = () => this.loop.touch();
    const ensureOpen = () => this.ensureOpen();
    this.stepBack = new StepBack({ clock, logger, claims, agenda, claimer, ensureOpen });
    const armer = { clock, claims, agenda, claimer, stepBack: this.stepBack, spreadMs, timeSlice };
    this.armer = new Armer({ ...armer, onArmed, ensureOpen });
  }

  get size(): number {
    return this.agenda.armed;
  }

  async sync(
    project: Slug,
    wanted: readonly ArmRequest[],
    options: SyncOptions = {},
  ): Promise<ArmReport> {
    this.ensureOpen();
    // The clock was not checked while nothing was armed.
    if (this.agenda.isEmpty) this.watch.restart();
    else this.lookAtClock();
    return this.line.run(project, async () => {
      this.ensureOpen();
      try {
        return await this.armer.sync(project, wanted, options);
      } finally {
        this.loop.touch();
      }
    });
  }

  async release(project: Slug): Promise<void> {
    this.ensureOpen();
    await this.line.run(project, () => this.armer.release(project));
    this.loop.touch();
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
      clock: armed ? this.clockState(entry, now) : null,
    };
  }

  async restartGrid(key: TriggerKey): Promise<boolean> {
    this.ensureOpen();
    return this.line.run(key.project, async () => {
      this.ensureOpen();
      const entry = this.agenda.get(key);
      if (entry === undefined || !this.state(key)?.clock?.canResume) return false;
      const isRestarted = await this.stepBack.restartGrid(key, entry);
      this.loop.touch();
      return isRestarted;
    });
  }

  pauseAll(on: boolean): void {
    if (on === this.paused) return;
    this.paused = on;
    const now = this.deps.clock.now();
    if (on) this.downtime.begin(MISSED_REASONS.paused, now);
    else this.downtime.end(MISSED_REASONS.paused, now);
    this.loop.pause(on);
  }

  retry(): void {
    this.backoff.release();
    this.loop.touch();
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.loop.close();
    await this.line.idle();
  }

  private nextFire(entry: Entry, now: number): number | null {
    if (entry.slot > now || entry.recurrence === null) return entry.slot;
    const next = this.agenda.nextOf(entry, now);
    return next.ok ? next.value : null;
  }

  private clockState(entry: Entry, now: number): ClockState | null {
    const { recurrence } = entry;
    const until = entry.trouble?.ahead?.until ?? now;
    if (recurrence === null || until <= now) return null;
    const goesOn = this.nextFire(entry, now);
    const isSilent = goesOn !== null && this.agenda.math.next(recurrence, now) !== goesOn;
    return {
      aheadUntil: until,
      silentUntil: isSilent ? goesOn : null,
      canResume: isSilent && recurrence.kind === 'interval',
    };
  }

  private lookAtClock(): void {
    const step = this.watch.check();
    if (step < 0) {
      this.agenda.wakeSoon(this.spreadMs);
      this.reviewDue = true;
    }
    if (!this.reviewDue) return;
    this.reviewDue = false;
    for (const project of this.agenda.projects()) {
      void this.line.run(project, () => this.review(project));
    }
  }

  private async review(project: Slug): Promise<void> {
    if (this.closed) return;
    try {
      if (!(await this.stepBack.review(project))) this.reviewDue = true;
    } catch (error) {
      if (this.closed) return;
      // The next wake-up tries again.
      const { logger } = this.deps;
      logger.warn({ project, err: error }, 'cannot withdraw future slots yet; retrying');
      this.reviewDue = true;
    }
    this.loop.touch();
  }

  private ensureOpen(): void {
    if (this.closed) throw new SchedulerError('closed', 'The scheduler was closed.');
  }
}

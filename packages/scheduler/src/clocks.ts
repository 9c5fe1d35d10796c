import type { Clock, Logger, TimerHandle } from '@svc/core';
import { MISSED_REASONS } from '@svc/records';
import { STEP_MS } from './limits.ts';

/** The single timer of a scheduler. It may wake too early but never too late; its callback checks the clock. */
export class Alarm {
  private readonly clock: Clock;
  private readonly maxSleepMs: number;
  private readonly onWake: () => void;
  private timer: TimerHandle | null = null;
  private wakesAt = 0;

  constructor(
    { clock, maxSleepMs }: { readonly clock: Clock; readonly maxSleepMs: number },
    onWake: () => void,
  ) {
    this.clock = clock;
    this.maxSleepMs = maxSleepMs;
    this.onWake = onWake;
  }

  /** Wakes after `ms` milliseconds, or earlier if that was already set. */
  set(ms: number): void {
    const delay = Math.min(Math.max(ms, 1), this.maxSleepMs);
    const wakesAt = this.clock.mono() + delay;
    if (this.timer !== null && this.wakesAt <= wakesAt) return;
    this.clear();
    this.wakesAt = wakesAt;
    this.timer = this.clock.setTimeout(() => {
      this.timer = null;
      this.onWake();
    }, delay);
  }

  clear(): void {
    if (this.timer !== null) this.clock.clearTimeout(this.timer);
    this.timer = null;
  }
}

interface Span {
  readonly reason: string;
  from: number;
  until: number;
}

const MAX_SPANS = 16;

/** The latest periods of wall time in which nothing could be claimed, and why. */
export class Downtime {
  private readonly spans: Span[] = [];

  /** Begins a period that `end` ends. */
  begin(reason: string, from: number): void {
    this.add(reason, from, Number.POSITIVE_INFINITY);
  }

  end(reason: string, until: number): void {
    for (const span of this.spans) {
      if (span.reason === reason && span.until === Number.POSITIVE_INFINITY) span.until = until;
    }
  }

  /**
   * Adjusts to a wall clock that was set back to `now`: an open period continues from there, and later ones are
   * discarded.
   */
  setBack(now: number): void {
    for (const span of this.spans) {
      if (span.until === Number.POSITIVE_INFINITY) span.from = Math.min(span.from, now);
      else span.until = Math.min(span.until, now);
    }
  }

  add(reason: string, from: number, until: number): void {
    this.spans.push({ reason, from, until });
    if (this.spans.length > MAX_SPANS) this.spans.shift();
  }

  /** Why a slot could not be claimed on time; null if no cause is known. */
  reasonFor(slot: number): string | null {
    return this.spans.findLast((span) => slot > span.from && slot <= span.until)?.reason ?? null;
  }
}

/** Detects that the wall clock was set or that the machine was suspended, which look the same. */
export class ClockWatch {
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly downtime: Downtime;
  private wall: number;
  private mono: number;
  private steps = 0;

  constructor(clock: Clock, logger: Logger, downtime: Downtime) {
    this.clock = clock;
    this.logger = logger;
    this.downtime = downtime;
    this.wall = clock.now();
    this.mono = clock.mono();
  }

  /** Ignores the time that passed since the last reading. */
  restart(): void {
    this.wall = this.clock.now();
    this.mono = this.clock.mono();
  }

  /** Compares both clocks with the last reading. Returns by how many milliseconds the wall clock was set, or 0. */
  check(): number {
    const { wall, mono } = this;
    this.restart();
    const step = this.wall - wall - (this.mono - mono);
    if (Math.abs(step) <= STEP_MS) return 0;
    this.steps += 1;
    this.logger.warn(
      { stepMs: Math.round(step), steps: this.steps },
      'clock was set or machine was suspended',
    );
    if (step > 0) this.downtime.add(MISSED_REASONS.asleep, wall, this.wall);
    else this.downtime.setBack(this.wall);
    return step;
  }
}

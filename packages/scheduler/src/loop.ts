import type { Clock } from '@svc/core';
import type { Agenda } from './agenda.ts';
import type { ClaimBackoff, Claimer } from './claiming.ts';
import { Alarm } from './clocks.ts';
import type { Collector } from './deciding.ts';

/** The collaborators of a `FiringLoop`. */
export interface LoopParts {
  readonly clock: Clock;
  readonly agenda: Agenda;
  readonly collector: Collector;
  readonly claimer: Claimer;
  readonly backoff: ClaimBackoff;
  readonly maxBatch: number;
  readonly maxSleepMs: number;
  /** Called at every wake-up, before any entry is processed. */
  readonly onWake: () => void;
}

/** The loop: sleeps until the first entry is due, then works in slices until none is. */
export class FiringLoop {
  private readonly parts: LoopParts;
  private readonly alarm: Alarm;
  private closed = false;
  private paused = false;
  private passing: Promise<void> | null = null;

  constructor(parts: LoopParts) {
    this.parts = parts;
    this.alarm = new Alarm(parts, () => this.wake());
  }

  /** Call this after the agenda changed. */
  touch(): void {
    if (this.closed || this.passing !== null) return;
    const { clock, agenda, collector, backoff, maxSleepMs } = this.parts;
    if (agenda.isEmpty && !collector.counting) {
      this.alarm.clear();
      return;
    }
    const due = collector.counting ? 0 : agenda.nextAt - clock.now();
    this.alarm.set(this.paused ? maxSleepMs : Math.max(due, backoff.heldFor));
  }

  pause(on: boolean): void {
    this.paused = on;
    this.touch();
  }

  /** Stops claiming and waits for claims in flight. */
  async close(): Promise<void> {
    this.closed = true;
    this.alarm.clear();
    await this.passing;
    await this.parts.claimer.drained();
  }

  private get mayClaim(): boolean {
    return !this.closed && !this.paused && this.parts.backoff.heldFor === 0;
  }

  private wake(): void {
    this.parts.onWake();
    this.passing ??= this.pass().finally(() => {
      this.passing = null;
      this.touch();
    });
  }

  private async pass(): Promise<void> {
    const { clock, collector, claimer, backoff, maxBatch } = this.parts;
    while (this.mayClaim) {
      await claimer.free();
      if (!this.mayClaim) return;
      // One trigger is enough to find out whether claiming works again.
      const decisions = collector.collect(backoff.attempt > 0 ? 2 : maxBatch);
      if (decisions === null) return;
      if (decisions.length > 0) claimer.start(decisions, () => this.touch());
      await clock.yield();
      this.parts.onWake();
    }
  }
}

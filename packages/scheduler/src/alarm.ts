import type { Clock, TimerHandle } from '@svc/core';
import { MAX_SLEEP_MS } from './limits.ts';

/** The one timer of a scheduler. It may wake too early, never too late: whoever is woken looks at the clock. */
export class Alarm {
  private readonly clock: Clock;
  private readonly onWake: () => void;
  private timer: TimerHandle | null = null;
  private wakesAt = 0;

  constructor(clock: Clock, onWake: () => void) {
    this.clock = clock;
    this.onWake = onWake;
  }

  /** Wakes after `ms` milliseconds, or sooner if it was going to. */
  set(ms: number): void {
    const delay = Math.min(Math.max(ms, 1), MAX_SLEEP_MS);
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

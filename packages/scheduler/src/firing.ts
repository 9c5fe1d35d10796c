import type { Clock } from '@svc/core';
import { Alarm } from './alarm.ts';
import type { Claimer } from './claimer.ts';
import type { Collector } from './collector.ts';
import type { Entry } from './entry.ts';
import type { WakeHeap } from './heap.ts';
import type { Incident } from './incident.ts';
import { MAX_SLEEP_MS } from './limits.ts';

/** The collaborators of a `Firing`. */
export interface FiringParts {
  readonly clock: Clock;
  readonly heap: WakeHeap<Entry>;
  readonly collector: Collector;
  readonly claimer: Claimer;
  readonly incident: Incident;
  readonly maxBatch: number;
  /** Called at every wake-up, before anything is looked at. */
  readonly onWake: () => void;
}

/** The loop: sleeps until the first entry is due, then works in slices until none is. */
export class Firing {
  private readonly parts: FiringParts;
  private readonly alarm: Alarm;
  private closed = false;
  private paused = false;
  private passing: Promise<void> | null = null;

  constructor(parts: FiringParts) {
    this.parts = parts;
    this.alarm = new Alarm(parts.clock, () => this.wake());
  }

  /** To be called after the heap changed. */
  touch(): void {
    if (this.closed || this.passing !== null) return;
    const { clock, heap, collector, incident } = this.parts;
    if (heap.size === 0 && !collector.counting) {
      this.alarm.clear();
      return;
    }
    const due = collector.counting ? 0 : heap.nextAt - clock.now();
    this.alarm.set(this.paused ? MAX_SLEEP_MS : Math.max(due, incident.heldFor));
  }

  pause(on: boolean): void {
    this.paused = on;
    this.touch();
  }

  /** Claims nothing more, and waits for what is in flight. */
  async close(): Promise<void> {
    this.closed = true;
    this.alarm.clear();
    await this.passing;
    await this.parts.claimer.drained();
  }

  private get mayClaim(): boolean {
    return !this.closed && !this.paused && this.parts.incident.heldFor === 0;
  }

  private wake(): void {
    this.parts.onWake();
    this.passing ??= this.pass().finally(() => {
      this.passing = null;
      this.touch();
    });
  }

  private async pass(): Promise<void> {
    const { clock, collector, claimer, incident, maxBatch } = this.parts;
    while (this.mayClaim) {
      await claimer.free();
      if (!this.mayClaim) return;
      // One trigger is enough to find out whether claiming works again.
      const decisions = collector.collect(incident.attempt > 0 ? 2 : maxBatch);
      if (decisions === null) return;
      if (decisions.length > 0) claimer.start(decisions, () => this.touch());
      await clock.yield();
      this.parts.onWake();
    }
  }
}

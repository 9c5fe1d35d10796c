import type { Clock, Logger } from '@svc/core';
import type { Absences } from './absences.ts';
import { STEP_MS } from './limits.ts';

const ASLEEP = 'The machine was asleep or its clock was set forward.';

/** Finds out that the wall clock was set, or that the machine slept, which looks the same. */
export class ClockWatch {
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly absences: Absences;
  private wall: number;
  private mono: number;
  private steps = 0;

  constructor(clock: Clock, logger: Logger, absences: Absences) {
    this.clock = clock;
    this.logger = logger;
    this.absences = absences;
    this.wall = clock.now();
    this.mono = clock.mono();
  }

  /** Forgets the time that passed since the last reading. */
  restart(): void {
    this.wall = this.clock.now();
    this.mono = this.clock.mono();
  }

  /** Compares both clocks with the last reading: by how many milliseconds the wall clock was set, or 0. */
  check(): number {
    const { wall, mono } = this;
    this.restart();
    const step = this.wall - wall - (this.mono - mono);
    if (Math.abs(step) <= STEP_MS) return 0;
    this.steps += 1;
    this.logger.warn(
      { stepMs: Math.round(step), steps: this.steps },
      'The clock was set or the machine slept.',
    );
    if (step > 0) this.absences.add(ASLEEP, wall, this.wall);
    else this.absences.setBack(this.wall);
    return step;
  }
}

import type { Clock } from '@svc/core';

/** Cuts work into slices, so that the rest of the process is not held up. */
export class Pace {
  private readonly clock: Clock;
  private readonly sliceMs: number;
  private began: number;

  constructor(clock: Clock, sliceMs: number) {
    this.clock = clock;
    this.sliceMs = sliceMs;
    this.began = clock.mono();
  }

  /** Whether the slice is used up. */
  get spent(): boolean {
    return this.clock.mono() - this.began >= this.sliceMs;
  }

  /** Lets others run and begins a new slice. */
  async rest(): Promise<void> {
    await this.clock.yield();
    this.began = this.clock.mono();
  }
}

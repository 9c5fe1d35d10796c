import { type Clock, type Logger, messageOf } from '@svc/core';
import type { Absences } from './absences.ts';
import { STEP_MS } from './limits.ts';

const NOT_RECORDED = 'The service could not record it at that time.';
const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;

/** A stretch of time in which the claims port fails; claiming then pauses for 1 s, doubling to 60 s. */
export class Incident {
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly absences: Absences;
  private attempts = 0;
  private heldUntil = 0;
  private message: string | null = null;

  constructor(clock: Clock, logger: Logger, absences: Absences) {
    this.clock = clock;
    this.logger = logger;
    this.absences = absences;
  }

  /** Identifies the try that a claim belongs to; more than 0 while the incident lasts. */
  get attempt(): number {
    return this.attempts;
  }

  /** What is wrong, in one sentence, or null. */
  get error(): string | null {
    return this.message;
  }

  /** Milliseconds until claiming may be tried again. */
  get heldFor(): number {
    return this.attempts === 0 ? 0 : Math.max(this.heldUntil - this.clock.mono(), 0);
  }

  /** A claim of the given try, decided at `claimedAt`, failed; several that fail together count once. */
  failed(error: unknown, attempt: number, claimedAt: number): void {
    this.message = `Its slot could not be claimed yet: ${messageOf(error)}`;
    if (attempt !== this.attempts) return;
    if (this.attempts === 0) {
      // Slots that were claimed on time lie shortly before the decision.
      this.absences.begin(NOT_RECORDED, claimedAt - STEP_MS);
      this.logger.error({ err: error }, 'Slots cannot be claimed; trying again until they can.');
    }
    const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** this.attempts, MAX_BACKOFF_MS);
    this.heldUntil = this.clock.mono() + backoff;
    this.attempts += 1;
  }

  recovered(): void {
    if (this.attempts === 0) return;
    this.logger.info({ attempts: this.attempts }, 'Slots can be claimed again.');
    this.absences.end(NOT_RECORDED, this.clock.now());
    this.attempts = 0;
    this.message = null;
  }
}

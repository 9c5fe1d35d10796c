import type { RunId, Slug, Source } from './ids.ts';
import type { RunOutcome } from './outcome.ts';

/** The facts of an ended run that alerts report. */
export interface EndedRun {
  readonly id: RunId;
  readonly project: Slug;
  readonly source: Source;
  readonly trigger: string;
  readonly outcome: RunOutcome;
  readonly reason: string | null;
  /** In milliseconds since 1970. */
  readonly endedAt: number;
  /** Slots that it stands for; 0 without a slot. */
  readonly slots: number;
  /** Why its trigger was paused with its end; null where it was not. */
  readonly pausedReason: string | null;
}

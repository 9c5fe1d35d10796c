import type { Schemas } from '@svc/client';

export type Run = Schemas['Run'];
export type Outcome = NonNullable<Run['outcome']>;
export type InvalidEntry = Schemas['InvalidEntry'];
export type LegacySchedule = Schemas['LegacySchedule'];
export type RuntimeState = Schemas['TriggerRuntime']['runtime'][number];

/** How the triggers of a project are, in numbers. */
export interface Health {
  readonly failing: number;
  readonly invalid: number;
  readonly paused: number;
  readonly running: number;
  readonly missed24h: number;
  readonly armed: number;
  /** UTC ISO text. */
  readonly nextFire: string | null;
}

// An older service does not tell what stands behind a question mark.
export type Project = Schemas['Project'] & { readonly health?: Health };

/** A trigger of a list. */
export type Trigger = Schemas['ListedTrigger'] & {
  readonly schedule?: {
    readonly description: string;
    readonly timezone: string | null;
    readonly firesPerDay: number;
  };
  /** Newest first, at most ten. */
  readonly recentRuns?: readonly Run[];
  readonly etag?: string;
};

export interface TriggerList {
  readonly triggers: readonly Trigger[];
  readonly invalid: readonly InvalidEntry[];
  readonly legacySchedules: readonly LegacySchedule[];
}

/** Fires to come; triggers that fire more than 48 times a day may be told by their rate alone. */
export type Upcoming = Schemas['UpcomingFires'] & {
  readonly frequent?: readonly { readonly trigger: string; readonly firesPerDay: number }[];
};

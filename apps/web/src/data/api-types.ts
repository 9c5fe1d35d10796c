import type { Schemas } from '@svc/client';

export type Run = Schemas['Run'];
export type Chat = Schemas['Chat'];
export type Message = Schemas['Message'];
export type Capability = Schemas['Capability'];
export type Why = Schemas['Why'];
export type TriggerChange = Schemas['TriggerChange'];
export type LifecycleEvent = Schemas['LifecycleEvent'];
export type Outcome = NonNullable<Run['outcome']>;
export type InvalidEntry = Schemas['InvalidEntry'];
export type LegacySchedule = Schemas['LegacySchedule'];
export type RuntimeState = Schemas['TriggerRuntime']['runtime'][number];

export type Project = Schemas['ProjectWithHealth'];
export type TriggerPut = Schemas['TriggerPut'];
export type Catalog = Schemas['Catalog'];
export type Preview = Schemas['Preview'];
export type PromptFile = Schemas['PromptFiles']['promptFiles'][number];

/** A stored trigger with its entity tag. */
export interface StoredTrigger {
  readonly record: Schemas['TriggerAnswer'];
  readonly etag: string;
}

export type TriggerVerdict = Schemas['Verdict'];

/** The trigger counts of a project by state. */
export type Health = Project['health'];

/** A trigger as lists return it. */
export type Trigger = Schemas['ListedTrigger'];
/** A short form of a run. */
export type RecentRun = Trigger['recentRuns'][number];

export interface TriggerList {
  readonly triggers: readonly Trigger[];
  readonly invalid: readonly InvalidEntry[];
  readonly legacySchedules: readonly LegacySchedule[];
  readonly catalog: Catalog;
}

/** Upcoming fires; triggers that fire more than 48 times a day are reported only by their rate. */
export type Upcoming = Schemas['UpcomingFires'];

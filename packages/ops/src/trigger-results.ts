import type { Issue } from '@svc/core';
import type { CatalogTool, Source, TriggerType } from '@svc/records';
import type { LegacySchedule, NamedTrigger } from '@svc/trigger-schema';
import type { Attention } from './nouns/attention.ts';
import type { SpentLimit } from './nouns/spent-limit.ts';
import type { ForeseenEdit, ShownFires } from './overviews.ts';

/** A trigger as lists show it. */
export type ListedTrigger = NamedTrigger & ShownFires & { readonly etag: string };

/** A legacy schedule as lists show it. */
export type ListedSchedule = LegacySchedule & ShownFires & { readonly name: string };

/** Choices for creating a trigger. */
export interface Catalog {
  readonly grantableTools: readonly string[];
  readonly events: readonly string[];
  readonly triggerTypes: readonly string[];
  readonly tools: readonly CatalogTool[];
}

/** An entry, or the whole file (`project.yaml`), that does not count, and why. */
export interface InvalidEntry {
  readonly name: string;
  readonly source: Source | 'file';
  readonly issues: readonly Issue[];
}

/** The triggers of a project. */
export interface TriggerList {
  readonly triggers: readonly ListedTrigger[];
  readonly invalid: readonly InvalidEntry[];
  readonly legacySchedules: readonly ListedSchedule[];
  readonly grantableTools: readonly string[];
  readonly events: readonly string[];
  readonly triggerTypes: readonly string[];
  readonly catalog: Catalog;
}

/** Whether and when a trigger fires next. */
export interface RuntimeState {
  readonly name: string;
  readonly source: Source;
  readonly type: TriggerType;
  readonly armed: boolean;
  readonly nextFire: string | null;
  readonly startDelayMs?: number;
  readonly timezone: string | null;
  readonly running: boolean;
  readonly paused: boolean;
  readonly reason?: string;
  /** Its own pause, since when and why; absent if none. */
  readonly pausedAfterFailures?: { readonly at: string; readonly reason: string };
  /** Why it needs attention, the most urgent first; absent where it does not. */
  readonly attention?: readonly Attention[];
  /** The daily limit that keeps it from starting until an instant (UTC ISO text); absent where none does. */
  readonly limited?: { readonly limit: SpentLimit['name']; readonly until: string };
  /** Present if the clock was set back and slots in the future were already decided. */
  readonly clock?: TriggerClockState;
  /** Present if Node and the host have different data for its time zone. */
  readonly zoneData?: ZoneDataState;
}

/** How a trigger stands whose clock was set back. Instants are UTC ISO text. */
export interface TriggerClockState {
  /** The last decided slot. */
  readonly aheadUntil: string;
  /** When it fires again, if its next slots have already run; null if it fires at its next slot. */
  readonly silentUntil: string | null;
  /** Whether `resume_trigger` ends that silence. */
  readonly canGoOn: boolean;
  /** The same in a sentence or two. */
  readonly message: string;
}

/** From when on Node and the host have a zone at different offsets. */
export interface ZoneDataState {
  readonly zone: string;
  /** UTC ISO text. */
  readonly from: string;
  /** By which it fires, e.g. `+02:00`. */
  readonly offset: string;
  readonly hostOffset: string;
  /** The same in a sentence. */
  readonly message: string;
}

/** A trigger in one level, as `flatTriggerSchema` describes it. */
export type FlatTrigger = Readonly<Record<string, unknown>>;

/** The triggers of a project in one level, with what does not count and the legacy schedules. */
export type FlatList = Readonly<Record<string, unknown>>;

/** A record that was accepted. */
export interface AcceptedTrigger {
  readonly record: NamedTrigger;
  readonly etag: string;
  readonly created: boolean;
  readonly warnings: readonly Issue[];
}

/** Whether a record could be stored. */
export interface Verdict {
  readonly valid: boolean;
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  /** What storing it under the name that was given would change; null where it could not be stored, absent without a name. */
  readonly edit?: ForeseenEdit | null;
}

/** A trigger as it is stored, with its entity tag and what its author should know. */
export interface StoredTrigger {
  readonly record: NamedTrigger;
  readonly etag: string;
  readonly warnings: readonly Issue[];
}

/** What a schedule would do. */
export interface Preview {
  readonly upcoming: readonly string[];
  readonly description: string;
  readonly firesPerDay: number;
  readonly timezone: string | null;
}

import type { Issue } from '@svc/core';
import type { CatalogTool, Source, TriggerType } from '@svc/records';
import type { LegacySchedule, NamedTrigger } from '@svc/trigger-schema';
import type { Attention } from './nouns/attention.ts';
import type { SpentLimit } from './nouns/spent-limit.ts';
import type { ForeseenEdit, ShownFires } from './overviews.ts';

/** A trigger in lists. */
export type ListedTrigger = NamedTrigger & ShownFires & { readonly etag: string };

/** A legacy schedule in lists. */
export type ListedSchedule = LegacySchedule & ShownFires & { readonly name: string };

/** Choices for creating a trigger. */
export interface Catalog {
  readonly grantableTools: readonly string[];
  readonly events: readonly string[];
  readonly triggerTypes: readonly string[];
  readonly tools: readonly CatalogTool[];
}

/** An invalid entry, or the whole file (`project.yaml`), and why it is invalid. */
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

/** The armed state and next fire of a trigger. */
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
  /** Why it needs attention, most urgent first; absent if it does not. */
  readonly attention?: readonly Attention[];
  /** The daily limit that prevents it from starting until an instant (UTC ISO text); absent if none. */
  readonly limited?: { readonly limit: SpentLimit['name']; readonly until: string };
  /** Present if the clock was set back and slots in the future were already decided. */
  readonly clock?: TriggerClockState;
  /** Present if Node and the host have different data for its time zone. */
  readonly zoneData?: ZoneDataState;
}

/** The state of a trigger whose clock was set back. Instants are UTC ISO text. */
export interface TriggerClockState {
  /** The last decided slot. */
  readonly aheadUntil: string;
  /** When it fires again, if its next slots have already run; null if it fires at its next slot. */
  readonly silentUntil: string | null;
  /** Whether `resume_trigger` ends that silence. */
  readonly canGoOn: boolean;
  /** The same in one or two sentences. */
  readonly message: string;
}

/** When the offsets of a zone in Node and on the host start to differ. */
export interface ZoneDataState {
  readonly zone: string;
  /** UTC ISO text. */
  readonly from: string;
  /** Offset used to fire, e.g. `+02:00`. */
  readonly offset: string;
  readonly hostOffset: string;
  /** The same in a sentence. */
  readonly message: string;
}

/** A trigger in flat form, as `flatTriggerSchema` describes it. */
export type FlatTrigger = Readonly<Record<string, unknown>>;

/** The triggers of a project in flat form, with invalid entries and legacy schedules. */
export type FlatList = Readonly<Record<string, unknown>>;

/** A stored record. */
export interface AcceptedTrigger {
  readonly record: NamedTrigger;
  readonly etag: string;
  readonly created: boolean;
  readonly warnings: readonly Issue[];
}

/** The result of validating a record. */
export interface Verdict {
  readonly valid: boolean;
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
  /** The change that storing it under the given name would make; null if it cannot be stored, absent without a name. */
  readonly edit?: ForeseenEdit | null;
}

/** A stored trigger with its entity tag and warnings. */
export interface StoredTrigger {
  readonly record: NamedTrigger;
  readonly etag: string;
  readonly warnings: readonly Issue[];
}

/** A preview of a schedule. */
export interface Preview {
  readonly upcoming: readonly string[];
  readonly description: string;
  readonly firesPerDay: number;
  readonly timezone: string | null;
}

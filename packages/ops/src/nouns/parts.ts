import type { Redactor, Result } from '@svc/core';
import type { Cause, EventData, RunId, RunOutcome, Slug, TriggerKey } from '@svc/records';
import type { Scheduler } from '@svc/scheduler';
import type { ProjectRules } from '@svc/trigger-schema';
import type { Caller } from '../caller.ts';
import type { OpsDeps, WorkSettings } from '../deps.ts';
import type { OperationError } from '../errors.ts';
import type { Fired } from '../results.ts';
import type { ArmedStatesIn } from './armed-states.ts';
import type { ChangeLog } from './change-log.ts';
import type { Fences } from './fences.ts';
import type { Members } from './members.ts';
import type { Pauses } from './pauses.ts';
import type { PromptRemarks } from './prompt-remarks.ts';
import type { RuntimeInForceOf } from './runtime-limits.ts';
import type { SpentLimit } from './spent-limit.ts';
import type { StandingsIn } from './standings.ts';
import type { Zones } from './zones.ts';

/** What the parts of the work share besides their ports. */
export interface NounParts {
  readonly deps: OpsDeps;
  readonly settings: WorkSettings;
  readonly scheduler: Scheduler;
  readonly armedIn: ArmedStatesIn;
  readonly fire: FireTrigger;
  readonly arming: Arming;
  readonly changeLog: ChangeLog;
  readonly rules: ProjectRules;
  readonly fences: Fences;
  readonly pauses: Pauses;
  readonly members: Pick<Members, 'isShared' | 'holder' | 'size'>;
  readonly redactor: Pick<Redactor, 'text'>;
  readonly zones: Zones;
  readonly remarks: PromptRemarks;
  readonly inForceOf: RuntimeInForceOf;
  readonly standingsIn: StandingsIn;
}

/** Keeps the armed triggers equal to those in the project files. */
export interface Arming {
  /** Updates one project, whichever server owns it; durable when it resolves. */
  sync(project: Slug): Promise<void>;
  /** Runs work while a project is armed in this process, whichever server owns it. */
  during<T>(project: Slug, work: () => Promise<T>): Promise<T>;
  /** Updates projects with lost claims, because another server may have armed something else. */
  lost(projects: readonly Slug[]): void;
  /** Number of projects armed in this process. */
  readonly size: number;
  /** Number of invalid entries in their files; a file that cannot be read counts as one. */
  readonly invalid: number;
  /** Arms all projects, and follows edits on disk from then on. */
  start(): Promise<void>;
  /** Progress of `start`; null before and after it. */
  readonly progress: ArmingProgress | null;
  close(): Promise<void>;
}

/** Number of processed projects and of triggers armed from them. */
export interface ArmingProgress {
  readonly projects: number;
  readonly ofProjects: number;
  readonly triggers: number;
}

/** A request to fire: a claimed slot, or something that happens now. */
export interface FireRequest {
  readonly key: TriggerKey;
  readonly cause: Cause;
  /** The run of a claimed slot; null for a manual run, which is not yet written. */
  readonly claimed: RunId | null;
  /** Who requested it; null for a schedule. */
  readonly caller: Caller | null;
  /** The event that caused it or is used for a test. Default: null. */
  readonly event?: EventData | null;
}

/** Why no turn is started. `outcome` is recorded in the run; null if no run is written. */
export interface Stop {
  readonly error: OperationError;
  readonly outcome: RunOutcome | null;
  /** The daily limit that was reached; absent for other reasons. */
  readonly limit?: SpentLimit;
  /** Whether its run stays queued. Default: false. */
  readonly waits?: true;
}

/** The only path by which triggers fire, whatever the cause. */
export type FireTrigger = (request: FireRequest) => Promise<Result<Fired, OperationError>>;

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

/** What the nouns share beside their ports. */
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

/** Keeps what is armed equal to what the project files declare. */
export interface Arming {
  /** Brings one project up to date, whichever process looks after it; durable when it resolves. */
  sync(project: Slug): Promise<void>;
  /** Does something while a project is armed in this process, whichever looks after it. */
  during<T>(project: Slug, work: () => Promise<T>): Promise<T>;
  /** Brings projects up to date of which slots were lost: another process may have armed something else. */
  lost(projects: readonly Slug[]): void;
  /** How many projects are armed in this process. */
  readonly size: number;
  /** How many entries of their files are not valid; a file that cannot be read counts as one. */
  readonly invalid: number;
  /** Brings every project up to date and follows edits on disk from then on. */
  start(): Promise<void>;
  /** How far `start` has come; null before and after it. */
  readonly progress: ArmingProgress | null;
  close(): Promise<void>;
}

/** How many projects were looked at, and how many triggers were armed of them. */
export interface ArmingProgress {
  readonly projects: number;
  readonly ofProjects: number;
  readonly triggers: number;
}

/** One fire: a slot that was claimed, or something that happens now. */
export interface FireRequest {
  readonly key: TriggerKey;
  readonly cause: Cause;
  /** The run of a claimed slot; null for a manual fire, whose run is yet to be written. */
  readonly claimed: RunId | null;
  /** Who asked for it; null for a schedule. */
  readonly caller: Caller | null;
  /** What happened, for a fire that an event caused or that tries one out. Default: null. */
  readonly event?: EventData | null;
}

/** Why no turn is started; `outcome` is what the run records, null where no run is to be written. */
export interface Stop {
  readonly error: OperationError;
  readonly outcome: RunOutcome | null;
  /** The daily limit that is spent; absent where another thing stops it. */
  readonly limit?: SpentLimit;
  /** Whether its run goes on waiting. Default: false. */
  readonly waits?: true;
}

/** The one path that every fire takes, whatever caused it. */
export type FireTrigger = (request: FireRequest) => Promise<Result<Fired, OperationError>>;

import type { RuntimeCapabilities } from '@svc/agent-runtime';
import type { Issue } from '@svc/core';
import type { Scope } from '@svc/mgmt-auth';
import type { Run, Source } from '@svc/records';
import type { RecentRun } from '@svc/store';
import type { AlertStanding } from './alerting.ts';

/** How many of a project's triggers and legacy schedules need to be looked at, and when it fires next. */
export interface ProjectHealth {
  /** Entries of `triggers`, valid or not. */
  readonly total: number;
  /** Those of them that somebody has to look at, each once: invalid, paused, or enabled and failing, not armed, unready or limited. */
  readonly needYou: number;
  /** Legacy schedules that need attention. */
  readonly legacyNeedYou: number;
  /** Enabled, and the newest turn ended as a failure; missed and skipped slots since then hide nothing. */
  readonly failing: number;
  /** Entries that do not count; the whole file, where it cannot be read, is one more. */
  readonly invalid: number;
  readonly paused: number;
  /** Enabled, but every fire would currently fail: see `problem` of the entry. */
  readonly unready: number;
  /** Enabled, but stopped for today by a daily limit. */
  readonly limited: number;
  /** With a running turn. */
  /** Enabled, and silent for a while: its clock was set back, and its next slots have run already. */
  readonly silent: number;
  readonly running: number;
  /** Enabled, and a slot was missed in the last 24 hours. */
  readonly missed24h: number;
  readonly armed: number;
  readonly nextFire: string | null;
}

/** A schedule in words and figures. */
export interface ScheduleFacts {
  readonly description: string;
  /** Time zone of the cron expression; null for an interval. */
  readonly timezone: string | null;
  /** Average. */
  readonly firesPerDay: number;
}

/** What the turns of a trigger used; null where none has told any. */
export interface RunUsage {
  readonly runs: number;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  /** Estimated US dollars. */
  readonly cost: number | null;
}

/** What a trigger used on this day, and in this month, where the host is. */
export interface TriggerUse {
  readonly today: RunUsage;
  readonly month: RunUsage;
}

/** What all turns of this day have cost, and what they may cost, in US dollars. */
export interface DailyCostState {
  readonly spent: number;
  readonly limit: number;
}

/** What turns used together: those that triggers fired, and those of chats. */
export interface UsageSum extends RunUsage {
  readonly chatTurns: number;
}

/** What a project used in the last days. */
export interface ProjectUsage {
  /** Time zone of the host, which defines the days. */
  readonly timezone: string;
  /** Every day, earliest first. */
  readonly days: readonly (UsageSum & { readonly day: string })[];
  readonly total: UsageSum;
  /** Whoever ran most first. */
  readonly triggers: readonly (UsageSum & { readonly source: Source; readonly name: string })[];
}

/** What lists show of a trigger, or of a legacy schedule, beside what its file says. */
export interface ShownFires {
  readonly lastRun: Run | null;
  /** The newest runs, newest first, up to ten. */
  readonly recentRuns: readonly RecentRun[];
  /** The next fires while it is armed, up to five. */
  readonly upcoming: readonly string[];
  /** Its schedule in words and figures; null for what has none. */
  readonly schedule: ScheduleFacts | null;
  /** Why each fire will fail as things stand, in a sentence; absent where nothing is in the way, and while it is off. */
  readonly problem?: string;
  readonly usage: TriggerUse;
  /** The runtime that it takes: its own, else its project's, else the default. */
  readonly runtimeInForce: string;
  /** What of its limits that runtime cannot hold, so that it does not fire; absent where there is nothing. */
  readonly unheld?: readonly Issue[];
  /** What its author should know; absent where there is nothing. */
  readonly warnings?: readonly Issue[];
}

/** One fire to come. */
export interface PlannedFire {
  readonly trigger: string;
  readonly at: string;
}

/** An armed trigger that fires too often for each of its fires to be told. */
export interface FrequentTrigger {
  readonly trigger: string;
  /** Average. */
  readonly firesPerDay: number;
}

/** What is to come. */
export interface Plan {
  /** Earliest first, at most 1000. */
  readonly fires: readonly PlannedFire[];
  readonly frequent: readonly FrequentTrigger[];
}

/** A change of `project.yaml` that would be made, and the entity tag of what it starts from. */
export interface ForeseenEdit {
  /** The text of the file now. */
  readonly before: string;
  /** The same once it is written. */
  readonly after: string;
  /** Entity tag of the trigger as it is stored, for `If-Match`; null while there is none, or it is not valid. */
  readonly etag: string | null;
}

/** A prompt file, and what names it. */
export interface ListedPromptFile {
  readonly source: Source;
  /** As an entry spells it. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Names of the triggers, or legacy schedules, that run it. */
  readonly usedBy: readonly string[];
}

/** A prompt file as a fire would read it now. */
export interface PromptText {
  readonly source: Source;
  readonly name: string;
  readonly text: string;
}

/** A runtime, and whether it can start turns now. */
export interface RuntimeReadiness {
  readonly id: string;
  /** Whether projects and triggers that name none take it. */
  readonly isDefault: boolean;
  readonly ready: boolean;
  /** Why it is not ready, in one sentence. */
  readonly reason: string | null;
  /** What it declares to hold, and how far. */
  readonly holds: RuntimeCapabilities;
  /** What was found when its fence was tried; nothing is tried for this answer. */
  readonly fence: FenceState;
}

/** A setting as it is in force. */
export interface SettingInForce {
  /** As the file would have it; null where it is not set and has no default. Never a secret. */
  readonly value: string | number | boolean | null | readonly string[];
  readonly source: 'default' | 'file' | 'environment' | 'flag';
}

/** What is known of the fence of a runtime: `none` where there is nothing to try. */
export interface FenceState {
  readonly verdict: 'none' | 'untested' | 'holds' | 'fails';
  /** What got through, or why it could not be tried; null where there is nothing to say. */
  readonly reason: string | null;
}

/** What is in force around the operations, for people to look at. Nothing in it is a secret. */
export interface InForce {
  /** By their names in the file. */
  readonly settings: Readonly<Record<string, SettingInForce>>;
  /** Clients that may call the management endpoint now, and what for. */
  readonly clients: readonly { readonly clientId: string; readonly scope: Scope }[];
}

/** What is in force. */
export type EffectiveSettings = InForce & {
  readonly runtimes: readonly RuntimeReadiness[];
  readonly alerts: AlertStanding;
};

/** Some lines of the log of a process, the oldest first. */
export interface LogPage {
  readonly lines: readonly LogLine[];
  /** Pass as `after` to get later lines. */
  readonly last: number;
  /** How many lines behind the `after` that was asked for are not kept any more. */
  readonly dropped: number;
}

/** One line of the log: `time` (UTC ISO text), `level` (10 trace to 60 fatal), `msg`, and its fields. */
type LogLine = Readonly<Record<string, unknown>>;

import type { RuntimeCapabilities } from '@svc/agent-runtime';
import type { Issue } from '@svc/core';
import type { Scope } from '@svc/mgmt-auth';
import type { Run, Source } from '@svc/records';
import type { RecentRun } from '@svc/store';
import type { AlertStanding } from './alerting.ts';

/** Number of triggers and legacy schedules of a project that need attention, and its next fire. */
export interface ProjectHealth {
  /** Entries of `triggers`, valid or not. */
  readonly total: number;
  /**
   * Triggers that need attention, each counted once: invalid, paused, or enabled and failing, not armed, unready or
   * limited.
   */
  readonly needYou: number;
  /** Legacy schedules that need attention. */
  readonly legacyNeedYou: number;
  /** Enabled, and the newest turn failed; later missed and skipped slots are ignored. */
  readonly failing: number;
  /** Invalid entries, plus one for a file that cannot be read. */
  readonly invalid: number;
  readonly paused: number;
  /** Enabled, but every fire would currently fail: see `problem` of the entry. */
  readonly unready: number;
  /** Enabled, but stopped for today by a daily limit. */
  readonly limited: number;
  /** With a running turn. */
  /** Enabled, but waiting because its clock was set back and its next slots have already run. */
  readonly silent: number;
  readonly running: number;
  /** Enabled, and a slot was missed in the last 24 hours. */
  readonly missed24h: number;
  readonly armed: number;
  readonly nextFire: string | null;
}

/** A schedule in words and numbers. */
export interface ScheduleFacts {
  readonly description: string;
  /** Time zone of the cron expression; null for an interval. */
  readonly timezone: string | null;
  /** Average. */
  readonly firesPerDay: number;
}

/** Usage of a trigger; null if no turn reported any. */
export interface RunUsage {
  readonly runs: number;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  /** Estimated US dollars. */
  readonly cost: number | null;
}

/** Usage of a trigger today and this month, in the time zone of the host. */
export interface TriggerUse {
  readonly today: RunUsage;
  readonly month: RunUsage;
}

/** Cost of all turns today, and the limit, in US dollars. */
export interface DailyCostState {
  readonly spent: number;
  readonly limit: number;
}

/** Total usage of turns: those fired by triggers, and those of chats. */
export interface UsageSum extends RunUsage {
  readonly chatTurns: number;
}

/** Usage of a project in recent days. */
export interface ProjectUsage {
  /** Time zone of the host, which defines the days. */
  readonly timezone: string;
  /** Every day, earliest first. */
  readonly days: readonly (UsageSum & { readonly day: string })[];
  readonly total: UsageSum;
  /** Most turns first. */
  readonly triggers: readonly (UsageSum & { readonly source: Source; readonly name: string })[];
}

/** What lists show of a trigger or legacy schedule besides its definition. */
export interface ShownFires {
  readonly lastRun: Run | null;
  /** The newest runs, newest first, up to ten. */
  readonly recentRuns: readonly RecentRun[];
  /** The next fires while it is armed, up to five. */
  readonly upcoming: readonly string[];
  /** Its schedule in words and numbers; null without a schedule. */
  readonly schedule: ScheduleFacts | null;
  /** Why every fire would currently fail, in a sentence; absent if there is no problem, or if disabled. */
  readonly problem?: string;
  readonly usage: TriggerUse;
  /** The effective runtime: of the trigger, else of the project, else the default. */
  readonly runtimeInForce: string;
  /** Limits that the runtime cannot enforce, which prevent it from firing; absent if none. */
  readonly unheld?: readonly Issue[];
  /** Warnings for the author; absent if none. */
  readonly warnings?: readonly Issue[];
}

/** An upcoming fire. */
export interface PlannedFire {
  readonly trigger: string;
  readonly at: string;
}

/** An armed trigger that fires too often to list its fires. */
export interface FrequentTrigger {
  readonly trigger: string;
  /** Average. */
  readonly firesPerDay: number;
}

/** Upcoming fires. */
export interface Plan {
  /** Earliest first, at most 1000. */
  readonly fires: readonly PlannedFire[];
  readonly frequent: readonly FrequentTrigger[];
}

/** A possible change of `project.yaml`, and the entity tag of the stored trigger. */
export interface ForeseenEdit {
  /** The current file. */
  readonly before: string;
  /** The file after the change. */
  readonly after: string;
  /** Entity tag of the stored trigger, for `If-Match`; null if there is none, or it is invalid. */
  readonly etag: string | null;
}

/** A prompt file, and the entries that use it. */
export interface ListedPromptFile {
  readonly source: Source;
  /** Name as in an entry. */
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

/** A runtime, and whether it is ready. */
export interface RuntimeReadiness {
  readonly id: string;
  /** Whether it is the default for projects and triggers. */
  readonly isDefault: boolean;
  readonly ready: boolean;
  /** Why it is not ready, in one sentence. */
  readonly reason: string | null;
  /** Which limits it enforces, and how. */
  readonly holds: RuntimeCapabilities;
  /** Result of its allow-list self-test so far; this response does not start one. */
  readonly fence: FenceState;
}

/** An effective setting. */
export interface SettingInForce {
  /** As written in the file; null if it is not set and has no default. Never a secret. */
  readonly value: string | number | boolean | null | readonly string[];
  readonly source: 'default' | 'file' | 'environment' | 'flag';
}

/** Result of the allow-list self-test of a runtime: `none` if there is no test. */
export interface FenceState {
  readonly verdict: 'none' | 'untested' | 'holds' | 'fails';
  /** What was not blocked, or why it could not be tested; null if nothing. */
  readonly reason: string | null;
}

/** The effective configuration, without secrets. */
export interface InForce {
  /** By name in the file. */
  readonly settings: Readonly<Record<string, SettingInForce>>;
  /** Clients of `/mcp` with their scopes. */
  readonly clients: readonly { readonly clientId: string; readonly scope: Scope }[];
}

/** The effective settings. */
export type EffectiveSettings = InForce & {
  readonly runtimes: readonly RuntimeReadiness[];
  readonly alerts: AlertStanding;
};

/** Log lines of a process, oldest first. */
export interface LogPage {
  readonly lines: readonly LogLine[];
  /** Pass as `after` to get later lines. */
  readonly last: number;
  /** Number of lines after `after` that are no longer kept. */
  readonly dropped: number;
}

/** A log line: `time` (UTC ISO text), `level` (10 trace to 60 fatal), `msg`, and fields. */
type LogLine = Readonly<Record<string, unknown>>;

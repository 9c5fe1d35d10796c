import type { Runtime, ToolPolicy } from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';
import type { Projects } from '@svc/projects';
import type { OperationName, RunOutcome, Slug, TriggerKey } from '@svc/records';
import type { Fire, MissedSlots, Scheduler } from '@svc/scheduler';
import type { Store, Traits, TurnQueue } from '@svc/store';
import type { ProjectSettings } from '@svc/trigger-schema';
import type { ChangeFeed } from './changes.ts';
import type { Tracer } from './tracing.ts';

/** Observes runs, for metrics. */
export interface RunObserver {
  /** A slot was claimed `lateMs` after its scheduled time. */
  claimed(fire: { readonly lateMs: number; readonly catchUp: boolean }): void;
  /** A run has ended. */
  ended(run: {
    readonly project: Slug;
    readonly trigger: string;
    readonly outcome: RunOutcome;
  }): void;
  /** All triggers were paused. */
  paused?(): void;
  /** A daily limit was reached. */
  limited?(): void;
  /** A turn ended, with its usage; null if unknown. */
  used?(turn: {
    readonly project: Slug;
    readonly tokensIn: number | null;
    readonly tokensOut: number | null;
    /** Estimated millionths of a US dollar. */
    readonly costMicrousd: number | null;
    /** Number of failed tool calls. */
    readonly toolErrors: number | null;
    /** Numbers of connections of its processes; null if not recorded. */
    readonly connections: { readonly reached: number; readonly refused: number } | null;
  }): void;
  /** Old runs were removed. */
  pruned?(removed: { readonly runs: number }): void;
}

/** Which runs of each trigger to keep, with their transcripts; null: no limit of number or age. */
export interface Retention {
  readonly runs: number | null;
  /** In milliseconds. */
  readonly ageMs: number | null;
}

/** Time zone data of the host. */
export interface ZoneHost {
  /** Identifies the time zone of the process. Default: the zone that `Intl` reports. */
  zone?(): string;
  /** What is wrong with the configured time zone, and how to fix it; null if nothing. Default: null. */
  warning?(): string | null;
  /** Makes the process determine the time zone of the host again, in case it changed. */
  refresh(): Promise<void>;
  /** Whether the host has data for comparison. */
  hasData(): Promise<boolean>;
  /** The TZif file of an IANA zone, or, with null, of the zone of the host; null if there is none. */
  data(zone: string | null): Promise<Uint8Array | null>;
}

/** What a server needs in a cluster. */
export interface SharedProcess {
  /** Id of the previous process of this home in the database; null if none. */
  readonly earlierNode: string | null;
  /** Values of this server that must match on all servers, by name. Default: nothing is compared. */
  traits?(): Traits;
  /** Called when other servers evicted this one: it must end, and cannot return under its id. */
  evicted(): void;
}

/** Dependencies of the engine; each is a port that tests can replace. */
export interface EngineDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store;
  readonly queue: TurnQueue;
  readonly projects: Projects;
  readonly changes: ChangeFeed;
  /** Runtimes by id. */
  readonly runtimes: ReadonlyMap<string, Runtime>;
  /** Ends processes that turns of an earlier process left behind. */
  readonly reaper: {
    endTurns(turnIds: readonly string[]): Promise<{ ended: number }>;
    /** Turns that have processes on this machine. Default: none. */
    turns?(): Promise<readonly string[]>;
  };
  /**
   * Removes incomplete files that file tools of an earlier process left in a project folder before an instant
   * (milliseconds).
   */
  readonly sweep?: (folder: string, before: number) => Promise<{ readonly removed: number }>;
  readonly observer?: RunObserver;
  /** Traces runs. Default: no tracing. */
  readonly tracer?: Tracer;
  /**
   * Secrets that must not be stored or logged, as currently configured; values under 6 characters are ignored. Default:
   * none.
   */
  readonly secrets?: () => readonly string[];
  /** Version of svc. Default: `0`. */
  readonly version?: string;
  /**
   * Identifies everything besides its text that determines how a project file is interpreted: program, rules, location.
   * Cached results of an earlier process are used if it is unchanged. Default: no cache.
   */
  readonly maker?: string;
  /** Host name. Default: `localhost`. */
  readonly host?: string;
  /** Present if alerts are delivered; then reached limits are recorded for them. Default: none. */
  readonly alerts?: object;
  /** Time zone data of the host. Default: none, and the zone never changes. */
  readonly zoneHost?: ZoneHost;
  /** Present if servers share the database. Default: an embedded database. */
  readonly shared?: SharedProcess;
  /**
   * Creates the scheduler from callbacks for claimed fires, for missed slots, for projects with lost slots, and for why
   * a slot was not claimed.
   */
  readonly createScheduler: (
    onFire: (fires: readonly Fire[]) => Promise<void>,
    onMissed: (missed: readonly MissedSlots[]) => void,
    onLost: (projects: readonly Slug[]) => void,
    absence: (key: TriggerKey, due: number) => string | null,
  ) => Scheduler;
}

/** Settings of the engine. */
export interface EngineSettings {
  /** Runtime of projects and triggers without their own. */
  readonly defaultRuntime: string;
  /** Maximum depth of turns that start turns, 0 to 8, if project and trigger set none. */
  readonly maxSpawnDepth: number;
  /** Maximum duration of a turn whose trigger sets none, in milliseconds. */
  readonly turnTimeoutMs: number;
  /** The whole environment of agent processes, besides the variables of their turn. */
  readonly agentEnv: Readonly<Record<string, string>>;
  /** Decides which tools start turns. */
  readonly toolPolicy: ToolPolicy;
  /** Maximum number of runs of all triggers per day in the time zone of the host. Default: null, unlimited. */
  readonly firesPerDay?: number | null;
  /** Maximum cost of all turns per day in the time zone of the host, in US dollars. Default: null, unlimited. */
  readonly costPerDayUsd?: number | null;
  /** Default: everything is kept. */
  readonly retention?: Retention;
  /** How long a curator waits for further turns after a turn, in milliseconds. Default: 5 minutes. */
  readonly curatorDelayMs?: number;
  /** The operations that agents of a project may have as tools. */
  readonly keeperTools: (project: ProjectSettings) => readonly OperationName[];
}

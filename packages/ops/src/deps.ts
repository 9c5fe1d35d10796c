import type { Runtime, ToolPolicy } from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';
import type { Projects } from '@svc/projects';
import type { OperationName, RunOutcome, Slug, TriggerKey } from '@svc/records';
import type { Fire, MissedSlots, Scheduler } from '@svc/scheduler';
import type { Store, Traits, TurnQueue } from '@svc/store';
import type { ProjectSettings } from '@svc/trigger-schema';
import type { AlertPort } from './alerting.ts';
import type { ChangeFeed } from './changes.ts';
import type { InForce, LogPage } from './overviews.ts';
import type { Tracer } from './tracing.ts';

/** Watches what happens to runs, for figures. */
export interface RunObserver {
  /** A slot was claimed `lateMs` after it was due. */
  claimed(fire: { readonly lateMs: number; readonly catchUp: boolean }): void;
  /** A run has ended. */
  ended(run: {
    readonly project: Slug;
    readonly trigger: string;
    readonly outcome: RunOutcome;
  }): void;
  /** Everything was paused. */
  paused?(): void;
  /** A daily limit was spent. */
  limited?(): void;
  /** A turn has ended, with what it used; null where that is not known. */
  used?(turn: {
    readonly project: Slug;
    readonly tokensIn: number | null;
    readonly tokensOut: number | null;
    /** Millionths of a US dollar, an estimate. */
    readonly costMicrousd: number | null;
    /** Tool calls that failed. */
    readonly toolErrors: number | null;
  }): void;
  /** Old runs were removed. */
  pruned?(removed: { readonly runs: number }): void;
}

/** Which runs of each trigger are kept, with their transcripts; null for however many, and however old. */
export interface Retention {
  readonly runs: number | null;
  /** In milliseconds. */
  readonly ageMs: number | null;
}

/** What the host knows of time zones. */
export interface ZoneHost {
  /** What tells its own zone from others, as the process has it. Default: by what `Intl` says. */
  zone?(): string;
  /** What is wrong with the zone that the process was asked to use, and what to do; null where nothing is. Default: nothing. */
  warning?(): string | null;
  /** Has the process find out the zone of the host again, where that may have changed. */
  refresh(): Promise<void>;
  /** Whether there is any data to compare with. */
  hasData(): Promise<boolean>;
  /** The TZif file of an IANA zone, or with null of the host's own; null where there is none. */
  data(zone: string | null): Promise<Uint8Array | null>;
}

/** One of several processes that share a database. */
export interface SharedProcess {
  /** Id under which an earlier life of its home has used the database; null for none. */
  readonly earlierNode: string | null;
  /** What has to be the same on all of them, by name, as it is here now. Default: nothing is compared. */
  traits?(): Traits;
  /** Called when others hold it for dead: it must end, and never comes back under its id. */
  evicted(): void;
}

/** Keeps the newest lines of a log. */
export interface LogTail {
  /** Up to `most` lines behind number `after`, or with null the newest ones; the oldest of them first. */
  read(after: number | null, most: number): LogPage;
}

/** What the operations work with; each is a port that tests can stand in for. */
export interface OpsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store;
  readonly queue: TurnQueue;
  readonly projects: Projects;
  readonly changes: ChangeFeed;
  /** Runtimes by id. */
  readonly runtimes: ReadonlyMap<string, Runtime>;
  /** Ends processes that turns of an earlier life left behind. */
  readonly reaper: {
    endTurns(turnIds: readonly string[]): Promise<{ ended: number }>;
    /** Turns that have processes on this machine. Default: none are found. */
    turns?(): Promise<readonly string[]>;
  };
  /** Removes what file tools of an earlier life left half-written in a project folder, before an instant (milliseconds). */
  readonly sweep?: (folder: string, before: number) => Promise<{ readonly removed: number }>;
  readonly observer?: RunObserver;
  /** Follows fires, for traces. Default: nobody follows them. */
  readonly tracer?: Tracer;
  /** Values that must not be kept or logged, as they are configured now; those under 6 characters do not count. Default: none. */
  readonly secrets?: () => readonly string[];
  /** Version of the program. Default: `0`. */
  readonly version?: string;
  /**
   * Names what decides, beside its text, what a project file comes to: program, rules, place. Where it is the same as in an
   * earlier life, what was found out then holds. Default: nothing is remembered over restarts.
   */
  readonly maker?: string;
  /** Name of the machine. Default: `localhost`. */
  readonly host?: string;
  /** What is in force at this moment. Default: nothing is told. */
  readonly inForce?: () => InForce;
  /** The newest lines of the log of this process. Default: none are kept. */
  readonly logTail?: LogTail;
  /** Who is told what happens. Default: nobody. */
  readonly alerts?: AlertPort;
  /** What the host knows of time zones. Default: nothing, and its own zone never changes. */
  readonly zoneHost?: ZoneHost;
  /** What only one of several processes has that share a database. Default: this one has it for itself. */
  readonly shared?: SharedProcess;
  /** Makes the scheduler, given what to do with the fires it has claimed, with slots that it has not, where it has lost some, and why nobody was there to claim one. */
  readonly createScheduler: (
    onFire: (fires: readonly Fire[]) => Promise<void>,
    onMissed: (missed: readonly MissedSlots[]) => void,
    onLost: (projects: readonly Slug[]) => void,
    absence: (key: TriggerKey, due: number) => string | null,
  ) => Scheduler;
}

/** Settings of the work. */
export interface WorkSettings {
  /** Runtime of projects and triggers that name none. */
  readonly defaultRuntime: string;
  /** Highest depth of turns that start turns, 0 to 8, where project and trigger do not say. */
  readonly maxSpawnDepth: number;
  /** Longest time of a turn whose trigger sets none, in milliseconds. */
  readonly turnTimeoutMs: number;
  /** The whole environment of agents' processes, beside the marks of their turn. */
  readonly agentEnv: Readonly<Record<string, string>>;
  /** Which tools start turns. */
  readonly toolPolicy: ToolPolicy;
  /** Most fires of all triggers on a day of the host. Default: null, as many as there are. */
  readonly firesPerDay?: number | null;
  /** What all turns of a day of the host may cost, in US dollars. Default: null, any cost. */
  readonly costPerDayUsd?: number | null;
  /** Default: everything is kept. */
  readonly retention?: Retention;
  /** How long a curator waits after a turn for others to follow, in milliseconds. Default: 5 minutes. */
  readonly curatorDelayMs?: number;
  /** The operations that the agents of a project may have as tools. */
  readonly keeperTools: (project: ProjectSettings) => readonly OperationName[];
}

/** Switches of the operations that keepers have as tools. External clients are not bound by them. */
export interface KeeperGates {
  /** Reading operations. */
  readonly read: boolean;
  /** Writing operations in the keeper's own project; counts only together with `read`. */
  readonly write: boolean;
  /** `create_project`, and writing in other projects; counts only together with `write`. */
  readonly projects: boolean;
  /** The trigger operations, unless the project has them on itself; counts only together with `write`. */
  readonly hooks: boolean;
}

/** Settings of the operations. */
export interface OpsSettings extends Omit<WorkSettings, 'keeperTools' | 'toolPolicy'> {
  /** Which operations keepers have as tools. */
  readonly keeperGates: KeeperGates;
}

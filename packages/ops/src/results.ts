import type { Issue } from '@svc/core';
import type {
  Change,
  Chat,
  Message,
  PermissionMode,
  ProjectStatus,
  Run,
  RunId,
  SessionId,
  Source,
  TurnId,
} from '@svc/records';
import type { PausedAll, PrunedRuns } from '@svc/store';
import type { WhyAnswer } from './nouns/why/answer.ts';
import type { ProjectHealth } from './overviews.ts';

/** A project as lists show it. */
export interface ProjectView {
  readonly slug: string;
  readonly name: string;
  readonly summary: string | null;
  readonly area: string | null;
  readonly status: ProjectStatus | null;
  readonly repo: string | null;
  /** What its keeper runs as where nothing else is said, as `project.yaml` has it; null: the default of the service. */
  readonly keeper: {
    readonly runtime: string | null;
    readonly model: string | null;
    readonly permissionMode: PermissionMode | null;
  };
  readonly triggerCount: number;
  /** Faults of `project.yaml` outside its entries, or those that keep it from being read; empty while all is well. */
  readonly faults: readonly Issue[];
}

/** A project with how its triggers are. */
export type ProjectWithHealth = ProjectView & {
  readonly health: ProjectHealth;
  /** Id of the server that owns it; null on a single server. */
  readonly node: string | null;
};

/** A project that was created. `warnings`: what of the wish did not count; absent where all did. */
export type CreatedProject = ProjectView & { readonly warnings?: readonly Issue[] };

/** Some of the chats, those with the newest activity first. */
export interface ChatPage {
  readonly chats: readonly Chat[];
  /** How many archived chats were left out. */
  readonly omittedArchived: number;
  /** Goes into `cursor` for the following page; null where there is none. */
  readonly next: string | null;
}

/** Some of the messages of a chat, in reading order. */
export interface MessagePage {
  readonly messages: readonly Message[];
  /** Goes into `cursor` for the messages before these, or into `after` for those behind them; null where there are none. */
  readonly next: string | null;
}

/** Whether a chat is archived now. */
export interface Archiving {
  readonly archived: boolean;
  readonly project: string;
  readonly sessionId: string;
}

/** A turn that is being ended because somebody has asked for it. */
export interface CancelledTurn {
  readonly project: string;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  /** The run of this turn; null for a turn started in a chat. */
  readonly runId: RunId | null;
}

/** Some of the runs, newest first. */
export interface RunPage {
  readonly runs: readonly Run[];
  /** Goes into `cursor` for the following page; null where there is none. */
  readonly next: RunId | null;
  /** On the last page: the older runs that retention has removed; null where there are none, and on the others. */
  readonly removed: PrunedRuns | null;
}

/** Some of the runs of all projects, newest first. */
export type AllRunPage = Omit<RunPage, 'removed'>;

/** What was decided about an instant; times are UTC ISO text. */
export interface Why extends Omit<WhyAnswer, 'slot' | 'before' | 'after'> {
  readonly at: string;
  readonly source: Source;
  readonly trigger: string;
  readonly slot: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** Some of the changes, newest first. */
export interface ChangePage {
  readonly changes: readonly Change[];
  /** Goes into `cursor` for the following page; null where there is none. */
  readonly next: string | null;
}

/** A fire that has started a chat, or put a turn into one. */
export interface Fired {
  readonly sessionId: SessionId;
  readonly runId: RunId;
}

/** Everything that starts by itself is paused. */
export interface PausedNow {
  readonly paused: PausedAll;
  /** The pause that was replaced; null if there was none. */
  readonly replaced: PausedAll | null;
  /** Number of servers it applies to. */
  readonly servers: number;
  /** Id of the server that answered. */
  readonly answeredBy: string;
  /** Number of trigger turns being cancelled. */
  readonly stopped: number;
}

/** A trigger whose pause was ended; `resumed: false` where it was not paused. */
export interface ResumedTrigger {
  readonly resumed: boolean;
  readonly project: string;
  readonly name: string;
}

/** A process of the service. */
export interface ServiceNode {
  readonly id: string;
  /** Name of the machine. */
  readonly host: string;
  readonly version: string;
  /** UTC ISO text. */
  readonly startedAt: string;
  /** When it was last seen at work, UTC ISO text. */
  readonly heartbeatAt: string;
  /** How many turns run in it. */
  readonly running: number;
}

/** Where a server is found, and what it does for the projects that the caller sees. */
export interface ServerPlace {
  readonly node: string;
  /** Where it answers, and its home; null where it has not told. */
  readonly url: string | null;
  readonly home: string | null;
  /** How many projects it looks after. */
  readonly projects: number;
}

/** A server that is not there any more. */
export interface GoneServer {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly url: string | null;
  readonly home: string | null;
  readonly startedAt: string;
  /** Its last heartbeat. */
  readonly heartbeatAt: string;
  /** When it stopped, or was evicted and its projects were taken over. */
  readonly goneAt: string;
  /** `stopped`: it shut down; `lost`: it was killed, suspended or disconnected. */
  readonly how: 'stopped' | 'lost';
  /** Number of projects it owned when others took over; null if unknown. */
  readonly projects: number | null;
}

/** The time zone of a server, by which everything goes that names no zone. */
export interface ServiceZone {
  /** IANA name. */
  readonly name: string;
  /** What is wrong with the zone that it was asked to use, and what to do; null where nothing is. */
  readonly warning: string | null;
}

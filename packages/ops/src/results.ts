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

/** A project in lists. */
export interface ProjectView {
  readonly slug: string;
  readonly name: string;
  readonly summary: string | null;
  readonly area: string | null;
  readonly status: ProjectStatus | null;
  readonly repo: string | null;
  /** The keeper settings of `project.yaml`; null means the default of the service. */
  readonly keeper: {
    readonly runtime: string | null;
    readonly model: string | null;
    readonly permissionMode: PermissionMode | null;
  };
  readonly triggerCount: number;
  /** Problems of `project.yaml` outside its entries, or why it cannot be read; empty if none. */
  readonly faults: readonly Issue[];
}

/** A project with the state of its triggers. */
export type ProjectWithHealth = ProjectView & {
  readonly health: ProjectHealth;
  /** Id of the server that owns it; null on a single server. */
  readonly node: string | null;
};

/** A created project. `warnings` name ignored fields; absent if none. */
export type CreatedProject = ProjectView & { readonly warnings?: readonly Issue[] };

/** A page of chats, most recently active first. */
export interface ChatPage {
  readonly chats: readonly Chat[];
  /** Number of archived chats not included. */
  readonly omittedArchived: number;
  /** Pass as `cursor` to get the next page; null at the end. */
  readonly next: string | null;
}

/** A page of messages, oldest first. */
export interface MessagePage {
  readonly messages: readonly Message[];
  /** Pass as `cursor` to get earlier messages, or as `after` to get later ones; null if there are none. */
  readonly next: string | null;
}

/** Whether a chat is now archived. */
export interface Archiving {
  readonly archived: boolean;
  readonly project: string;
  readonly sessionId: string;
}

/** A turn that is being cancelled. */
export interface CancelledTurn {
  readonly project: string;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  /** The run of this turn; null for a turn started in a chat. */
  readonly runId: RunId | null;
}

/** A page of runs, newest first. */
export interface RunPage {
  readonly runs: readonly Run[];
  /** Pass as `cursor` to get the next page; null at the end. */
  readonly next: RunId | null;
  /** On the last page: older runs removed by retention; null if none, and on other pages. */
  readonly removed: PrunedRuns | null;
}

/** A page of runs of all projects, newest first. */
export type AllRunPage = Omit<RunPage, 'removed'>;

/** The decision about an instant; times are UTC ISO text. */
export interface Why extends Omit<WhyAnswer, 'slot' | 'before' | 'after'> {
  readonly at: string;
  readonly source: Source;
  readonly trigger: string;
  readonly slot: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** A page of changes, newest first. */
export interface ChangePage {
  readonly changes: readonly Change[];
  /** Pass as `cursor` to get the next page; null at the end. */
  readonly next: string | null;
}

/** A started run with its chat. */
export interface Fired {
  readonly sessionId: SessionId;
  readonly runId: RunId;
}

/** The new pause of all triggers. */
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

/** A resumed trigger; `resumed: false` if it was not paused. */
export interface ResumedTrigger {
  readonly resumed: boolean;
  readonly project: string;
  readonly name: string;
}

/** A server. */
export interface ServiceNode {
  readonly id: string;
  /** Host name. */
  readonly host: string;
  readonly version: string;
  /** UTC ISO text. */
  readonly startedAt: string;
  /** Its last heartbeat, UTC ISO text. */
  readonly heartbeatAt: string;
  /** Number of running turns. */
  readonly running: number;
}

/** Address of a server, and what it owns of the visible projects. */
export interface ServerPlace {
  readonly node: string;
  /** Its address and home; null if not yet known. */
  readonly url: string | null;
  readonly home: string | null;
  /** Number of projects it owns. */
  readonly projects: number;
}

/** A server that stopped or was lost. */
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

/** The time zone of a server for triggers without their own. */
export interface ServiceZone {
  /** IANA name. */
  readonly name: string;
  /** What is wrong with the configured time zone, and how to fix it; null if nothing. */
  readonly warning: string | null;
}

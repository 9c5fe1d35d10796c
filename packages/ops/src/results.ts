import type { Issue } from '@svc/core';
import type { LimitedWatch } from '@svc/projects';
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
import type { EventPage, PausedAll, PrunedRuns, RunningTurn } from '@svc/store';
import type { AlertTrouble, TestedAlerts } from './alerting.ts';
import type { FeedItem } from './changes.ts';
import type { AttentionItem } from './nouns/attention.ts';
import type { WhyAnswer } from './nouns/why/answer.ts';
import type {
  DailyCostState,
  EffectiveSettings,
  ListedPromptFile,
  LogPage,
  Plan,
  ProjectHealth,
  ProjectUsage,
  PromptText,
  UsageSum,
} from './overviews.ts';
import type { Forks, RanTrigger, ReadChat, SentMessage } from './tool-results.ts';
import type {
  AcceptedTrigger,
  FlatList,
  FlatTrigger,
  Preview,
  RuntimeState,
  StoredTrigger,
  TriggerList,
  Verdict,
} from './trigger-results.ts';

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

/** What goes on in the service. */
interface ServiceStatus {
  readonly version: string;
  /** The pause of everything; null while there is none. */
  readonly paused: PausedAll | null;
  readonly nodes: readonly ServiceNode[];
  /** Settings that differ between servers but must match, one sentence each. */
  readonly differences: readonly string[];
  /** Where those are found that share a database; none for one that has it for itself. */
  readonly places: readonly ServerPlace[];
  /** Those that have gone in the last day, the one that went last first. */
  readonly gone: readonly GoneServer[];
  /** Id of the server that answered. */
  readonly answeredBy: string;
  readonly running: readonly RunningTurn[];
  readonly usageToday: UsageSum;
  /** null without limits.costPerDayUsd. */
  readonly costPerDay: DailyCostState | null;
  readonly alerts: AlertTrouble;
  readonly timezone: ServiceZone;
  /** What needs attention in the projects that the caller sees: how many, and the first 100. */
  readonly attention: { readonly total: number; readonly entries: readonly AttentionItem[] };
  /** Which limit of the machine keeps projects from being watched; null while all are. */
  readonly limitedWatch: LimitedWatch | null;
}

/** A trigger that was set field by field. */
interface SetTrigger {
  readonly set: true;
  readonly project: string;
  readonly trigger: FlatTrigger;
  readonly warnings?: AcceptedTrigger['warnings'];
}

/** The changes that a caller sees. */
export interface VisibleChanges {
  /**
   * Calls back for every change after `after` (an event id; null: from now on), or with the id of one that is passed over.
   * With null the last one so far is passed over at once.
   * Returns how to stop.
   */
  subscribe(
    after: string | null,
    on: (item: FeedItem) => void,
    skipped: (eventId: string) => void,
  ): () => void;
}

/** What comes of each operation when it is carried out. */
export interface OperationResults {
  list_projects: { readonly projects: readonly ProjectView[] };
  list_project_records: { readonly projects: readonly ProjectWithHealth[] };
  create_project: CreatedProject;
  read_project: ProjectView;

  list_chats: ChatPage;
  read_chat: ReadChat;
  read_transcript: Chat & MessagePage;
  create_chat: Chat;
  send_message: SentMessage;
  fork_chat: Chat;
  fork_chat_batch: Forks;
  archive_chat: Archiving;
  unarchive_chat: Archiving;
  cancel_turn: CancelledTurn;

  list_triggers: FlatList;
  set_trigger: SetTrigger;
  remove_trigger: { readonly removed: boolean; readonly project: string; readonly name: string };
  run_trigger: RanTrigger;
  list_trigger_records: TriggerList;
  read_trigger: StoredTrigger;
  read_trigger_runtime: { readonly runtime: readonly RuntimeState[] };
  put_trigger: AcceptedTrigger;
  validate_trigger: Verdict;
  list_prompt_files: { readonly promptFiles: readonly ListedPromptFile[] };
  read_prompt_file: PromptText;
  list_upcoming: Plan;
  preview_schedule: Preview;

  list_runs: RunPage;
  list_all_runs: AllRunPage;
  find_run: Run;
  list_trigger_runs: RunPage;
  why_trigger: Why;
  list_trigger_changes: ChangePage;
  read_run: Run;
  cancel_run: Run;

  list_events: EventPage;

  read_usage: ProjectUsage;
  read_status: ServiceStatus;
  read_logs: LogPage & { readonly node: string };
  list_nodes: { readonly nodes: readonly ServiceNode[] };
  pause_all: PausedNow;
  resume_all: { readonly paused: null };
  resume_trigger: ResumedTrigger;
  test_alerts: TestedAlerts;
  read_settings: EffectiveSettings;
  follow_changes: VisibleChanges;
  read_openapi: null;
}

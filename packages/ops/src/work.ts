import type { LimitedWatch, ProjectSnapshot } from '@svc/projects';
import type {
  Chat,
  ProjectStatus,
  Run,
  RunId,
  RunOutcome,
  Slug,
  Source,
  TriggerKey,
} from '@svc/records';
import type { EventFilter, EventPage, PausedAll, RunningTurn } from '@svc/store';
import type { AlertStanding, AlertTrouble, TestedAlerts } from './alerting.ts';
import type { Caller } from './caller.ts';
import type { ChangeFeed } from './changes.ts';
import type { Answer } from './errors.ts';
import type { AttentionItem } from './nouns/attention.ts';
import type {
  DailyCostState,
  EffectiveSettings,
  ListedPromptFile,
  LogPage,
  ProjectUsage,
  PromptText,
  UsageSum,
} from './overviews.ts';
import type {
  AllRunPage,
  Archiving,
  CancelledTurn,
  ChangePage,
  ChatPage,
  CreatedProject,
  GoneServer,
  MessagePage,
  PausedNow,
  ProjectView,
  ProjectWithHealth,
  ResumedTrigger,
  RunPage,
  ServerPlace,
  ServiceNode,
  ServiceZone,
  Why,
} from './results.ts';
import type { TriggerWork } from './trigger-work.ts';

/** A project to create. */
export interface NewProject {
  readonly name: string;
  /** Default: the name in kebab-case, with a number if it is taken. */
  readonly slug?: string;
  readonly summary?: string;
  readonly area?: string;
  readonly status?: ProjectStatus;
  /** Git repository to clone; its own project.yaml, if any, is kept. */
  readonly repo?: string;
}

/**
 * How a caller may create a project from a repository, whose triggers have no bounds: `as_it_is` for people, `disabled`
 * for clients that could set every trigger themselves, `refused` for all others.
 */
export type Cloning = 'as_it_is' | 'disabled' | 'refused';

/** Limits for the creation of a project. */
export interface CreateLimits {
  /** Whether a project with this slug may be created. */
  readonly mayCreate: (slug: string) => boolean;
  /** How a project may be created from a repository. */
  readonly cloning: Cloning;
  /** Aborts cloning. */
  readonly signal: AbortSignal;
}

/** Operations on projects. */
export interface ProjectWork {
  /** The existing projects among these slugs. */
  views(slugs: readonly string[]): Promise<ProjectView[]>;
  /** The same with the state of their triggers. */
  withHealth(slugs: readonly string[]): Promise<ProjectWithHealth[]>;
  /** What needs attention in these projects. */
  attention(slugs: readonly string[]): Promise<readonly AttentionItem[]>;
  view(project: ProjectSnapshot): ProjectView;
  create(caller: Caller, project: NewProject, limits: CreateLimits): Answer<CreatedProject>;
}

/** Which chats to list: by default those that are not archived, up to 50. */
export interface ChatQuery {
  readonly includeArchived?: boolean | undefined;
  /** 1 to 200. */
  readonly limit?: number | undefined;
  /** `next` of the previous page. */
  readonly cursor?: string | undefined;
}

/** A chat with its project and the depth of its turns. */
export interface FoundChat {
  readonly snapshot: ProjectSnapshot;
  readonly chat: Chat;
  readonly depth: number;
}

/** A chat to start. */
export interface ChatWish {
  readonly prompt: string;
  readonly name?: string;
  readonly model?: string;
}

/** A copy to create; without a prompt, no turn is started. */
export type ForkWish = Partial<ChatWish>;

/** Changes chats and starts turns in them. */
export interface ChatWrites {
  /** Starts a chat as the keeper of the project, with a first turn. */
  create(caller: Caller, project: ProjectSnapshot, wish: ChatWish): Answer<Chat>;
  /** Adds a message to a chat and starts a turn for it. */
  send(caller: Caller, chat: FoundChat, prompt: string): Answer<Chat>;
  /** Copies a chat once per request and starts the turns: all or none. */
  fork(caller: Caller, chat: FoundChat, wishes: readonly ForkWish[]): Answer<Chat[]>;
  /** Archives a chat, if it is not archived. */
  archive(caller: Caller, chat: FoundChat): Promise<Archiving>;
  /** Unarchives a chat. */
  unarchive(chat: FoundChat): Promise<Archiving>;
}

/** Operations on chats. */
export interface ChatWork extends ChatWrites {
  /** Chats of these projects. */
  list(projects: readonly string[], query: ChatQuery): Answer<ChatPage>;
  /** The newest `limit` messages, or those before a page; fewer if they are long. */
  messages(
    chat: FoundChat,
    query: { readonly limit: number; readonly cursor?: string | undefined },
  ): Answer<MessagePage>;
  /** The messages after this number, oldest first, up to `limit`; fewer if they are long. */
  newerMessages(
    chat: FoundChat,
    query: { readonly limit: number; readonly after: number },
  ): Promise<MessagePage>;
  /** Ends the running turn of a chat, or else the one that has waited longest; `conflict` if there is none. */
  cancel(caller: Caller, chat: FoundChat): Answer<CancelledTurn>;
}

/** Which runs to list. */
export interface RunQuery {
  readonly trigger?: string;
  /** Only runs with one of these outcomes. */
  readonly outcomes?: readonly RunOutcome[];
  /** UTC ISO text: only runs claimed at or after it. */
  readonly from?: string;
  /** `next` of the previous page. */
  readonly cursor?: RunId;
  /** 1 to 200. Default: 50. */
  readonly limit?: number;
}

/** Reads runs, and cancels one. */
export interface RunWork {
  list(project: Slug, query: RunQuery): Promise<RunPage>;
  listAll(projects: readonly Slug[], query: RunQuery): Promise<AllRunPage>;
  /** A run of one of these projects. */
  find(projects: readonly Slug[], id: string): Answer<Run>;
  get(project: Slug, id: string): Answer<Run>;
  /** Ends a queued or running run; `conflict` if it has ended. */
  cancel(caller: Caller, project: Slug, id: string): Answer<Run>;
  /** The outcome of a run, waiting up to `ms`; null while it is unfinished, or when the signal aborts. */
  outcome(project: Slug, id: RunId, ms: number, signal: AbortSignal): Promise<RunOutcome | null>;
}

/** Reads the prompt files of a project. */
export interface PromptFileWork {
  /** All prompt files, by folder and name. */
  list(project: ProjectSnapshot): Promise<readonly ListedPromptFile[]>;
  /** A prompt file, by the rules of firing; `not_found` says why a fire could not read it. */
  read(project: ProjectSnapshot, source: Source, name: string): Answer<PromptText>;
}

/** Reads events. */
interface EventWork {
  /** The events of a project with their runs, newest first. */
  list(project: Slug, filter: EventFilter): Promise<EventPage>;
}

/** Identifies a trigger. */
interface WhichTrigger {
  readonly source?: Source | undefined;
}

/** Explains decisions, and lists changes of triggers. */
export interface WhyWork {
  /** The decision about an instant, in milliseconds since the epoch; absent: the latest slot. */
  why(
    project: ProjectSnapshot,
    name: string,
    query: WhichTrigger & { readonly at?: number | undefined },
  ): Answer<Why>;
  /** The changes of a trigger, newest first. */
  changes(
    project: ProjectSnapshot,
    name: string,
    query: WhichTrigger & {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    },
  ): Answer<ChangePage>;
}

/** Pauses of all triggers and of single triggers. */
export interface PausingWork {
  /** The pause of all triggers; null if there is none. */
  all(): Promise<PausedAll | null>;
  /**
   * Pauses all triggers, replacing an earlier pause. Queued runs are skipped; running ones continue, unless
   * `stopRunning` cancels the turns of triggers.
   */
  pause(
    caller: Caller,
    wish: { readonly reason?: string | undefined; readonly stopRunning: boolean },
  ): Answer<PausedNow>;
  resume(caller: Caller): Answer<{ readonly paused: null }>;
  /** Ends the pause of a trigger, or its waiting after the clock was set back; `resumed: false` if there was neither. */
  resumeTrigger(caller: Caller, project: ProjectSnapshot, name: string): Answer<ResumedTrigger>;
  /** Why a trigger may not start now, in a sentence; null if it may. */
  reasonOf(key: TriggerKey): Promise<string | null>;
}

/** Usage of turns. */
export interface UsageWork {
  /** Usage of a project in the last `days` (1 to 366), including today. */
  of(project: Slug, days: number): Promise<ProjectUsage>;
  /** Usage of these projects together today. */
  today(projects: readonly Slug[]): Promise<UsageSum>;
  /** Cost and limit of all turns today; null without a limit. */
  costPerDay(): Promise<DailyCostState | null>;
}

/** State and tests of alert sinks. */
export interface AlertWork {
  standing(): Promise<AlertStanding>;
  trouble(): Promise<AlertTrouble>;
  /** Sends a test alert to one sink, or to all. */
  test(caller: Caller, sink: string | undefined): Answer<TestedAlerts>;
}

/** The service itself. */
export interface ServiceWork {
  readonly version: string;
  /** Id of this server. */
  readonly nodeId: string;
  /** Live servers, oldest first. */
  nodes(): Promise<readonly ServiceNode[]>;
  /** Settings that differ between servers but must match, one sentence each. */
  differences(): Promise<readonly string[]>;
  /** Servers that stopped or were lost in the last day, most recent first; empty for an embedded database. */
  gone(): Promise<readonly GoneServer[]>;
  /** Addresses of the live servers, in the same order, and the number of these projects that each owns. */
  places(projects: readonly Slug[]): Promise<readonly ServerPlace[]>;
  /** Id of the server that owns a project; null for an embedded database. */
  holder(project: Slug): string | null;
  /** Time zone of this server for triggers without their own. */
  readonly timezone: ServiceZone;
  /** The system limit that prevents watching some projects; null if all are watched. */
  readonly limitedWatch: LimitedWatch | null;
  /** Running turns in these projects, longest first. */
  running(projects: readonly Slug[]): Promise<readonly RunningTurn[]>;
  settings(): Promise<EffectiveSettings>;
  /** The newest log lines of this process, or those after number `after`. */
  logs(after: number | null, most: number): LogPage;
}

/** The work behind the operations. Nothing here checks permissions; the gate has already done so. */
export interface Nouns {
  readonly projects: ProjectWork;
  readonly triggers: TriggerWork;
  readonly promptFiles: PromptFileWork;
  readonly runs: RunWork;
  readonly why: WhyWork;
  readonly events: EventWork;
  readonly chats: ChatWork;
  readonly service: ServiceWork;
  readonly pausing: PausingWork;
  readonly alerts: AlertWork;
  readonly usage: UsageWork;
  readonly changes: ChangeFeed;
}

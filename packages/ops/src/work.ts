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

/** A project to be created. */
export interface NewProject {
  readonly name: string;
  /** Default: the name in kebab-case, made unique by a number. */
  readonly slug?: string;
  readonly summary?: string;
  readonly area?: string;
  readonly status?: ProjectStatus;
  /** Git repository to clone; its own project.yaml, where it has one, is kept. */
  readonly repo?: string;
}

/**
 * How a caller may make a project from a repository, which brings triggers that have no bounds: `as_it_is` for people,
 * `disabled` for clients that could set every trigger themselves, `refused` for all others.
 */
export type Cloning = 'as_it_is' | 'disabled' | 'refused';

/** What bounds the creation of a project. */
export interface CreateLimits {
  /** Whether a project of this slug may be created. */
  readonly mayCreate: (slug: string) => boolean;
  /** How a project may be made from a repository. */
  readonly cloning: Cloning;
  /** Gives up cloning when it aborts. */
  readonly signal: AbortSignal;
}

/** Working with projects. */
export interface ProjectWork {
  /** Those of these slugs that there are. */
  views(slugs: readonly string[]): Promise<ProjectView[]>;
  /** The same with how their triggers are. */
  withHealth(slugs: readonly string[]): Promise<ProjectWithHealth[]>;
  /** What of these projects needs attention. */
  attention(slugs: readonly string[]): Promise<readonly AttentionItem[]>;
  view(project: ProjectSnapshot): ProjectView;
  create(caller: Caller, project: NewProject, limits: CreateLimits): Answer<CreatedProject>;
}

/** Which chats to list: by default those that are not archived, up to 50. */
export interface ChatQuery {
  readonly includeArchived?: boolean | undefined;
  /** 1 to 200. */
  readonly limit?: number | undefined;
  /** What a previous page gave as `next`. */
  readonly cursor?: string | undefined;
}

/** A chat in its project, with the depth of its turns. */
export interface FoundChat {
  readonly snapshot: ProjectSnapshot;
  readonly chat: Chat;
  readonly depth: number;
}

/** A chat to be started. */
export interface ChatWish {
  readonly prompt: string;
  readonly name?: string;
  readonly model?: string;
}

/** A copy to be made; without a prompt no turn is started. */
export type ForkWish = Partial<ChatWish>;

/** Changing chats and starting turns in them. */
export interface ChatWrites {
  /** Starts a chat as the project's keeper, with a first turn. */
  create(caller: Caller, project: ProjectSnapshot, wish: ChatWish): Answer<Chat>;
  /** Puts a message into a chat and starts a turn for it. */
  send(caller: Caller, chat: FoundChat, prompt: string): Answer<Chat>;
  /** Copies a chat as often as there are wishes, and starts their turns: all of it or nothing. */
  fork(caller: Caller, chat: FoundChat, wishes: readonly ForkWish[]): Answer<Chat[]>;
  /** Archives a chat; an archived one stays as it is. */
  archive(caller: Caller, chat: FoundChat): Promise<Archiving>;
  /** Brings an archived chat back. */
  unarchive(chat: FoundChat): Promise<Archiving>;
}

/** Working with chats. */
export interface ChatWork extends ChatWrites {
  /** Chats of these projects. */
  list(projects: readonly string[], query: ChatQuery): Answer<ChatPage>;
  /** The newest `limit` messages, or those before a page; fewer where they are long. */
  messages(
    chat: FoundChat,
    query: { readonly limit: number; readonly cursor?: string | undefined },
  ): Answer<MessagePage>;
  /** What follows the message of this number, oldest first, up to `limit`; fewer where they are long. */
  newerMessages(
    chat: FoundChat,
    query: { readonly limit: number; readonly after: number },
  ): Promise<MessagePage>;
  /** Ends the turn that runs in it, else the one that has waited longest; `conflict` when there is none. */
  cancel(caller: Caller, chat: FoundChat): Answer<CancelledTurn>;
}

/** Which runs to list. */
export interface RunQuery {
  readonly trigger?: string;
  /** Only runs that ended in one of these ways. */
  readonly outcomes?: readonly RunOutcome[];
  /** UTC ISO text: only runs claimed at or after it. */
  readonly from?: string;
  /** What a previous page gave as `next`. */
  readonly cursor?: RunId;
  /** 1 to 200. Default: 50. */
  readonly limit?: number;
}

/** Reading the record of fires, and stopping one. */
export interface RunWork {
  list(project: Slug, query: RunQuery): Promise<RunPage>;
  listAll(projects: readonly Slug[], query: RunQuery): Promise<AllRunPage>;
  /** One of these projects. */
  find(projects: readonly Slug[], id: string): Answer<Run>;
  get(project: Slug, id: string): Answer<Run>;
  /** Ends a queued or running run; `conflict` when it has ended. */
  cancel(caller: Caller, project: Slug, id: string): Answer<Run>;
  /** How a run ended, waiting up to `ms` for it; null while it goes on, or when the signal aborts. */
  outcome(project: Slug, id: RunId, ms: number, signal: AbortSignal): Promise<RunOutcome | null>;
}

/** Reading the prompt files of a project. */
export interface PromptFileWork {
  /** Those that there are, by folder and name. */
  list(project: ProjectSnapshot): Promise<readonly ListedPromptFile[]>;
  /** One, by the rules of a fire; `not_found` says why a fire could not read it. */
  read(project: ProjectSnapshot, source: Source, name: string): Answer<PromptText>;
}

/** Reading what happened. */
interface EventWork {
  /** The events of a project with their runs, newest first. */
  list(project: Slug, filter: EventFilter): Promise<EventPage>;
}

/** Which trigger is meant, and what of it. */
interface WhichTrigger {
  readonly source?: Source | undefined;
}

/** Saying what was decided, and what became of triggers. */
export interface WhyWork {
  /** What was decided about an instant, in milliseconds since the epoch; absent: the newest slot. */
  why(
    project: ProjectSnapshot,
    name: string,
    query: WhichTrigger & { readonly at?: number | undefined },
  ): Answer<Why>;
  /** What became of a trigger, newest first. */
  changes(
    project: ProjectSnapshot,
    name: string,
    query: WhichTrigger & {
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    },
  ): Answer<ChangePage>;
}

/** Keeping triggers from starting by themselves. */
export interface PausingWork {
  /** The pause of everything; null while there is none. */
  all(): Promise<PausedAll | null>;
  /**
   * Pauses everything that starts by itself, in place of an earlier pause. What waits to start is skipped; what runs goes
   * on, unless `stopRunning` has the turns of triggers cancelled.
   */
  pause(
    caller: Caller,
    wish: { readonly reason?: string | undefined; readonly stopRunning: boolean },
  ): Answer<PausedNow>;
  resume(caller: Caller): Answer<{ readonly paused: null }>;
  /** Ends the pause or the silence after its clock of one trigger; `resumed: false` where there was neither. */
  resumeTrigger(caller: Caller, project: ProjectSnapshot, name: string): Answer<ResumedTrigger>;
  /** Why a trigger does not start by itself now, in a sentence; null where it may. */
  reasonOf(key: TriggerKey): Promise<string | null>;
}

/** What turns used. */
export interface UsageWork {
  /** Of a project in the last `days` (1 to 366), today among them. */
  of(project: Slug, days: number): Promise<ProjectUsage>;
  /** Of these projects together, on this day. */
  today(projects: readonly Slug[]): Promise<UsageSum>;
  /** What all turns of this day have cost and may cost; null without a limit. */
  costPerDay(): Promise<DailyCostState | null>;
}

/** Who is told what happens. */
export interface AlertWork {
  standing(): Promise<AlertStanding>;
  trouble(): Promise<AlertTrouble>;
  /** Tries one sink, or all, with something that did not happen. */
  test(caller: Caller, sink: string | undefined): Answer<TestedAlerts>;
}

/** The service itself. */
export interface ServiceWork {
  readonly version: string;
  /** Id of this process. */
  readonly nodeId: string;
  /** The processes that are there, the one that has been there longest first. */
  nodes(): Promise<readonly ServiceNode[]>;
  /** Settings that differ between servers but must match, one sentence each. */
  differences(): Promise<readonly string[]>;
  /** Those that have gone in the last day, the one that went last first; none where it has its database for itself. */
  gone(): Promise<readonly GoneServer[]>;
  /** Where those that are there are found, in the same order, and how many of these projects each looks after. */
  places(projects: readonly Slug[]): Promise<readonly ServerPlace[]>;
  /** Id of the process that looks after a project; null where it has its database for itself. */
  holder(project: Slug): string | null;
  /** By which zone the process that answers goes where a trigger names none. */
  readonly timezone: ServiceZone;
  /** Which limit of the machine keeps projects from being watched; null while all are. */
  readonly limitedWatch: LimitedWatch | null;
  /** Turns that run now in these projects, the one that has run longest first. */
  running(projects: readonly Slug[]): Promise<readonly RunningTurn[]>;
  settings(): Promise<EffectiveSettings>;
  /** The newest lines of the log of this process, or those behind number `after`. */
  logs(after: number | null, most: number): LogPage;
}

/** What there is to work on. Nothing here asks whether the caller may; the gate has asked before. */
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

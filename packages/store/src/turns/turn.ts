import type {
  Capability,
  DeniedCall,
  EventData,
  NewMessage,
  Run,
  RunId,
  RunNetwork,
  RunOutcome,
  SandboxState,
  SessionId,
  Slug,
  TriggerKey,
  TurnId,
} from '@svc/records';
import type { NewChat } from '../chats/chat-writes.ts';
import type { NewRun } from '../runs/runs.ts';

/** Maximum number of runs that may start on a day; null: unlimited. */
export interface DailyLimits {
  /** `YYYY-MM-DD` in the time zone of the host. */
  readonly day: string;
  readonly ofTrigger: number | null;
  /** For all triggers together. */
  readonly ofAll: number | null;
}

/** Everything that starts a turn; written in one transaction. */
export interface TurnOpening {
  readonly turnId: TurnId;
  readonly sessionId: SessionId;
  readonly project: Slug;
  /** The prompt as written by its author. */
  readonly prompt: string;
  /** The event that started it. Default: null, none. */
  readonly context?: EventData | null;
  readonly capability: Capability;
  readonly depth: number;
  readonly parentTurn: TurnId | null;
  readonly timeoutMs: number;
  readonly at: number;
  /** A chat to create, with a copy of the messages of `forkedFrom`; null for a turn in an existing chat. */
  readonly chat: NewChat | null;
  /** With a run and without `chat`: the new model of the chat, null for the default; absent: unchanged. */
  readonly model?: string | null;
  /** A claimed run, a new one, or none (a chat message). */
  readonly run: { readonly claimed: RunId } | { readonly fresh: NewRun } | null;
  /** With a run: the day on which it counts. Default: it is not counted. */
  readonly daily?: DailyLimits;
  /** Identifies the definition of the run. Default: unknown. */
  readonly definitionHash?: string;
  /** The trigger that owns this chat from now on (`session: resume`). */
  readonly owner: TriggerKey | null;
  readonly messages: readonly NewMessage[];
}

/** A queued or running turn. */
export interface OpenTurn {
  readonly id: TurnId;
  readonly sessionId: SessionId;
  readonly runId: RunId | null;
  /** Its run; null for a message in a chat. */
  readonly run: TurnRun | null;
  readonly project: Slug;
  readonly prompt: string;
  /** The event that started it; null if none. */
  readonly context: EventData | null;
  readonly capability: Capability;
  readonly depth: number;
  readonly timeoutMs: number;
  /** When it was queued. */
  readonly queuedAt: string;
  readonly cancelRequested: boolean;
  readonly model: string | null;
  readonly runtime: string;
  /** The session of the runtime to continue, or to copy with `fork`; null if there is none. */
  readonly resume: { readonly ref: string; readonly fork: boolean } | null;
}

/** The part of a run that does not change while it has a turn. */
export type TurnRun = Pick<Run, 'source' | 'trigger' | 'cause' | 'by' | 'claimedAt' | 'lateMs'>;

/** Usage of a turn; null if unknown. */
export interface TurnUsed {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  /** Estimated millionths of a US dollar. */
  readonly costMicrousd: number | null;
}

/** How a turn ended, and its usage. */
export interface TurnEnding extends TurnUsed {
  readonly outcome: RunOutcome;
  readonly reason: string | null;
  readonly turns: number;
  readonly toolCalls: number;
  /** Number of failed tool calls; null if unknown. */
  readonly toolErrors: number | null;
  readonly denied: readonly DeniedCall[];
  readonly model: string | null;
  /** null if the turn started no process, or if unknown. */
  readonly sandbox: SandboxState | null;
  /** null if not recorded. */
  readonly network: RunNetwork | null;
}

/** Effects of the end of a turn. */
export interface EndedTurn {
  /** Whether its success ended a pause of its trigger. */
  readonly endsPause: boolean;
  /** Its ended run; null if it had none. */
  readonly run: Run | null;
}

import type {
  Capability,
  DeniedCall,
  EventData,
  NewMessage,
  Run,
  RunId,
  RunOutcome,
  SessionId,
  Slug,
  TriggerKey,
  TurnId,
} from '@svc/records';
import type { NewChat } from '../chats/chat-writes.ts';
import type { NewRun } from '../runs/runs.ts';

/** How many fires may be started on a day; null for as many as there are. */
export interface DailyLimits {
  /** `YYYY-MM-DD` where the host is. */
  readonly day: string;
  readonly ofTrigger: number | null;
  /** Of all triggers together. */
  readonly ofAll: number | null;
}

/** Everything that begins a turn; written in one transaction. */
export interface TurnOpening {
  readonly turnId: TurnId;
  readonly sessionId: SessionId;
  readonly project: Slug;
  /** The author's text. */
  readonly prompt: string;
  /** The event that started it. Default: null, none. */
  readonly context?: EventData | null;
  readonly capability: Capability;
  readonly depth: number;
  readonly parentTurn: TurnId | null;
  readonly timeoutMs: number;
  readonly at: number;
  /** A chat to create, with a copy of the messages of `forkedFrom`; null when the turn goes into an existing one. */
  readonly chat: NewChat | null;
  /** With a run and without `chat`: the model of the chat from now on, null for the default; absent, it stays. */
  readonly model?: string | null;
  /** A run that was claimed before, a new one, or none (a chat message). */
  readonly run: { readonly claimed: RunId } | { readonly fresh: NewRun } | null;
  /** With a run: the day that it counts on. Default: it counts nowhere. */
  readonly daily?: DailyLimits;
  /** Identifies the definition that a run is of. Default: not known. */
  readonly definitionHash?: string;
  /** A trigger that owns this chat from now on (`session: resume`). */
  readonly owner: TriggerKey | null;
  readonly messages: readonly NewMessage[];
}

/** A turn that waits or runs. */
export interface OpenTurn {
  readonly id: TurnId;
  readonly sessionId: SessionId;
  readonly runId: RunId | null;
  /** The run that it is of; null for what somebody asked for in a chat. */
  readonly run: TurnRun | null;
  readonly project: Slug;
  readonly prompt: string;
  /** The event that started it; null for none. */
  readonly context: EventData | null;
  readonly capability: Capability;
  readonly depth: number;
  readonly timeoutMs: number;
  /** Since when it waits for a place, or did. */
  readonly queuedAt: string;
  readonly cancelRequested: boolean;
  readonly model: string | null;
  readonly runtime: string;
  /** The session of the runtime to go on with, or with a copy of it; null where there is none. */
  readonly resume: { readonly ref: string; readonly fork: boolean } | null;
}

/** What stays the same of a run for as long as it has a turn. */
export type TurnRun = Pick<Run, 'source' | 'trigger' | 'cause' | 'by' | 'claimedAt' | 'lateMs'>;

/** What a turn has used; null where that is not known. */
export interface TurnUsed {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  /** Millionths of a US dollar, an estimate. */
  readonly costMicrousd: number | null;
}

/** How a turn ended, with what it used. */
export interface TurnEnding extends TurnUsed {
  readonly outcome: RunOutcome;
  readonly reason: string | null;
  readonly turns: number;
  readonly toolCalls: number;
  /** Tool calls that failed; null where unknown. */
  readonly toolErrors: number | null;
  readonly denied: readonly DeniedCall[];
  readonly model: string | null;
}

/** What came of the end of a turn besides. */
export interface EndedTurn {
  /** Whether its success has ended a pause of its trigger. */
  readonly endsPause: boolean;
  /** The run that it was of, as it has ended; null where it was of none. */
  readonly run: Run | null;
}

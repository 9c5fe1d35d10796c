import type {
  Capability,
  DeniedCall,
  NewMessage,
  RunId,
  SessionId,
  Slug,
  TurnId,
  TurnOutcome,
} from '@svc/records';

/** What a runtime can hold. */
export interface RuntimeCapabilities {
  /** Catalogue tools that it offers, by full name. */
  readonly tools: readonly string[];
}

/** Whether a runtime can start turns now, else why not, in one sentence. */
export type RuntimeProbe =
  | { readonly ready: true }
  | { readonly ready: false; readonly reason: string };

/** What happened, for a turn that an event started. Data only: no runtime parses it as steps or commands. */
export interface EventData {
  readonly event: string;
  readonly project: string;
  readonly data: unknown;
}

/** What a turn is asked to do. */
export interface Prompt {
  /** What the author wrote. */
  readonly author: string;
  /** The event that started the turn, where one did; never joined with the text before the runtime. */
  readonly data?: EventData;
}

/** The operations that a turn may call as tools, already bound to their caller. */
export interface Toolset {
  readonly tools: readonly ToolsetTool[];
  /** Calls one by its full name; a refusal or a fault is a result with `isError`. */
  call(
    name: string,
    args: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
}

/** One operation as an agent sees it. */
export interface ToolsetTool {
  /** Full name, `mcp__svc_manage__<operation>`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: object;
}

/** Everything that a runtime needs to know of one turn. */
export interface TurnSpec {
  readonly turnId: TurnId;
  /** null for a turn that no trigger fired. */
  readonly runId: RunId | null;
  readonly sessionId: SessionId;
  readonly project: Slug;
  /** The project folder, absolute. */
  readonly cwd: string;
  readonly prompt: Prompt;
  readonly capability: Capability;
  /** 0 for a turn that a person, a client or a schedule started. */
  readonly depth: number;
  readonly model: string | null;
  /** Most model calls, at least 1. */
  readonly limits: { readonly maxTurns: number };
  /** The whole environment of child processes; holds `SVC_TURN_ID`, and `SVC_RUN_ID` where there is a run. */
  readonly env: Readonly<Record<string, string>>;
  readonly toolset: Toolset | null;
}

/** How a turn ended. */
export interface TurnEnd {
  readonly outcome: TurnOutcome;
  /** One plain sentence; null where nothing needs saying. */
  readonly reason: string | null;
  /** Model calls made. */
  readonly turns: number;
  /** Tool calls made, refused ones too. */
  readonly toolCalls: number;
  readonly denied: readonly DeniedCall[];
  readonly model: string | null;
  /** null where unknown. */
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  /** Millionths of a US dollar, an estimate; null where unknown. */
  readonly costMicrousd: number | null;
}

/** What a running turn yields. */
export type TurnEvent =
  | { readonly type: 'message'; readonly message: NewMessage }
  | { readonly type: 'ended'; readonly end: TurnEnd };

/** What runs turns. */
export interface Runtime {
  readonly id: string;
  readonly holds: RuntimeCapabilities;
  probe(): Promise<RuntimeProbe>;
  /**
   * Runs one turn. Yields its messages, then exactly one `ended`; never throws for an expected end. When `signal`
   * aborts with a `TurnStop`, the turn ends with its kind and reason as soon as its processes are gone.
   */
  start(spec: TurnSpec, signal: AbortSignal): AsyncIterable<TurnEvent>;
}

/** Why a turn is stopped: the `reason` of the `AbortSignal` that `Runtime.start` is given. */
export class TurnStop {
  readonly kind: 'cancelled' | 'timed_out' | 'interrupted';
  /** One plain sentence for the record of the turn. */
  readonly reason: string;

  constructor(kind: 'cancelled' | 'timed_out' | 'interrupted', reason: string) {
    this.kind = kind;
    this.reason = reason;
  }
}

/** The `TurnStop` behind an aborted signal; any other reason counts as `cancelled`. */
export function stopOf(signal: AbortSignal): TurnStop {
  return signal.reason instanceof TurnStop
    ? signal.reason
    : new TurnStop('cancelled', 'The turn was cancelled.');
}

import type {
  Capability,
  DeniedCall,
  NewMessage,
  PermissionMode,
  RunId,
  SessionId,
  Slug,
  TurnId,
  TurnOutcome,
} from '@svc/records';

/** What a runtime can hold, and how firmly. */
export interface RuntimeCapabilities {
  /** Whether an unlisted tool cannot run (`enforced`), is only refused when the agent asks, or runs. */
  readonly toolAllowList: 'enforced' | 'asked' | 'none';
  readonly maxTurns: 'exact' | 'approximate' | 'none';
  readonly permissionModes: readonly PermissionMode[];
  readonly resume: boolean;
  readonly fork: boolean;
  /** How operations reach the agent. */
  readonly svcManage: 'in-process' | 'http' | 'none';
  readonly cost: 'estimate' | 'tokens' | 'none';
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
  /** Whether it only reads. */
  readonly reads: boolean;
}

/** Everything that a runtime needs to know of one turn. */
export interface TurnSpec {
  readonly turnId: TurnId;
  /** null for a turn that no trigger fired. */
  readonly runId: RunId | null;
  readonly sessionId: SessionId;
  readonly project: Slug;
  /** The runtime's own reference to the session, as an earlier turn's end gave it; null for a fresh one. */
  readonly resume: string | null;
  /** The project folder, absolute. */
  readonly cwd: string;
  /** What the author wrote, and the event beside it; the two are never joined before the runtime. */
  readonly prompt: { readonly author: string; readonly data: EventData | null };
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
  /** What to give as `resume` next time; null where the runtime keeps nothing. */
  readonly runtimeRef: string | null;
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

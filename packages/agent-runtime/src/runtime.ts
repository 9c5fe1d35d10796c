import type {
  Capability,
  DeniedCall,
  EventData,
  Message,
  NewMessage,
  PermissionMode,
  RunId,
  RunNetwork,
  SandboxState,
  SessionId,
  Slug,
  TurnId,
  TurnOutcome,
} from '@svc/records';

/**
 * Which limits a runtime enforces, and how strictly. A turn that needs more than its runtime enforces is not started.
 */
export interface RuntimeCapabilities {
  /** Catalogue tools that it offers, by full name. */
  readonly tools: readonly string[];
  /**
   * How the tool allow-list and the spawn depth are enforced. `enforced`: unlisted tools do not exist. `asked`:
   * unlisted tools are refused when the agent asks for permission, which it may skip. `none`: not at all.
   */
  readonly toolAllowList: 'enforced' | 'asked' | 'none';
  /** The limit of model calls: `exact`, counted as rounds of tool calls (`approximate`), or not enforced (`none`). */
  readonly maxTurns: 'exact' | 'approximate' | 'none';
  /** Which tools a list of hosts limits. If it is all, a sandbox also enforces tool lists. Default: none. */
  readonly network?: 'all' | 'except-bash' | 'none';
  /** Permission modes that it enforces. */
  readonly permissionModes: readonly PermissionMode[];
  /** Whether later turns of a chat know the earlier ones. */
  readonly resume: boolean;
  /** Whether a forked chat knows the messages of the original. */
  readonly fork: boolean;
  /** How operations reach the agent as tools. */
  readonly svcManage: 'in-process' | 'http' | 'none';
  /** What is known about the usage of a turn: an estimate in US dollars, only tokens, or nothing. */
  readonly cost: 'estimate' | 'tokens' | 'none';
}

/** The sandbox in which the processes of a runtime run. */
export interface RuntimeSandbox {
  /** Hosts that turns with a capability may connect to, as in a list of hosts; null if the network is not limited. */
  hostsOf(capability: Pick<Capability, 'network' | 'runsAs' | 'tools'>): readonly string[] | null;
}

/** The result of a runtime's self-test, which verifies that the tool allow-list is enforced. */
export type SelfTestResult =
  | { readonly passed: true }
  | {
      readonly passed: false;
      /** What was not blocked, or why the test could not run; one sentence. */
      readonly reason: string;
    };

/** Whether a runtime can start turns now. If not, one sentence on why. */
export type RuntimeProbe =
  | { readonly ready: true }
  | { readonly ready: false; readonly reason: string };

export type { EventData } from '@svc/records';

/** The task of a turn. */
export interface Prompt {
  /** What the author wrote. */
  readonly author: string;
  /** The event that started the turn, if any. Only the runtime combines it with the text. */
  readonly data?: EventData;
}

/** The operations that a turn may call as tools, bound to the caller. */
export interface Toolset {
  readonly tools: readonly ToolsetTool[];
  /** Calls an operation by its full name. Refusals and faults are results with `isError`. */
  call(
    name: string,
    args: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
}

/** One operation as offered to an agent. */
export interface ToolsetTool {
  /** Full name, `mcp__svc_manage__<operation>`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: object;
}

/** The input of a turn. */
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
  /** The system prompt, the same on every runtime. */
  readonly instructions: string;
  /** The runtime's own session to resume, as reported by a `session` event of an earlier turn; null for none. */
  readonly resume: SessionReference | null;
  /** Earlier messages of the chat, oldest first, for runtimes that keep no sessions of their own. */
  readonly history: () => Promise<readonly Message[]>;
  readonly limits: {
    /** Maximum number of model calls, at least 1. */
    readonly maxTurns: number;
    /**
     * The remaining cost budget at the start, in millionths of a US dollar; null or absent for no limit. A runtime that
     * tracks cost ends the turn at the limit. A turn whose model call has an unknown cost fails.
     */
    readonly costMicrousd?: number | null;
  };
  /**
   * Called after each model call with the usage so far. The turn continues when the promise resolves, unless it was
   * stopped.
   */
  readonly onUsage?: (used: TurnUse) => Promise<void>;
  /** Called for each finished model call, by runtimes that see them. Returns immediately and never throws. */
  readonly onModelCall?: (call: AskedModel) => void;
  /** The complete environment of child processes. Contains `SVC_TURN_ID`, and `SVC_RUN_ID` if there is a run. */
  readonly env: Readonly<Record<string, string>>;
  readonly toolset: Toolset | null;
}

/** A session that the runtime stores itself. */
export interface SessionReference {
  readonly ref: string;
  /** Whether to continue in a copy and leave the session unchanged, because the chat is a fork. */
  readonly fork: boolean;
}

/** What a turn has used so far. */
export interface TurnUse {
  /** null where unknown. */
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  /** Millionths of a US dollar, an estimate; null where unknown. */
  readonly costMicrousd: number | null;
}

/** A finished model call and its usage. */
export interface AskedModel extends TurnUse {
  /** The requested model; null if unknown. */
  readonly model: string | null;
  /** The model that answered, as named in the answer; null if not named. */
  readonly answeredBy: string | null;
  /** From the request to the end of the answer. */
  readonly durationMs: number;
  /** The `Task` call whose child turn made the call; null for the turn itself, or if unknown. */
  readonly within: string | null;
  /** Why there was no usable answer; null for a usable one. */
  readonly error: string | null;
}

/** How a turn ended. */
export interface TurnEnd extends TurnUse {
  readonly outcome: TurnOutcome;
  /** One plain sentence; null if no explanation is needed. */
  readonly reason: string | null;
  /** Model calls made. */
  readonly turns: number;
  /** Tool calls, including refused ones. */
  readonly toolCalls: number;
  /** Failed tool calls, without refused ones; null if unknown. */
  readonly toolErrors: number | null;
  readonly denied: readonly DeniedCall[];
  readonly model: string | null;
  /**
   * `enforced` if every process of the turn ran sandboxed, `none` if processes ran without a sandbox, null if it started
   * no process. Default: null.
   */
  readonly sandbox?: SandboxState | null;
  /** Connections of its sandboxed processes; null if not recorded. Default: null. */
  readonly network?: RunNetwork | null;
}

/** What a running turn yields. */
export type TurnEvent =
  /** The runtime's session id, stored with the chat and passed back as `resume`. At most 1,000 characters. */
  | { readonly type: 'session'; readonly ref: string }
  /** `within` is the `Task` call of the child turn; absent for the turn itself, or if unknown. */
  | { readonly type: 'message'; readonly message: NewMessage; readonly within?: string }
  | { readonly type: 'ended'; readonly end: TurnEnd };

/** A message of a turn or of one of its child turns. */
export type TurnMessage = Extract<TurnEvent, { type: 'message' }>;

/** A problem with a prompt or its model. */
export interface PromptFault {
  readonly field: 'prompt' | 'model';
  /** Continues a sentence that begins with the field name: what is wrong, and how to fix it. */
  readonly message: string;
}

/** Runs turns. */
export interface Runtime {
  readonly id: string;
  readonly holds: RuntimeCapabilities;
  /**
   * Whether it can start turns now. Does not call a model.
   *
   * @param model The requested model, null for none. Default: null.
   */
  probe(model?: string | null): Promise<RuntimeProbe>;
  /** The sandbox in which its processes run; null or absent if there is none. */
  readonly sandbox?: RuntimeSandbox | null;
  /**
   * Whether a turn runs the steps in its prompt without a model. Absent if it never does.
   *
   * @param model The requested model, null for none.
   */
  runsSteps?(model: string | null): boolean;
  /**
   * Why a turn with this prompt can only end with `no_model`; null if no problem is known. Absent if the runtime cannot
   * know in advance.
   *
   * @param model The requested model, null for none.
   */
  promptFault?(prompt: string, model: string | null): PromptFault | null;
  /**
   * Verifies that the installed version enforces the tool allow-list. Absent if the agent cannot be made to attempt an
   * escape without cost. Later calls return the first result.
   */
  readonly selfTest?: () => Promise<SelfTestResult>;
  /**
   * Runs one turn. Yields its messages and then exactly one `ended`. Never throws for an expected end. If `signal`
   * aborts with a `TurnStop`, the turn ends with its kind and reason as soon as its processes have exited.
   */
  start(spec: TurnSpec, signal: AbortSignal): AsyncIterable<TurnEvent>;
}

/** Why a turn is stopped: the `reason` of the `AbortSignal` that `Runtime.start` is given. */
export class TurnStop {
  readonly kind: 'cancelled' | 'timed_out' | 'interrupted' | 'failed';
  /** One plain sentence for the record of the turn. */
  readonly reason: string;

  constructor(kind: TurnStop['kind'], reason: string) {
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

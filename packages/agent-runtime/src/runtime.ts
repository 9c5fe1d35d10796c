import type {
  Capability,
  DeniedCall,
  EventData,
  Message,
  NewMessage,
  PermissionMode,
  RunId,
  SessionId,
  Slug,
  TurnId,
  TurnOutcome,
} from '@svc/records';

/** What a runtime can hold, and how far. A turn that needs more than its runtime holds is never started. */
export interface RuntimeCapabilities {
  /** Catalogue tools that it offers, by full name. */
  readonly tools: readonly string[];
  /**
   * A list of tools, an empty one and a spawn depth too: `enforced`, what is not listed does not exist; `asked`, it is
   * refused where the agent asks for it, which it need not; `none`, the agent does as it likes.
   */
  readonly toolAllowList: 'enforced' | 'asked' | 'none';
  /** The limit of model calls: `exact`, or counted by rounds of tool calls (`approximate`), or not at all. */
  readonly maxTurns: 'exact' | 'approximate' | 'none';
  /** Permission modes that it holds. */
  readonly permissionModes: readonly PermissionMode[];
  /** Whether a later turn knows what was said in earlier ones. */
  readonly resume: boolean;
  /** Whether a copy of a chat knows what was said in the chat that it is a copy of. */
  readonly fork: boolean;
  /** How operations reach the agent as tools. */
  readonly svcManage: 'in-process' | 'http' | 'none';
  /** What is known of the use of a turn: an estimate in US dollars, tokens alone, or nothing. */
  readonly cost: 'estimate' | 'tokens' | 'none';
}

/** What was found when a runtime's fence was tried. */
export type FenceVerdict =
  | { readonly holds: true }
  | {
      readonly holds: false;
      /** What got through, or why it could not be tried; one sentence. */
      readonly reason: string;
    };

/** Whether a runtime can start turns now, else why not, in one sentence. */
export type RuntimeProbe =
  | { readonly ready: true }
  | { readonly ready: false; readonly reason: string };

export type { EventData } from '@svc/records';

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
  /** What stands before the prompt as the system prompt, the same on every runtime. */
  readonly instructions: string;
  /** The runtime's own session to go on with, as it was told by a `session` event of an earlier turn; null for none. */
  readonly resume: SessionReference | null;
  /** What was said in the chat before this turn, oldest first; for runtimes that keep no sessions of their own. */
  readonly history: () => Promise<readonly Message[]>;
  readonly limits: {
    /** Most model calls, at least 1. */
    readonly maxTurns: number;
    /**
     * What the turn may cost when it begins, in millionths of a US dollar; null or absent for any cost. A runtime that
     * finds out by itself ends the turn there; one that cannot tell the cost of a model call fails.
     */
    readonly costMicrousd?: number | null;
  };
  /** Told what the turn has used so far, after a model call; the turn goes on when it resolves, unless it is stopped then. */
  readonly onUsed?: (used: TurnUse) => Promise<void>;
  /** Told of each model call that has come to its end, by runtimes that see them; returns at once and never throws. */
  readonly onAsked?: (call: AskedModel) => void;
  /** The whole environment of child processes; holds `SVC_TURN_ID`, and `SVC_RUN_ID` where there is a run. */
  readonly env: Readonly<Record<string, string>>;
  readonly toolset: Toolset | null;
}

/** A session that a runtime keeps by itself. */
export interface SessionReference {
  readonly ref: string;
  /** Whether to go on in a copy of it, which leaves the session as it is: the chat is a copy of another. */
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

/** One model call that has come to its end, with what it used. */
export interface AskedModel extends TurnUse {
  /** The model that was asked; null where that is not known. */
  readonly model: string | null;
  /** The model that has answered, by its own word; null where nobody told. */
  readonly answeredBy: string | null;
  /** From the question to the end of the answer. */
  readonly durationMs: number;
  /** The call of `Task` whose child turn has asked; null for the turn itself, or where that is not known. */
  readonly within: string | null;
  /** Why there was no answer to go on with; null for a good one. */
  readonly error: string | null;
}

/** How a turn ended. */
export interface TurnEnd extends TurnUse {
  readonly outcome: TurnOutcome;
  /** One plain sentence; null where nothing needs saying. */
  readonly reason: string | null;
  /** Model calls made. */
  readonly turns: number;
  /** Tool calls made, refused ones too. */
  readonly toolCalls: number;
  /** Tool calls that failed, without refused ones; null where unknown. */
  readonly toolErrors: number | null;
  readonly denied: readonly DeniedCall[];
  readonly model: string | null;
}

/** What a running turn yields. */
export type TurnEvent =
  /** The runtime's name for its session; kept with the chat, and given back as `resume`. At most 1,000 characters. */
  | { readonly type: 'session'; readonly ref: string }
  /** `within` is the call of `Task` whose child turn it is of; absent for the turn itself, or where that is not known. */
  | { readonly type: 'message'; readonly message: NewMessage; readonly within?: string }
  | { readonly type: 'ended'; readonly end: TurnEnd };

/** Something that was said in a turn, or in a child turn of it. */
export type SaidInTurn = Extract<TurnEvent, { type: 'message' }>;

/** What is wrong with a prompt, or with the model that is asked to act on it. */
export interface PromptFault {
  readonly field: 'prompt' | 'model';
  /** Continues from the name of the field: what is wrong, and what would be right. */
  readonly message: string;
}

/** What runs turns. */
export interface Runtime {
  readonly id: string;
  readonly holds: RuntimeCapabilities;
  /**
   * Whether it can start turns now; asks no model.
   *
   * @param model The model that a turn asks for, null for none. Default: null.
   */
  probe(model?: string | null): Promise<RuntimeProbe>;
  /**
   * Whether a turn runs the steps that its prompt holds, without asking any model. Absent where it never does.
   *
   * @param model The model that the turn asks for, null for none.
   */
  runsSteps?(model: string | null): boolean;
  /**
   * Why a turn with this prompt can only end as `no_model`; null where nothing is known to be in its way. Absent where that is
   * never known before.
   *
   * @param model The model that the turn asks for, null for none.
   */
  promptFault?(prompt: string, model: string | null): PromptFault | null;
  /**
   * Whether its fence was seen to hold, in the version that is installed now. Absent where there is nothing to try, as
   * its agent cannot be made to attempt an escape without cost. Later calls answer what the first has found.
   */
  readonly fence?: () => Promise<FenceVerdict>;
  /**
   * Runs one turn. Yields its messages, then exactly one `ended`; never throws for an expected end. When `signal`
   * aborts with a `TurnStop`, the turn ends with its kind and reason as soon as its processes are gone.
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

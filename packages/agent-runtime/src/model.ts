import type { Message, NewMessage } from '@svc/records';
import type { Prompt, PromptFault, RuntimeCapabilities, RuntimeProbe } from './runtime.ts';

/** One tool as a model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly inputSchema: object;
}

/** The input of a model at the start of a turn or child turn. */
export interface ModelStart {
  readonly prompt: Prompt;
  /** The requested model; null for the default. */
  readonly model: string | null;
  /** The system prompt. */
  readonly instructions: string;
  /** Earlier messages of the chat, oldest first; empty for a child turn. */
  readonly history: () => Promise<readonly Message[]>;
  /** Exactly the tools that exist for this turn. */
  readonly tools: readonly ModelTool[];
  readonly depth: number;
}

/** A tool call requested by a model. */
export interface ModelCall {
  readonly name: string;
  readonly input: unknown;
  /** One sentence on why the call is invalid, for example unreadable JSON; null for a valid call. */
  readonly fault: string | null;
}

/** The usage of one model call; null where the model does not report it. */
export interface ModelUsage {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly costMicrousd: number | null;
}

/** The answer to one model call. */
export type ModelStep =
  | {
      /** Notices of the service on this step, one sentence each, shown before it. Default none. */
      readonly notices?: readonly string[];
      /** A warning in one sentence. It becomes the reason of the turn if the turn succeeds. Default none. */
      readonly warning?: string;
      /** The text of the model before its calls; null for none. */
      readonly text: string | null;
      /** Calls in order. The turn ends if there are none. */
      readonly calls: readonly ModelCall[];
      /**
       * Set if these calls are the last ones: the text (or null) that closes the turn once they have succeeded. Closing
       * takes no further model call.
       */
      readonly last?: { readonly closing: string | null };
      /** The model that answered, if the answer names it. */
      readonly answeredBy?: string;
      readonly usage?: ModelUsage;
    }
  | {
      readonly end: 'no_model' | 'failed';
      readonly reason: string;
      /** Set where a model call has used something all the same: it counts. */
      readonly usage?: ModelUsage;
    };

/** The model side of one turn. */
export interface ModelTurn {
  /** Name for the record of the turn, e.g. `playbook`. */
  readonly model: string;
  /** Whether a failed or refused call ends the turn, or is returned to the model. */
  readonly onFailedCall: 'stop' | 'continue';
  /**
   * The next step.
   *
   * @param messages All messages of the turn so far, oldest first.
   */
  next(messages: readonly NewMessage[], signal: AbortSignal): Promise<ModelStep>;
  /** What the last call has used as far as is known, where it was ended before its answer. Default: nothing. */
  usedSoFar?(): ModelUsage | null;
}

/** The model of the native runtime. Implemented by `createPlaybook` and `createChatModel`. */
export interface TurnModel {
  /** What it reports about the usage of a turn. */
  readonly cost: RuntimeCapabilities['cost'];
  /** As `Runtime.probe`. */
  probe(model?: string | null): Promise<RuntimeProbe>;
  /** As `Runtime.runsSteps`. */
  runsSteps?(model: string | null): boolean;
  /** As `Runtime.promptFault`. */
  promptFault?(prompt: string, model: string | null): PromptFault | null;
  start(turn: ModelStart): ModelTurn;
}

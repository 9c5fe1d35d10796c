import type { Message, NewMessage } from '@svc/records';
import type { Prompt, PromptFault, RuntimeCapabilities, RuntimeProbe } from './runtime.ts';

/** One tool as a model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly inputSchema: object;
}

/** What a model is given when a turn, or a child turn, begins. */
export interface ModelStart {
  readonly prompt: Prompt;
  /** The model that the turn asks for; null for the default one. */
  readonly model: string | null;
  /** What stands before the prompt as the system prompt. */
  readonly instructions: string;
  /** What was said in the chat before, oldest first; empty for a child turn. */
  readonly history: () => Promise<readonly Message[]>;
  /** Exactly the tools that exist for this turn. */
  readonly tools: readonly ModelTool[];
  readonly depth: number;
}

/** A tool call that a model wants. */
export interface ModelCall {
  readonly name: string;
  readonly input: unknown;
  /** Why the call cannot be understood (unreadable JSON, say), as one sentence; null for a good one. */
  readonly fault: string | null;
}

/** What one model call cost; null where the model does not tell. */
export interface ModelUsage {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly costMicrousd: number | null;
}

/** The answer to one model call. */
export type ModelStep =
  | {
      /** What the service has to tell of this step, one sentence each; shown before it. Default none. */
      readonly notices?: readonly string[];
      /** What casts doubt on the turn though it may end well, as one sentence: its reason then. Default none. */
      readonly warning?: string;
      /** What the model says before its calls; null for nothing. */
      readonly text: string | null;
      /** Calls in their order; none ends the turn. */
      readonly calls: readonly ModelCall[];
      /**
       * Set when the model knows that these calls are its last: the words (or null) that close the turn once they
       * have succeeded. Closing is not another model call.
       */
      readonly last?: { readonly closing: string | null };
      /** The model that has answered, where the answer tells. */
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
  /** Whether a failed or refused call ends the turn at once, or is the model's to deal with. */
  readonly onFailedCall: 'stop' | 'continue';
  /**
   * The next step.
   *
   * @param messages Everything that the turn has said, called and got back so far, oldest first.
   */
  next(messages: readonly NewMessage[], signal: AbortSignal): Promise<ModelStep>;
  /** What the last call has used as far as is known, where it was ended before its answer. Default: nothing. */
  usedSoFar?(): ModelUsage | null;
}

/** What thinks for the native runtime: declared here, implemented by `createPlaybook` and `createChatModel`. */
export interface TurnModel {
  /** What it can tell of the use of a turn. */
  readonly cost: RuntimeCapabilities['cost'];
  /** As `Runtime.probe`. */
  probe(model?: string | null): Promise<RuntimeProbe>;
  /** As `Runtime.runsSteps`. */
  runsSteps?(model: string | null): boolean;
  /** As `Runtime.promptFault`. */
  promptFault?(prompt: string, model: string | null): PromptFault | null;
  start(turn: ModelStart): ModelTurn;
}

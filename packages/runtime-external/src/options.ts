import type { AgentUser, ModelPrices, OperationEffects, ProcessReaper } from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';

/** What an external runtime works with. */
export interface ExternalRuntimeDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends what the command leaves behind. */
  readonly reaper: ProcessReaper;
  /** What the operations that turns may have as tools do to the world. */
  readonly operations: OperationEffects;
  /** The `PATH` that turns get: where a command without a folder is looked for. */
  readonly path: string;
}

/** The command, and how it is spoken to. */
export interface ExternalRuntimeOptions {
  /** Name of the runtime. */
  readonly id: string;
  /** A name that is looked for on the `PATH`, or an absolute path. */
  readonly command: string;
  /** Handed over as they are: no shell reads them. */
  readonly args: readonly string[];
  /** `acp`: Agent Client Protocol, version 1, over stdio. `text`: the prompt is its input, its output is the answer. */
  readonly protocol: 'acp' | 'text';
  /**
   * `acp`: the model that the agent is asked to use where a turn names none. `text`: what the record of a turn says, as
   * the command decides by itself. null: unknown.
   */
  readonly model: string | null;
  /** Variables that the command gets beside those of every turn; null for one that has no value, which it cannot do without. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Turns tokens that an agent tells into a cost; null for none. */
  readonly prices: ModelPrices | null;
  /** Whom the command runs as, from `resolveAgentUser`. Default: the user of this process. */
  readonly user?: AgentUser;
}

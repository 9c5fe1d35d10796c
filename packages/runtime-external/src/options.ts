import type {
  AgentUser,
  ModelPrices,
  OperationEffects,
  ProcessReaper,
  SandboxedTurn,
  TurnSandboxes,
} from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';
import type { HostList, OutboundDeps } from '@svc/sandbox';

/** Dependencies of an external runtime. */
export interface ExternalRuntimeDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Kills processes that the command leaves behind. */
  readonly reaper: ProcessReaper;
  /** The effects of the operations that turns may call as tools. */
  readonly operations: OperationEffects;
  /** The `PATH` of turns, on which a command without a folder is found. */
  readonly path: string;
  /** How connections of sandboxes are opened. Default: by the system. */
  readonly outbound?: Omit<OutboundDeps, 'clock'>;
}

/** The command and its protocol. */
export interface ExternalRuntimeOptions {
  /** Name of the runtime. */
  readonly id: string;
  /** A name on the `PATH`, or an absolute path. */
  readonly command: string;
  /** Passed unchanged, without a shell. */
  readonly args: readonly string[];
  /** `acp`: Agent Client Protocol, version 1, over stdio. `text`: reads the prompt from stdin, writes the answer to stdout. */
  readonly protocol: 'acp' | 'text';
  /**
   * `acp`: the model to request for turns that do not name one. `text`: the model to record, because the command chooses
   * its own. null: unknown.
   */
  readonly model: string | null;
  /** Additional environment variables. A variable with the value null is required but not set: turns fail. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Prices to compute a cost from reported tokens; null for no cost. */
  readonly prices: ModelPrices | null;
  /** Hosts that the command may always connect to in a sandbox, such as those of its vendor. Default: none. */
  readonly hosts?: HostList;
  /** Sandboxes for the command. Default: it runs without one. */
  readonly sandboxes?: TurnSandboxes;
  /** Absolute paths with logins, and where they are in the home folder of a sandbox. Default: none. */
  readonly logins?: SandboxedTurn['logins'];
  /** The user that the command runs as, from `resolveAgentUser`. Default: the user of this process. */
  readonly user?: AgentUser;
}

import type { AgentUser, OperationEffects, ProcessReaper, TurnSandboxes } from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';

/** Dependencies of the runtime. */
export interface ClaudeRuntimeDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reaper: ProcessReaper;
  /** The effects of the operations that turns may call as tools. */
  readonly operations: OperationEffects;
}

/** US dollars per million tokens. */
export interface ClaudePrices {
  readonly inputPerMillionUsd: number;
  readonly outputPerMillionUsd: number;
}

/** Options of the runtime. */
export interface ClaudeRuntimeOptions {
  /** The model for turns that do not name one; null for the default of the SDK. */
  readonly model: string | null;
  /** Base URL of a Messages API server, without `/v1`; null for Anthropic's. */
  readonly baseUrl: string | null;
  /** Returns the key for that server, or null. Called for each turn. Agents never see the key. */
  readonly apiKey: () => string | null;
  /** The variable that contains the key, for messages. Default: `ANTHROPIC_API_KEY`. */
  readonly keyVariable?: string;
  /** Whether to add `CLAUDE.md` of the project to the instructions. */
  readonly projectInstructions: boolean;
  /**
   * An absolute folder outside of all projects, used only by this runtime and created if missing. Contains `sdk` (where the
   * SDK is searched first), `config` (settings and sessions of the agent program), session costs and the self-test result.
   */
  readonly stateFolder: string;
  /** The folder for sessions, on a shared volume if there are several servers. Default: `stateFolder`. */
  readonly sessionsFolder?: string;
  /** Prices for models without a list price in the SDK. Default: unknown. */
  readonly prices?: ClaudePrices | null;
  /** Sandboxes for the agent program. Default: it runs without one. */
  readonly sandboxes?: TurnSandboxes;
  /** The user that the agent program and its child processes run as. Default: the current user. */
  readonly user?: AgentUser;
}

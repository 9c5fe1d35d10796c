import type { AgentUser, OperationEffects, ProcessReaper } from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';

/** What the runtime works with. */
export interface ClaudeRuntimeDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reaper: ProcessReaper;
  /** What the operations that turns may have as tools do to the world. */
  readonly operations: OperationEffects;
}

/** US dollars for a million tokens. */
export interface ClaudePrices {
  readonly inputPerMillionUsd: number;
  readonly outputPerMillionUsd: number;
}

/** How the runtime behaves. */
export interface ClaudeRuntimeOptions {
  /** Model of turns that name none; null leaves it to the SDK. */
  readonly model: string | null;
  /** Address of a server of the Messages API, without `/v1`; null for Anthropic's own. */
  readonly baseUrl: string | null;
  /** The key of that server, asked for at each turn; null where there is none. Agents never see it. */
  readonly apiKey: () => string | null;
  /** Name of the variable that the key comes from, for words alone. Default `ANTHROPIC_API_KEY`. */
  readonly keyVariable?: string;
  /** Whether `CLAUDE.md` of the project is added to the instructions. */
  readonly projectInstructions: boolean;
  /**
   * Folder of this runtime alone, absolute and outside of all projects; made where it is missing. Holds `sdk` (where the
   * SDK is looked for first), `config` (settings and sessions of the agent's program), and what the runtime remembers.
   */
  readonly stateFolder: string;
  /** Where sessions are kept, for several machines on a volume that they share. Default: in `stateFolder`. */
  readonly sessionsFolder?: string;
  /** What tokens cost where the SDK has no list price for the model. Default: unknown. */
  readonly prices?: ClaudePrices | null;
  /** Whom the agent's program and all that it starts runs as. Default: the user of this process. */
  readonly user?: AgentUser;
}

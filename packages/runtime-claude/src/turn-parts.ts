import type { Places, TurnEnd, TurnSandbox, TurnSpec } from '@svc/agent-runtime';
import type { AgentProcess } from './adapters/agent-process.ts';
import type { FoundSdk, Sdk } from './adapters/find-sdk.ts';
import type { Relay } from './adapters/relay.ts';
import type { ClaudeParts } from './claude-parts.ts';

type Counted = Omit<TurnEnd, 'outcome' | 'reason'>;

/** The counts of a running turn. */
export type Tally = { -readonly [Key in keyof Counted]: Counted[Key] };

/** The outcome of a turn and its reason. */
export type Close = Pick<TurnEnd, 'outcome' | 'reason'>;

/** The parts of a running turn. */
export interface TurnParts extends ClaudeParts {
  readonly spec: TurnSpec;
  readonly signal: AbortSignal;
  readonly tally: Tally;
  readonly found: FoundSdk;
  readonly sdk: Sdk;
  /** The project folder with links resolved. */
  readonly cwd: string;
  readonly places: Places;
  readonly relay: Relay;
  readonly process: AgentProcess;
  /** null: the agent program runs without one. */
  readonly sandbox: TurnSandbox | null;
}

/** The end of a failed turn. `reason` is one sentence. */
export function failed(reason: string): Close {
  return { outcome: 'failed', reason };
}

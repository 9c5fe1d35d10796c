import type { Places, TurnEnd, TurnSpec } from '@svc/agent-runtime';
import type { AgentProcess } from './adapters/agent-process.ts';
import type { FoundSdk, Sdk } from './adapters/find-sdk.ts';
import type { Relay } from './adapters/relay.ts';
import type { ClaudeParts } from './parts.ts';

/** What is counted while a turn runs. */
export type Tally = {
  -readonly [Key in Exclude<keyof TurnEnd, 'outcome' | 'reason'>]: TurnEnd[Key];
};

/** How a turn ends. */
export type Close = Pick<TurnEnd, 'outcome' | 'reason'>;

/** What one turn works with, open as long as it runs. */
export interface TurnParts extends ClaudeParts {
  readonly spec: TurnSpec;
  readonly signal: AbortSignal;
  readonly tally: Tally;
  readonly found: FoundSdk;
  readonly sdk: Sdk;
  /** The project folder, without links. */
  readonly cwd: string;
  readonly places: Places;
  readonly relay: Relay;
  readonly process: AgentProcess;
}

/** An end in failure. */
export function failed(reason: string): Close {
  return { outcome: 'failed', reason };
}

import type { Toolset } from '@svc/agent-runtime';
import { messageOf } from '@svc/core';
import type { RunOutcome } from '@svc/records';
import type { TurnEnding } from '@svc/store';
import type { EngineDeps } from '../deps.ts';
import { isUnavailable, retryWrite, type Until } from './retry-write.ts';

/**
 * Detects failures caused by the service itself, so that a turn does not count as failed because the database is
 * unavailable.
 */
export interface ServiceFault {
  /** Runs a read or write of the turn, and retries until the store is available or the turn is stopped. */
  keep<T>(work: () => Promise<T>): Promise<T>;
  /** The same tools. A call that fails while the store is unavailable is recorded until a later call succeeds. */
  tools(toolset: Toolset | null): Toolset | null;
  /** The end of the turn: `interrupted` instead of a failure or timeout that an unavailable store caused. */
  judge(ending: TurnEnding): TurnEnding;
}

const BLAMED: readonly RunOutcome[] = ['failed', 'timed_out'];

export function createServiceFault(
  deps: Pick<EngineDeps, 'clock' | 'logger' | 'store'>,
  signal: Until,
): ServiceFault {
  let inStore: string | null = null;
  let inTools: string | null = null;
  return {
    keep(work) {
      const noted = async () => {
        try {
          const result = await work();
          inStore = null;
          return result;
        } catch (error) {
          // The turn may be stopped while it waits for the next attempt.
          if (isUnavailable(error)) inStore = messageOf(error);
          throw error;
        }
      };
      return retryWrite(deps, noted, signal);
    },
    tools(toolset) {
      if (toolset === null) return null;
      return {
        tools: toolset.tools,
        async call(name, args, stop) {
          const result = await toolset.call(name, args, stop);
          inTools = result.isError ? await faultOf(deps.store) : null;
          return result;
        },
      };
    },
    judge(ending) {
      const fault = inStore ?? inTools;
      if (fault === null || !BLAMED.includes(ending.outcome)) return ending;
      return { ...ending, outcome: 'interrupted', reason: interruptedBy(fault) };
    },
  };
}

/** The reason of a turn that the service interrupted. */
export function interruptedBy(fault: string): string {
  return `The service could not continue it: ${fault}`;
}

async function faultOf(store: Pick<EngineDeps['store'], 'ping'>): Promise<string | null> {
  return store.ping().then(() => null, messageOf);
}

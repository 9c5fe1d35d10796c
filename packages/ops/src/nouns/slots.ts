import { messageOf } from '@svc/core';
import { type RunId, type TriggerId, triggerId } from '@svc/records';
import type { Fire } from '@svc/scheduler';
import type { OpsDeps } from '../deps.ts';
import { isInWindow } from './catch-up-window.ts';
import type { FireTrigger } from './fire-request.ts';
import { isUnavailable, retryWrite, retryWriteWhileUnavailable } from './retry-write.ts';
import { reportEnd } from './run-report.ts';

/** Options for starting slots. */
export interface SlotsOptions {
  readonly closing: AbortSignal;
  /** Whether the database is on a server, which may be temporarily unavailable. */
  readonly isShared: boolean;
  /** Runs that are about to start. */
  readonly inHand: Set<RunId>;
  readonly lanes: Lanes;
}

/** Limits how many triggers start at the same time. */
export interface Lanes {
  /**
   * Number of concurrent starts for a batch: the unused rest, but at least one, so that batches never wait for each
   * other.
   */
  take(): number;
  give(count: number): void;
}

// Concurrent starts share a disk write; a database server writes one after the other anyway.
const MOST_LANES = 4;

export function createLanes({ isShared }: Pick<SlotsOptions, 'isShared'>): Lanes {
  let free = isShared ? 1 : MOST_LANES;
  return {
    take() {
      const count = Math.max(1, free);
      free -= count;
      return count;
    },
    give(count) {
      free += count;
    },
  };
}

/** Starts claimed slots in order, a few triggers at a time, and those of one trigger one after the other. */
export async function fireSlots(
  deps: OpsDeps,
  fire: FireTrigger,
  fires: readonly Fire[],
  options: SlotsOptions,
): Promise<void> {
  for (const { runId } of fires) options.inHand.add(runId);
  const left = byTrigger(fires).values();
  const startRest = async (): Promise<void> => {
    for (const slots of left) {
      for (const claimed of slots) {
        await startSlot(deps, fire, claimed, options);
        options.inHand.delete(claimed.runId);
      }
    }
  };
  const lanes = options.lanes.take();
  await Promise.all(Array.from({ length: lanes }, startRest)).finally(() =>
    options.lanes.give(lanes),
  );
}

function byTrigger(fires: readonly Fire[]): Map<TriggerId, Fire[]> {
  const groups = new Map<TriggerId, Fire[]>();
  for (const one of fires) {
    const id = triggerId(one.key);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [one]);
    else group.push(one);
  }
  return groups;
}

/** Never rejects. */
async function startSlot(
  deps: OpsDeps,
  fire: FireTrigger,
  claimed: Fire,
  { closing, isShared }: SlotsOptions,
): Promise<void> {
  const { key, runId, lateMs, catchUp } = claimed;
  deps.observer?.claimed({ lateMs, catchUp });
  const start = async (wasAway: boolean): Promise<void> => {
    if (wasAway && (await isTooLate(deps, claimed))) return miss(deps, claimed);
    await fire({ key, cause: 'schedule', claimed: runId, caller: null });
  };
  await retryWriteWhileUnavailable(deps, start, closing).catch((error: unknown) => {
    // Another server, or the next process of this home, starts it.
    if (closing.aborted && (isShared || isUnavailable(error))) return;
    return giveUp(deps, claimed, error, closing);
  });
}

const TOO_LATE = 'The database was unavailable for too long to catch up this slot.';

// A slot with less delay counts as on time.
const ON_TIME_MS = 2000;

async function isTooLate(deps: OpsDeps, { key, scheduledFor }: Fire): Promise<boolean> {
  if (deps.clock.now() - scheduledFor <= ON_TIME_MS) return false;
  return !(await isInWindow(deps, key, scheduledFor));
}

async function miss(deps: OpsDeps, { key, runId }: Fire): Promise<void> {
  const ended = await deps.store.runs.endUnstarted(runId, 'missed', TOO_LATE, deps.clock.now());
  await reportEnd(deps, key.project, ended);
}

// A claimed run that never starts would count as unfinished and block every later slot.
async function giveUp(
  deps: OpsDeps,
  { key, runId }: Fire,
  thrown: unknown,
  closing: AbortSignal,
): Promise<void> {
  const error = messageOf(thrown);
  const fields = { project: key.project, trigger: key.name, runId, error };
  deps.logger.error(fields, 'cannot start claimed slot');
  const reason = `It could not be started: ${error}`;
  const outcome = isUnavailable(thrown) ? 'interrupted' : 'failed';
  try {
    const end = () => deps.store.runs.endUnstarted(runId, outcome, reason, deps.clock.now());
    const ended = await retryWrite(deps, end, closing);
    await reportEnd(deps, key.project, ended);
  } catch {
    deps.logger.error(fields, 'cannot release claimed slot');
  }
}

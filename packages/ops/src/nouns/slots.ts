import { messageOf } from '@svc/core';
import { type RunId, type TriggerId, triggerId } from '@svc/records';
import type { Fire } from '@svc/scheduler';
import type { OpsDeps } from '../deps.ts';
import { isInWindow } from './catch-up-window.ts';
import type { FireTrigger } from './parts.ts';
import { isUnavailable, retryWrite, retryWriteWhileUnavailable } from './retry-write.ts';
import { reportEnd } from './run-report.ts';

/** How slots are started. */
export interface SlotsOptions {
  readonly closing: AbortSignal;
  /** Whether the database is on a server, which may be away for a while. */
  readonly isShared: boolean;
  /** Those that are about to be started. */
  readonly inHand: Set<RunId>;
  readonly lanes: Lanes;
}

/** How many triggers are started at a time. */
export interface Lanes {
  /** How many a batch has: what the others have left, and one at least, so that it waits for none of them. */
  take(): number;
  give(count: number): void;
}

// Those that start together are written together; a server writes one after the other anyway.
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

/** Starts what was claimed, in order, a few triggers at a time; the slots of one trigger one after the other. */
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
    // Another process starts it, or the next life of this one.
    if (closing.aborted && (isShared || isUnavailable(error))) return;
    return giveUp(deps, claimed, error, closing);
  });
}

const TOO_LATE = 'The database was unavailable for too long to catch up this slot.';

// As late as that a slot counts as on time.
const ON_TIME_MS = 2000;

async function isTooLate(deps: OpsDeps, { key, scheduledFor }: Fire): Promise<boolean> {
  if (deps.clock.now() - scheduledFor <= ON_TIME_MS) return false;
  return !(await isInWindow(deps, key, scheduledFor));
}

async function miss(deps: OpsDeps, { key, runId }: Fire): Promise<void> {
  const ended = await deps.store.runs.endUnstarted(runId, 'missed', TOO_LATE, deps.clock.now());
  await reportEnd(deps, key.project, ended);
}

// A claimed run that nobody starts would count as busy and hold up every slot after it.
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

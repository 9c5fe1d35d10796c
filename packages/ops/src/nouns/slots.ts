import { messageOf } from '@svc/core';
import type { RunId } from '@svc/records';
import type { Fire } from '@svc/scheduler';
import type { OpsDeps } from '../deps.ts';
import { isInWindow } from './catch-up-window.ts';
import { insist, insistWhileAway } from './insist.ts';
import type { FireTrigger } from './parts.ts';
import { reportEnd } from './run-report.ts';

/** How slots are started. */
export interface SlotsOptions {
  readonly closing: AbortSignal;
  /** Whether the database is on a server, which may be away for a while. */
  readonly isShared: boolean;
  /** Those that are about to be started. */
  readonly inHand: Set<RunId>;
}

/** Starts what was claimed, one after the other. */
export async function fireSlots(
  deps: OpsDeps,
  fire: FireTrigger,
  fires: readonly Fire[],
  { closing, isShared, inHand }: SlotsOptions,
): Promise<void> {
  for (const { runId } of fires) inHand.add(runId);
  for (const claimed of fires) {
    const { key, runId, lateMs, catchUp } = claimed;
    deps.observer?.claimed({ lateMs, catchUp });
    const start = async (wasAway: boolean): Promise<void> => {
      if (wasAway && (await isTooLate(deps, claimed))) return miss(deps, claimed);
      await fire({ key, cause: 'schedule', claimed: runId, caller: null });
    };
    await (isShared ? insistWhileAway(deps, start, closing) : start(false)).catch(
      (error: unknown) => {
        // Another process starts it.
        if (isShared && closing.aborted) return;
        return giveUp(deps, claimed, messageOf(error), closing);
      },
    );
    inHand.delete(runId);
  }
}

const TOO_LATE = 'The database was away, and came back too late to make up for this slot.';

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
  error: string,
  closing: AbortSignal,
): Promise<void> {
  const fields = { project: key.project, trigger: key.name, runId, error };
  deps.logger.error(fields, 'a claimed slot could not be started');
  const reason = `It could not be started: ${error}`;
  try {
    const end = () => deps.store.runs.endUnstarted(runId, 'failed', reason, deps.clock.now());
    const ended = await insist(deps, end, closing);
    await reportEnd(deps, key.project, ended);
  } catch {
    deps.logger.error(fields, 'a claimed slot could not be given up either');
  }
}

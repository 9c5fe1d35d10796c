import { messageOf } from '@svc/core';
import {
  MISSED_REASONS,
  type RunId,
  type TriggerId,
  type TriggerKey,
  triggerId,
} from '@svc/records';
import type { Fire } from '@svc/scheduler';
import { catchUpWindowOf, definitionOf, startDelayOf } from '../definition.ts';
import type { EngineDeps } from '../deps.ts';
import { isUnavailable, retryWrite, retryWriteWhileUnavailable } from '../turns/retry-write.ts';
import type { FireTrigger } from './fire-request.ts';
import { reportEnd } from './run-report.ts';

/** Options for starting slots. */
export interface SlotsOptions {
  readonly closing: AbortSignal;
  /** Whether the database is on a server, which may be temporarily unavailable. */
  readonly isShared: boolean;
  /** Runs that are about to start. */
  readonly starting: Set<RunId>;
  readonly limit: ConcurrencyLimit;
}

/** Limits how many triggers start at the same time. */
export interface ConcurrencyLimit {
  /**
   * Number of concurrent starts for a batch: the unused rest, but at least one, so that batches never wait for each
   * other.
   */
  acquire(): number;
  release(count: number): void;
}

// Concurrent starts share a disk write; a database server writes one after the other anyway.
const MOST_CONCURRENT = 4;

export function createConcurrencyLimit({
  isShared,
}: Pick<SlotsOptions, 'isShared'>): ConcurrencyLimit {
  let free = isShared ? 1 : MOST_CONCURRENT;
  return {
    acquire() {
      const count = Math.max(1, free);
      free -= count;
      return count;
    },
    release(count) {
      free += count;
    },
  };
}

/** Starts claimed slots in order, a few triggers at a time, and those of one trigger one after the other. */
export async function fireSlots(
  deps: EngineDeps,
  fire: FireTrigger,
  fires: readonly Fire[],
  options: SlotsOptions,
): Promise<void> {
  for (const { runId } of fires) options.starting.add(runId);
  const left = byTrigger(fires).values();
  const startRest = async (): Promise<void> => {
    for (const slots of left) {
      for (const claimed of slots) {
        await startSlot(deps, fire, claimed, options);
        options.starting.delete(claimed.runId);
      }
    }
  };
  const count = options.limit.acquire();
  await Promise.all(Array.from({ length: count }, startRest)).finally(() =>
    options.limit.release(count),
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
  deps: EngineDeps,
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

// A slot with less delay counts as on time.
const ON_TIME_MS = 2000;

async function isTooLate(deps: EngineDeps, { key, scheduledFor }: Fire): Promise<boolean> {
  if (deps.clock.now() - scheduledFor <= ON_TIME_MS) return false;
  return !(await isInWindow(deps, key, scheduledFor));
}

async function miss(deps: EngineDeps, { key, runId }: Fire): Promise<void> {
  const ended = await deps.store.runs.endUnstarted(
    runId,
    'missed',
    MISSED_REASONS.databaseTooLate,
    deps.clock.now(),
  );
  await reportEnd(deps, key.project, ended);
}

// A claimed run that never starts would count as unfinished and block every later slot.
async function giveUp(
  deps: EngineDeps,
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

/** Whether a slot that was claimed and not started may still start. */
export async function isInWindow(
  deps: EngineDeps,
  key: TriggerKey,
  slot: number,
): Promise<boolean> {
  const snapshot = await deps.projects.snapshot(key.project);
  const definition = snapshot?.file ? definitionOf(snapshot.file, key) : null;
  // A slot of a trigger that was removed or disabled is not caught up; firing records that in the run.
  if (definition === null || definition.catchUp === 'none') return definition === null;
  return deps.clock.now() - slot - startDelayOf(definition) < catchUpWindowOf(definition);
}

import type { Definition } from '../definition.ts';
import type { EngineDeps } from '../deps.ts';
import type { FireRequest, Stop } from './fire-request.ts';

const SKIPPED = stopWith(
  'The previous run was still running, and policy.overlap skips overlapping runs.',
  'skipped_overlap',
);
const FULL = stopWith(
  'The previous run was still running, and another run was already waiting.',
  'skipped_overlap',
);
const WAITS = stopWith('It waits for the previous run to end.', null);

/**
 * What happens when a trigger fires while its previous run is still running. Default: slots are skipped, events are
 * queued.
 */
export function overlapOf({ type, record }: Definition): 'skip' | 'queue' | 'allow' {
  const said = 'policy' in record ? record.policy?.overlap : undefined;
  return said ?? (type === 'event' ? 'queue' : 'skip');
}

/** Information about unfinished runs of a trigger. */
export interface RunsUnderWay {
  readonly store: { readonly runs: Pick<EngineDeps['store']['runs'], 'isBusy' | 'hold'> };
}

/**
 * Why a run must not start beside the unfinished runs of its trigger; null if it may. A slot that must wait is stored
 * as waiting; runs of events are only requested when they may start.
 */
export async function overlapStop(
  { store }: RunsUnderWay,
  { key, cause, claimed }: Pick<FireRequest, 'key' | 'cause' | 'claimed'>,
  definition: Definition,
): Promise<Stop | null> {
  const overlap = overlapOf(definition);
  if (cause === 'manual' || overlap === 'allow') return null;
  if (cause === 'event' && overlap !== 'skip') return null;
  // Claimed slots without a turn are started in order, so a later one does not block this one.
  if (overlap === 'skip' || claimed === null)
    return (await store.runs.isBusy(key)) ? SKIPPED : null;
  // A waiting slot comes first, even if the run before it has just ended.
  if (!(await store.runs.hold(claimed, key, WAITS.error.message))) return FULL;
  return (await store.runs.isBusy(key)) ? { ...WAITS, waits: true } : null;
}

function stopWith(message: string, outcome: Stop['outcome']): Stop {
  return { error: { code: 'conflict', message }, outcome };
}

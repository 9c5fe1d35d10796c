import type { OpsDeps } from '../deps.ts';
import type { Definition } from './definition.ts';
import type { FireRequest, Stop } from './parts.ts';

const SKIPPED = stopWith(
  'The previous run was still running, and policy.overlap skips overlapping runs.',
  'skipped_overlap',
);
const FULL = stopWith(
  'The previous run was still running, and another run was already waiting.',
  'skipped_overlap',
);
const WAITS = stopWith('It waits for the previous run to end.', null);

/** What becomes of a fire while a run of its trigger goes on: slots are skipped, events wait unless it is said. */
export function overlapOf({ type, record }: Definition): 'skip' | 'queue' | 'allow' {
  const said = 'policy' in record ? record.policy?.overlap : undefined;
  return said ?? (type === 'event' ? 'queue' : 'skip');
}

/** What tells of the runs that a trigger has going on. */
export interface RunsUnderWay {
  readonly store: { readonly runs: Pick<OpsDeps['store']['runs'], 'isBusy' | 'hold'> };
}

/**
 * Why a fire does not start beside what its trigger has going on; null where it may. A slot that is to wait is written down
 * as waiting; the runs of events are not asked for before they may start.
 */
export async function overlapStop(
  { store }: RunsUnderWay,
  { key, cause, claimed }: Pick<FireRequest, 'key' | 'cause' | 'claimed'>,
  definition: Definition,
): Promise<Stop | null> {
  const overlap = overlapOf(definition);
  if (cause === 'manual' || overlap === 'allow') return null;
  if (cause === 'event' && overlap !== 'skip') return null;
  // A slot that was claimed and has no turn yet is none before this one: they are started in their order.
  if (overlap === 'skip' || claimed === null)
    return (await store.runs.isBusy(key)) ? SKIPPED : null;
  // Whoever waits comes first, also where the run before it has ended just now.
  if (!(await store.runs.hold(claimed, key, WAITS.error.message))) return FULL;
  return (await store.runs.isBusy(key)) ? { ...WAITS, waits: true } : null;
}

function stopWith(message: string, outcome: Stop['outcome']): Stop {
  return { error: { code: 'conflict', message }, outcome };
}

import type { OpsDeps } from '../deps.ts';
import type { Dispatching } from './dispatching.ts';
import type { createHeartbeat } from './heartbeat.ts';
import type { Arming, FireTrigger } from './parts.ts';
import type { Pauses } from './pauses.ts';
import type { Pruning } from './pruning.ts';
import { recover } from './recovery.ts';

export interface StartOptions {
  /** Whether anything starts by itself. */
  readonly schedules: boolean;
}

interface Started {
  readonly pauses: Pick<Pauses, 'all'>;
  readonly fire: FireTrigger;
  readonly heartbeat: ReturnType<typeof createHeartbeat>;
  readonly dispatching: Dispatching;
  readonly arming: Arming;
  readonly pruning: Pruning;
  /** Begins to run turns that wait. */
  readonly work: () => void;
}

/** Begins working, in order; ends early when the service closes. */
export async function startAll(
  deps: OpsDeps,
  { pauses, fire, heartbeat, dispatching, arming, pruning, work }: Started,
  closing: AbortSignal,
  { schedules }: StartOptions,
): Promise<void> {
  await deps.projects.sweep();
  const pause = await pauses.all();
  if (pause !== null) deps.logger.warn({ ...pause }, 'everything is paused');
  await recover(deps, fire);
  if (closing.aborted) return;
  work();
  if (!schedules) return;
  await heartbeat.start();
  await dispatching.start();
  if (closing.aborted) return;
  await arming.start();
  if (!closing.aborted) pruning.start();
}

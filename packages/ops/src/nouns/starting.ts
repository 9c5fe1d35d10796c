import { TurnStop } from '@svc/agent-runtime';
import type { Scheduler } from '@svc/scheduler';
import type { OpsDeps } from '../deps.ts';
import type { Arming } from './arming.ts';
import type { Dispatching } from './dispatching.ts';
import type { createHeartbeat } from './heartbeat.ts';
import type { Members } from './members.ts';
import type { Pauses } from './pauses.ts';
import type { Pruning } from './pruning.ts';
import type { Recovery } from './recovery.ts';

export interface StartOptions {
  /** Whether triggers fire. */
  readonly schedules: boolean;
}

interface Started {
  readonly pauses: Pick<Pauses, 'all'>;
  readonly members: Members;
  readonly recovery: Recovery;
  readonly heartbeat: ReturnType<typeof createHeartbeat>;
  readonly dispatching: Dispatching;
  readonly arming: Arming;
  readonly pruning: Pruning;
  /** Starts running queued turns. */
  readonly work: () => void;
}

/** Starts the work in order; stops early when the service closes. */
export async function startAll(
  deps: OpsDeps,
  { pauses, members, recovery, heartbeat, dispatching, arming, pruning, work }: Started,
  closing: AbortSignal,
  { schedules }: StartOptions,
): Promise<void> {
  await members.start();
  await deps.projects.sweep();
  const pause = await pauses.all();
  if (pause !== null) deps.logger.warn({ ...pause }, 'all triggers are paused');
  await recovery.start();
  if (closing.aborted) return;
  work();
  if (!schedules) return;
  await heartbeat.start();
  await members.announce();
  await dispatching.start();
  if (closing.aborted) return;
  await arming.start();
  if (!closing.aborted) pruning.start();
}

interface Stopped extends Started {
  readonly scheduler: Pick<Scheduler, 'close'>;
  /** Waits for starts in progress. */
  readonly handed: () => Promise<unknown>;
}

/** Stops the work in order: nothing fires any more, and running turns have `drainMs` to end. */
export async function stopAll(
  deps: OpsDeps,
  { members, recovery, heartbeat, dispatching, arming, pruning, scheduler, handed }: Stopped,
  drainMs: number,
): Promise<void> {
  await pruning.close();
  await arming.close();
  await scheduler.close();
  await recovery.close();
  await heartbeat.stop();
  // Other servers take over its projects while its running turns end.
  await members.announce().catch(() => {});
  await dispatching.close();
  await handed();
  const stop = new TurnStop('interrupted', 'The service was shut down during the run.');
  await deps.queue.close(drainMs, stop);
  heartbeat.close();
  await members.leave();
  await deps.projects.close();
}

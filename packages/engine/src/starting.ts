import { TurnStop } from '@svc/agent-runtime';
import type { Scheduler } from '@svc/scheduler';
import type { Arming } from './arming/arming.ts';
import type { createHeartbeat } from './cluster/heartbeat.ts';
import type { Members } from './cluster/members.ts';
import type { EngineDeps } from './deps.ts';
import type { Dispatching } from './events/dispatching.ts';
import type { Pauses } from './pauses/pauses.ts';
import type { Recovery } from './recovery/recovery.ts';
import type { Pruning } from './retention/pruning.ts';

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
  deps: EngineDeps,
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

interface Stopped extends Omit<Started, 'work'> {
  readonly scheduler: Pick<Scheduler, 'close'>;
  /** Waits for starts in progress. */
  readonly allStarted: () => Promise<unknown>;
}

/** Stops the work in order: nothing fires any more, and running turns have `drainMs` to end. */
export async function stopAll(
  deps: EngineDeps,
  { members, recovery, heartbeat, dispatching, arming, pruning, scheduler, allStarted }: Stopped,
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
  await allStarted();
  const stop = new TurnStop('interrupted', 'The service was shut down during the run.');
  await deps.queue.close(drainMs, stop);
  heartbeat.close();
  await members.leave();
  await deps.projects.close();
}

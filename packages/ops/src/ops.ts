import { TurnStop } from '@svc/agent-runtime';
import { messageOf, type Result } from '@svc/core';
import type { Fire } from '@svc/scheduler';
import type { ProjectRules } from '@svc/trigger-schema';
import { createArming } from './arming.ts';
import type { ChangeFeed } from './changes.ts';
import { type ChatOperations, createChatOperations } from './chats.ts';
import type { OpsDeps, OpsSettings } from './deps.ts';
import type { OperationError } from './errors.ts';
import { createFiring, type FireTrigger } from './firing.ts';
import { insist } from './insist.ts';
import type { Operations } from './operations/operations.ts';
import { createOperationTools } from './operations/tools.ts';
import { type Preview, type PreviewRequest, preview } from './preview.ts';
import { createProjectOperations, type ProjectOperations } from './project-operations.ts';
import { recover } from './recovery.ts';
import { reportEnd, reportMissed } from './run-report.ts';
import { createRunOperations, type RunOperations } from './runs.ts';
import { createTriggerEdits, type TriggerEdits } from './trigger-edits.ts';
import { createTriggerPatches } from './trigger-patches.ts';
import { createTriggerOperations, type TriggerOperations } from './triggers.ts';
import { createTurnRunner } from './turn-runner.ts';

/** How full the instance is. */
export interface Load {
  readonly armed: number;
  readonly running: number;
  readonly queued: number;
}

/** The operations of the service, for every surface. */
export interface Ops {
  readonly triggers: TriggerOperations & TriggerEdits;
  readonly runs: RunOperations;
  readonly chats: ChatOperations;
  readonly projects: ProjectOperations;
  readonly changes: ChangeFeed;
  /** The operations as tools, with the caller's scope held against every call. */
  readonly operations: Operations;
  preview(request: PreviewRequest): Result<Preview, OperationError>;
  load(): Load;
  /** Rejects, with why, while the database cannot be written or the folder of projects is not there. */
  ping(): Promise<void>;
  /**
   * Begins working: brings order into what an earlier life left, then runs queued turns, and, with `schedules`, arms
   * what the project files declare.
   */
  start(options: { readonly schedules: boolean }): Promise<void>;
  /** While on, no slot is claimed; those that pass are treated like any others that passed unseen. */
  pauseFiring(on: boolean): void;
  /** Fires nothing more, gives running turns `drainMs` to end, and interrupts the rest. */
  close(drainMs: number): Promise<void>;
}

/** Joins the operations over their ports. */
export function createOps(deps: OpsDeps, settings: OpsSettings, validation: ProjectRules): Ops {
  const fire = createFiring(deps, settings);
  const handing = new Set<Promise<void>>();
  const closing = new AbortController();
  const scheduler = deps.createScheduler(
    (fires) => {
      const handed = fireSlots(deps, fire, fires, closing.signal).finally(() =>
        handing.delete(handed),
      );
      handing.add(handed);
      return handed;
    },
    (missed) => reportMissed(deps, missed),
  );
  const arming = createArming(deps, scheduler);
  const triggers = {
    ...createTriggerOperations(deps, scheduler, fire),
    ...createTriggerEdits(deps, arming, validation),
    ...createTriggerPatches(deps, arming, validation),
  };
  const projects = createProjectOperations(deps, arming);
  const operations = createOperationTools({ deps, settings, triggers, projects });
  return {
    triggers,
    operations,
    runs: createRunOperations(deps),
    chats: createChatOperations(deps, settings),
    projects,
    changes: deps.changes,
    preview: (request) => preview(deps.clock, request),
    load: () => ({
      armed: scheduler.size,
      running: deps.queue.running,
      queued: deps.queue.waiting,
    }),
    async ping() {
      await deps.store.ping();
      await deps.projects.ping();
    },
    async start({ schedules }) {
      await deps.projects.sweep();
      await recover(deps, fire);
      deps.queue.work(createTurnRunner(deps, settings, operations));
      if (schedules) await arming.start();
    },
    pauseFiring: (on) => scheduler.pauseAll(on),
    async close(drainMs) {
      closing.abort();
      await arming.close();
      await scheduler.close();
      await Promise.all(handing);
      const stop = new TurnStop('interrupted', 'The service was shut down while it was running.');
      await deps.queue.close(drainMs, stop);
      await deps.projects.close();
    },
  };
}

async function fireSlots(
  deps: OpsDeps,
  fire: FireTrigger,
  fires: readonly Fire[],
  closing: AbortSignal,
): Promise<void> {
  for (const claimed of fires) {
    const { key, runId, lateMs, catchUp } = claimed;
    deps.observer?.claimed({ lateMs, catchUp });
    await fire({ key, cause: 'schedule', claimed: runId, caller: null }).catch((error: unknown) =>
      giveUp(deps, claimed, messageOf(error), closing),
    );
  }
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

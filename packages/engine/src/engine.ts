import { TurnStop } from '@svc/agent-runtime';
import type { Redactor } from '@svc/core';
import type { TriggerKey } from '@svc/records';
import type { Scheduler } from '@svc/scheduler';
import { type ArmedStatesIn, createArmedStates } from './arming/armed-states.ts';
import { type Arming, createArming } from './arming/arming.ts';
import type { ChangeRecorder } from './arming/project-arming.ts';
import { createPromptRemarks, type PromptRemarks } from './arming/prompt-remarks.ts';
import { createZones, type Zones } from './arming/zones.ts';
import { createHeartbeat } from './cluster/heartbeat.ts';
import { ALONE, createMembers, type Members } from './cluster/members.ts';
import type { EngineDeps, EngineSettings } from './deps.ts';
import { createDispatching, type Dispatching } from './events/dispatching.ts';
import type { FireTrigger } from './firing/fire-request.ts';
import { createFiring } from './firing/firing.ts';
import { createGuards } from './firing/guards.ts';
import { reportMissed } from './firing/run-report.ts';
import { createConcurrencyLimit, fireSlots, type SlotsOptions } from './firing/slots.ts';
import { createPauses, type Pauses } from './pauses/pauses.ts';
import { createRecovery, type Recovery } from './recovery/recovery.ts';
import { createPruning } from './retention/pruning.ts';
import { type StartOptions, startAll, stopAll } from './starting.ts';
import { createSelfTests, type SelfTests } from './turns/self-tests.ts';
import { createTurnRunner, type TurnRunnerParts } from './turns/turn-runner.ts';

/** The load of this server. */
export interface Load {
  readonly armed: number;
  /** Number of projects that it owns. */
  readonly projects: number;
  /** Number of invalid entries in their files; a file that cannot be read counts as one. */
  readonly invalid: number;
  readonly running: number;
  readonly queued: number;
  /** Number of servers that own projects, as far as this one knows. */
  readonly nodes: number;
}

/** What runs triggers: from a due slot, an event or a request to an ended run. */
export interface Engine {
  readonly scheduler: Scheduler;
  readonly fire: FireTrigger;
  readonly arming: Arming;
  readonly armedIn: ArmedStatesIn;
  readonly selfTests: SelfTests;
  readonly pauses: Pauses;
  readonly members: Members;
  readonly zones: Zones;
  readonly remarks: PromptRemarks;
  load(): Load;
  /**
   * Starts the work: recovers from the previous process, then runs queued turns with the operations that `toolsetOf`
   * gives them as tools, and, with `schedules`, arms the triggers in project files. Closing aborts it.
   */
  start(options: StartOptions, toolsetOf: TurnRunnerParts['toolsetOf']): Promise<void>;
  /** Stops firing, gives running turns `drainMs` to end, and interrupts the rest. */
  close(drainMs: number): Promise<void>;
}

/** Values that operations share with the engine. */
export interface EngineParts {
  readonly settings: EngineSettings;
  /** Records changes of triggers as they are observed. */
  readonly changeLog: ChangeRecorder;
  readonly redactor: Redactor;
}

/** Creates the engine from its ports. */
export function createEngine(
  deps: EngineDeps,
  { settings, changeLog, redactor }: EngineParts,
): Engine {
  const members = membersOf(deps, () => recovery);
  const pauses = createPauses(deps, members);
  const guards = createGuards(deps, members);
  const onHeld = (project: string): void => dispatching.wake(project);
  const fire = createFiring({ deps, settings, redactor, pauses, guards, onHeld });
  const selfTests = createSelfTests(deps);
  const closing = new AbortController();
  const { scheduler, allStarted, isStarting } = startScheduler(deps, fire, {
    ...{ closing: closing.signal, isShared: members.isShared },
    onLost: (projects) => arming.lost(projects),
    absence: ({ project }, due) => members.absence(project, due),
  });
  const zones = createZones(deps);
  const remarks = createPromptRemarks(deps, settings);
  const armed = { scheduler, changeLog, zones, guards, members, remarks };
  const arming = createArming(deps, armed, closing.signal);
  const { curatorDelayMs, retention = { runs: null, ageMs: null } } = settings;
  const dispatching: Dispatching = createDispatching(deps, fire, {
    ...{ pauses, members, curatorDelayMs },
  });
  const pruning = createPruning(deps, retention, members);
  const recovery = createRecovery(deps, fire, { members, isStarting });
  const armedIn = createArmedStates(deps, { scheduler, members, zones });
  const background = { recovery, dispatching, arming, pruning, heartbeat: createHeartbeat(deps) };
  const parts = { pauses, members, ...background };
  let starting: Promise<void> = Promise.resolve();
  return {
    ...{ scheduler, fire, arming, armedIn, selfTests, pauses, members, zones, remarks },
    load: () => ({
      ...{ armed: scheduler.size, running: deps.queue.running, queued: deps.queue.waiting },
      ...{ projects: arming.size, invalid: arming.invalid, nodes: members.size },
    }),
    start(options, toolsetOf) {
      const work = (): void => {
        const runs = { deps, settings, toolsetOf, selfTests, pauses, redactor };
        deps.queue.work(createTurnRunner({ ...runs, closing: closing.signal }));
      };
      starting = startAll(deps, { ...parts, work }, closing.signal, options);
      return starting;
    },
    async close(drainMs) {
      closing.abort();
      // The caller of `start` gets its error.
      await starting.catch(() => {});
      await stopAll(deps, { ...parts, scheduler, allStarted }, drainMs);
    },
  };
}

function membersOf(deps: EngineDeps, recovery: () => Recovery): Members {
  const { shared, queue } = deps;
  if (shared === undefined) return ALONE;
  return createMembers(deps, {
    cutOff(why) {
      if (queue.running > 0) {
        const reason = why === 'away' ? CUT_OFF : STOOD_STILL;
        deps.logger.error({ turns: queue.running, reason }, 'ending running turns');
      }
      queue.interrupt(new TurnStop('interrupted', why === 'away' ? CUT_OFF : STOOD_STILL));
    },
    back: () => queue.goOn(),
    evicted() {
      queue.interrupt(new TurnStop('interrupted', GIVEN_UP));
      shared.evicted();
    },
    gone: () => recovery().again(),
  });
}

const CUT_OFF = 'The server that ran it lost its database for too long.';
const STOOD_STILL = 'The server that ran it was suspended for too long.';
const GIVEN_UP = 'The server that ran it lost its database, or was suspended, for too long.';

interface SchedulerOptions extends Omit<SlotsOptions, 'starting' | 'limit'> {
  readonly onLost: (projects: readonly string[]) => void;
  readonly absence: (key: TriggerKey, due: number) => string | null;
}

function startScheduler(deps: EngineDeps, fire: FireTrigger, options: SchedulerOptions) {
  const starting = new Set<string>();
  const limit = createConcurrencyLimit(options);
  const batches = new Set<Promise<void>>();
  const scheduler: Scheduler = deps.createScheduler(
    (fires) => {
      const batch = fireSlots(deps, fire, fires, { ...options, starting, limit }).finally(() =>
        batches.delete(batch),
      );
      batches.add(batch);
      return batch;
    },
    (missed) => reportMissed(deps, missed),
    options.onLost,
    options.absence,
  );
  const isStarting = (run: string): boolean => starting.has(run);
  const allStarted = () => Promise.all(batches);
  // Claimed runs come first, because they may be earlier than slots missed since then.
  deps.store.connectivity.subscribe((fault) => {
    if (fault === null) void allStarted().then(() => scheduler.retry());
  });
  return { scheduler, isStarting, allStarted };
}

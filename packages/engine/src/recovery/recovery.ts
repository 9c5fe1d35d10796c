import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import { MISSED_REASONS, type RunId, type Slug, type TurnId } from '@svc/records';
import type { ClaimedRun, OpenTurn } from '@svc/store';
import type { Members } from '../cluster/members.ts';
import type { EngineDeps } from '../deps.ts';
import type { FireTrigger } from '../firing/fire-request.ts';
import { reportEnd } from '../firing/run-report.ts';
import { isInWindow } from '../firing/slots.ts';
import { endingWith, endTurn } from '../turns/turn-end.ts';

const EARLY = 'The service stopped before the run started.';

const GONE = 'The server that ran it stopped or lost its connection during the run.';

/** A claimed run starts within this time, unless its server has gone; milliseconds. */
const STARTED_MS = 15_000;
const LOOK_MS = 10_000;

/** Recovers work that stopped or evicted servers left behind. */
export interface Recovery {
  /**
   * Recovers from an earlier process of this home: ends leftover processes, then ends their turns as interrupted and
   * removes incomplete files in their projects (this continues in the background), queues waiting turns, and starts or
   * gives up runs that were claimed but never started.
   */
  start(): Promise<void>;
  /** The same for other servers, soon. */
  again(): void;
  close(): Promise<void>;
}

/** Dependencies of recovery. */
interface RecoveryParts {
  readonly members: Pick<Members, 'isShared' | 'hasOthers' | 'has' | 'leads' | 'announce'>;
  /** Whether this process is about to start a run that it has claimed. */
  readonly isStarting: (run: RunId) => boolean;
}

export function createRecovery(
  deps: EngineDeps,
  fire: FireTrigger,
  { members, isStarting }: RecoveryParts,
): Recovery {
  const { clock, logger } = deps;
  let timer: TimerHandle | null = null;
  let working: Promise<void> | null = null;
  let isOpen = false;
  let isFailing = false;
  let isDue = false;
  const later = (): void => {
    if (timer !== null) clock.clearTimeout(timer);
    timer = isOpen ? clock.setTimeout(() => look(false), LOOK_MS) : null;
  };
  const takeDue = (): boolean => {
    const wasDue = isDue;
    isDue = false;
    return wasDue;
  };
  const recoverNow = async (isNotified: boolean): Promise<void> => {
    await endTurns(deps, await deps.store.nodes.own(), LOST);
    if (isNotified || members.leads()) await endTurns(deps, await deps.store.nodes.orphans(), GONE);
    if (isNotified) await endStrays(deps);
    const before = clock.now() - STARTED_MS;
    // The owner of the project starts runs that wait for the run before them.
    const isLeft = ({ id, key, claimedAt, isHeld }: ClaimedRun): boolean =>
      !isHeld && claimedAt < before && members.has(key.project) && !isStarting(id);
    // They were claimed to run, so the decision stands.
    await startClaimed(deps, fire, (await deps.store.runs.unstarted()).filter(isLeft));
  };
  const look = (isNotified: boolean): void => {
    isDue ||= isNotified;
    working ??= recoverNow(takeDue())
      .then(() => {
        isFailing = false;
      })
      .catch((error: unknown) => {
        // Logged once, and again after a success.
        if (!isFailing) {
          logger[failureLevel(error, 'warn')](
            { error: messageOf(error) },
            'cannot look for interrupted runs',
          );
        }
        isFailing = true;
      })
      .finally(() => {
        working = null;
        // More servers may have gone in the meantime.
        if (isDue && isOpen) look(false);
        else later();
      });
  };
  return {
    async start() {
      if (!members.isShared) {
        await deps.store.nodes.evict('others', clock.now());
        await endTurns(deps, await deps.store.nodes.orphans(), STOPPED);
        await requeueWaiting(deps);
        await startInTime(deps, fire, await deps.store.runs.unstarted());
        return;
      }
      isOpen = true;
      await evictEarlier(deps);
      // Until then, the earlier process counts as another server.
      await members.announce();
      await endTurns(deps, await deps.store.nodes.orphans(), GONE);
      await endStrays(deps);
      // Other live servers have already continued the waiting turns.
      if (!members.hasOthers) {
        await giveUpLate(deps);
        await startInTime(deps, fire, await deps.store.runs.unstarted());
      }
      later();
    },
    again: () => look(true),
    async close() {
      isOpen = false;
      later();
      await working;
    },
  };
}

// The earlier process of this home has ended, whatever its last heartbeat: a home is used by one process at a time.
async function evictEarlier({ store, shared, clock }: EngineDeps): Promise<void> {
  const earlier = shared?.earlierNode ?? null;
  if (earlier === null) return;
  const nodes = await store.nodes.list();
  await store.nodes.evict(
    nodes.filter(({ id }) => id === earlier),
    clock.now(),
  );
}

// Other servers may have ended the turns of a process on this machine, but not the processes that they left here.
async function endStrays({ store, reaper }: EngineDeps): Promise<void> {
  const here = (await reaper.turns?.()) ?? [];
  await reaper.endTurns(await store.turns.ended(here));
}

/** Starts runs that are not too late, and gives up the others. */
async function startInTime(
  deps: EngineDeps,
  fire: FireTrigger,
  runs: readonly ClaimedRun[],
): Promise<void> {
  for (const run of runs) {
    const { key, id, cause, scheduledFor } = run;
    if (cause === 'manual' || (await isInWindow(deps, key, scheduledFor))) {
      await startOne(deps, fire, run);
    } else {
      const ended = await deps.store.runs.endUnstarted(
        id,
        'missed',
        MISSED_REASONS.startedTooLate,
        deps.clock.now(),
      );
      await reportEnd(deps, key.project, ended);
    }
  }
}

/** Starts claimed runs; a failure of one does not affect the others. */
async function startClaimed(
  deps: EngineDeps,
  fire: FireTrigger,
  runs: readonly ClaimedRun[],
): Promise<void> {
  for (const run of runs) {
    await startOne(deps, fire, run).catch((error: unknown) => {
      const { key, id: runId } = run;
      const fields = { project: key.project, trigger: key.name, runId, error: messageOf(error) };
      deps.logger[failureLevel(error, 'warn')](fields, 'cannot start claimed slot yet, retrying');
    });
  }
}

async function startOne(
  deps: EngineDeps,
  fire: FireTrigger,
  { key, id, cause }: ClaimedRun,
): Promise<void> {
  if (cause === 'manual') {
    const ended = await deps.store.runs.endUnstarted(id, 'interrupted', EARLY, deps.clock.now());
    await reportEnd(deps, key.project, ended);
  } else {
    await fire({ key, cause: 'schedule', claimed: id, caller: null });
  }
}

const STOPPED = 'The service stopped during the run.';
const LOST = 'The server that ran it lost its database while the run was ending.';

/** Ends turns that no server is running, as interrupted. */
async function endTurns(deps: EngineDeps, ids: readonly TurnId[], reason: string): Promise<void> {
  const left = ids.filter((id) => !deps.queue.runs(id));
  if (left.length === 0) return;
  const { ended } = await deps.reaper.endTurns(left);
  const whose =
    reason === GONE ? 'ended turns of lost servers' : 'ended turns left by the previous process';
  deps.logger.warn({ turns: left.length, processes: ended }, whose);
  const projects = new Set<Slug>();
  for (const id of left) {
    const turn = await deps.store.turns.get(id);
    if (turn === null) continue;
    projects.add(turn.project);
    const ending = endingWith('interrupted', reason);
    // Each tool call took at least one model call; more is not known.
    const toolCalls = await deps.store.turns.toolCalls(id);
    const calls = { turns: toolCalls, toolCalls, toolErrors: null };
    await endTurn(deps, turn, { ...ending, ...calls, model: turn.model });
  }
  void sweepProjects(deps, projects, deps.clock.now());
}

async function sweepProjects(
  deps: EngineDeps,
  projects: Iterable<Slug>,
  before: number,
): Promise<void> {
  for (const project of projects) {
    try {
      const snapshot = await deps.projects.snapshot(project);
      if (snapshot !== null) await deps.sweep?.(snapshot.folder, before);
    } catch (error) {
      deps.logger[failureLevel(error, 'warn')](
        { project, error: messageOf(error) },
        'cannot remove temporary files',
      );
    }
  }
}

async function requeueWaiting(deps: EngineDeps): Promise<void> {
  for (const ticket of await deps.store.turns.queued()) {
    const turn = await deps.store.turns.get(ticket.id);
    if (turn !== null && (await isTooLate(deps, turn))) {
      await endTurn(deps, turn, endingWith('missed', MISSED_REASONS.startedTooLate));
    } else deps.queue.add(ticket);
  }
}

// The rows are the queue, so the remaining ones need no action.
async function giveUpLate(deps: EngineDeps): Promise<void> {
  const { turns, nodeId } = deps.store;
  for (const { id } of await turns.queued()) {
    const turn = await turns.get(id);
    if (turn === null || !(await isTooLate(deps, turn))) continue;
    if (await turns.takeOut(nodeId, id))
      await endTurn(deps, turn, endingWith('missed', MISSED_REASONS.startedTooLate));
  }
}

async function isTooLate(deps: EngineDeps, { project, runId }: OpenTurn): Promise<boolean> {
  const run = runId === null ? null : await deps.store.runs.get(project, runId);
  const slot = run === null || run.scheduledFor === null ? null : Date.parse(run.scheduledFor);
  // A run of a future slot was started while the clock was ahead.
  if (run === null || slot === null || slot > deps.clock.now()) return false;
  const key = { project: run.project, source: run.source, name: run.trigger };
  return !(await isInWindow(deps, key, slot));
}

import { createKeyedMutex, failureLevel, messageOf, newId, type TimerHandle } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Slug, TriggerKey } from '@svc/records';
import type { Dispatch, EventBacklog, UnopenedRun, WaitingEvent } from '@svc/store';
import { curatorOf } from '@svc/trigger-schema';
import type { Members } from '../cluster/members.ts';
import { curatorData } from '../curator/curator.ts';
import { definitionOf } from '../definition.ts';
import type { EngineDeps, EngineSettings } from '../deps.ts';
import type { FireTrigger } from '../firing/fire-request.ts';
import { overlapOf } from '../firing/overlap.ts';
import type { Pauses } from '../pauses/pauses.ts';
import { archiveHooks } from './event-hooks.ts';

/** Starts the runs that events are waiting for. The events are in the store; this only processes them. */
export interface Dispatching {
  /** Processes what is pending, and later events as they occur. */
  start(): Promise<void>;
  /** Checks a project in which a slot waits. */
  wake(project: Slug): void;
  close(): Promise<void>;
}

// Missed notifications are found within this time.
const SWEEP_MS = 60_000;
// Turns of a person come in series, so a curator waits for a quiet period, but not forever.
const DELAY_MS = 5 * 60_000;
const LONGEST_DELAYS = 6;
const GONE_MS = 3_600_000;
const PAGE = 100;

export function createDispatching(
  deps: EngineDeps,
  fire: FireTrigger,
  { pauses, members, curatorDelayMs: delayMs = DELAY_MS }: DispatchingParts,
): Dispatching {
  const line = createKeyedMutex();
  const scheduled = new Set<Slug>();
  const inProgress = new Set<Promise<void>>();
  // Projects with runs or events that wait for a change.
  const watched = new Set<Slug>();
  const timers = new Map<Slug | null, TimerHandle>();
  let isOpen = false;
  const at = (project: Slug | null, ms: number, act: () => void): void => {
    const before = timers.get(project);
    if (before !== undefined) deps.clock.clearTimeout(before);
    if (isOpen) timers.set(project, deps.clock.setTimeout(act, ms));
  };
  const parts: DispatchParts = {
    deps,
    fire,
    pauses,
    delayMs,
    isOpen: () => isOpen,
    watch: (project) => void watched.add(project),
    wakeAfter: (project, ms) => at(project, ms, () => wake(project)),
  };
  const wake = (project: Slug): void => {
    if (!isOpen || scheduled.has(project) || !members.has(project)) return;
    scheduled.add(project);
    const work = line
      .run(project, async () => {
        scheduled.delete(project);
        watched.delete(project);
        await dispatchIn(parts, project);
      })
      .catch((error: unknown) => {
        watched.add(project);
        logFailure(deps, error, { project }, 'cannot dispatch events');
      })
      .finally(() => inProgress.delete(work));
    inProgress.add(work);
  };
  const sweep = async (): Promise<void> => {
    try {
      for (const project of await projectsWithPending(deps)) wake(project);
    } catch (error) {
      logFailure(deps, error, {}, 'cannot read pending events');
    }
    at(null, SWEEP_MS, wakeAll);
  };
  const wakeAll = (): void => {
    if (!isOpen) return;
    const work = sweep().finally(() => inProgress.delete(work));
    inProgress.add(work);
  };
  let stop = (): void => {};
  return {
    async start() {
      isOpen = true;
      const unsubscribe = members.subscribe(wakeAll);
      const unfollow = deps.changes.subscribe(null, (item) => {
        if ('reset' in item) return;
        const { kind, project } = item;
        if (kind === 'event' || (kind !== 'chat' && watched.has(project))) wake(project);
      });
      stop = () => {
        unsubscribe();
        unfollow();
      };
      await sweep();
    },
    wake,
    async close() {
      isOpen = false;
      stop();
      for (const timer of timers.values()) deps.clock.clearTimeout(timer);
      timers.clear();
      await Promise.all(inProgress);
    },
  };
}

function logFailure(
  { logger }: Pick<EngineDeps, 'logger'>,
  error: unknown,
  fields: { readonly project?: Slug },
  message: string,
): void {
  logger[failureLevel(error, 'error')]({ ...fields, error: messageOf(error) }, message);
}

/** Dependencies of the processing of events. */
interface DispatchingParts {
  readonly pauses: Pick<Pauses, 'reasonOf'>;
  readonly members: Pick<Members, 'has' | 'subscribe'>;
  /** Default: 5 minutes. */
  readonly curatorDelayMs?: EngineSettings['curatorDelayMs'];
}

interface DispatchParts {
  readonly deps: EngineDeps;
  readonly fire: FireTrigger;
  readonly pauses: Pick<Pauses, 'reasonOf'>;
  readonly delayMs: number;
  readonly isOpen: () => boolean;
  /** Checks a project again when its runs or its file change. */
  watch(project: Slug): void;
  /** Checks a project again after a time. */
  wakeAfter(project: Slug, ms: number): void;
}

async function projectsWithPending({ store }: EngineDeps): Promise<ReadonlySet<Slug>> {
  const { events } = store;
  const backlogs = [
    ...(await events.backlogs('onArchive')),
    ...(await events.backlogs('afterTurn')),
  ];
  return new Set([...backlogs.map(({ project }) => project), ...(await events.unopenedProjects())]);
}

async function dispatchIn(parts: DispatchParts, project: Slug): Promise<void> {
  const { deps } = parts;
  const snapshot = await deps.projects.snapshot(project);
  // Events also wait for a file that is temporarily unreadable or missing.
  const isAway = snapshot === null && (await isShort(deps, project));
  if (isAway || (snapshot !== null && snapshot.file === null)) {
    parts.watch(project);
    return;
  }
  await dispatchArchived(parts, project, snapshot);
  await cover(parts, project, snapshot);
  await openRuns(parts, project);
}

// A folder may be replaced, or a volume mounted late, so a project counts as removed only after an hour.
async function isShort({ store, projects, clock }: EngineDeps, project: Slug): Promise<boolean> {
  await projects.ping();
  const since = await Promise.all([
    store.events.backlog('onArchive', project).then((backlog) => backlog?.first ?? null),
    store.events.backlog('afterTurn', project).then((backlog) => backlog?.first ?? null),
    store.events.unopened(project).then((runs) => runs[0]?.claimedAt ?? null),
  ]);
  const oldest = Math.min(...since.filter((at) => at !== null));
  return clock.now() - oldest < GONE_MS;
}

// Each event gets all of its runs before any of them starts, so that nothing can come in between.
async function dispatchArchived(
  { deps, isOpen }: DispatchParts,
  project: Slug,
  snapshot: ProjectSnapshot | null,
): Promise<void> {
  const hooks = snapshot?.file ? archiveHooks(project, snapshot.file) : [];
  while (isOpen()) {
    const waiting = await deps.store.events.waiting(project, PAGE);
    if (waiting.length === 0) return;
    const now = deps.clock.now();
    const dispatches = waiting.map(
      ({ id }: WaitingEvent): Dispatch => ({
        eventId: id,
        runs: hooks.map(({ key }) => ({
          id: newId(),
          key,
          cause: 'event',
          by: null,
          claimedAt: now,
        })),
      }),
    );
    await deps.store.events.dispatch(dispatches, now);
    deps.logger.debug(
      { project, events: waiting.length, hooks: hooks.length },
      'events dispatched',
    );
    deps.changes.publish({ kind: hooks.length > 0 ? 'run' : 'event', project, id: null });
    await deps.clock.yield();
  }
}

async function cover(
  parts: DispatchParts,
  project: Slug,
  snapshot: ProjectSnapshot | null,
): Promise<void> {
  const { deps } = parts;
  const backlog = await deps.store.events.backlog('afterTurn', project);
  if (backlog === null) return;
  const now = deps.clock.now();
  const name = snapshot?.file ? curatorOf(snapshot.file) : null;
  const curator = name === null ? null : ({ project, source: 'trigger', name } as const);
  const wait = curator === null ? 0 : waitOf(backlog, now, parts.delayMs);
  if (wait > 0) {
    parts.wakeAfter(project, wait);
    return;
  }
  // While nothing may start, the turns stay pending: the next run covers all of them.
  if (curator !== null && !(await isFree(parts, curator))) {
    parts.watch(project);
    return;
  }
  const run =
    curator === null
      ? null
      : { id: newId(), key: curator, cause: 'event' as const, by: null, claimedAt: now };
  const covered = await deps.store.events.cover(project, run, now);
  if (covered > 0) deps.changes.publish({ kind: 'event', project, id: null });
}

async function isFree({ deps, pauses }: DispatchParts, key: TriggerKey): Promise<boolean> {
  return (await pauses.reasonOf(key)) === null && !(await deps.store.runs.isBusy(key));
}

/** How much longer a curator must wait, in milliseconds. */
function waitOf({ first, last }: EventBacklog, now: number, delayMs: number): number {
  const due = Math.min(last + delayMs, first + LONGEST_DELAYS * delayMs);
  const wait = due - now;
  // If the clock was ahead for a while, stored times may be in the future.
  return wait > delayMs ? 0 : wait;
}

// Runs of one trigger wait for each other, but not for those of other triggers.
async function openRuns(parts: DispatchParts, project: Slug): Promise<void> {
  const { deps, isOpen } = parts;
  const blocked = new Set<string>();
  const tried = new Set<string>();
  for (;;) {
    const unopened = await deps.store.events.unopened(project);
    if (unopened.length > 0) parts.watch(project);
    const next = unopened.filter(({ key }) => !blocked.has(key.name));
    if (next.length === 0) return;
    for (const run of next) {
      if (!isOpen()) return;
      if (!tried.has(run.id) && (await mayOpen(parts, run))) await open(parts, run);
      else blocked.add(run.key.name);
      tried.add(run.id);
    }
    await deps.clock.yield();
  }
}

async function mayOpen({ deps, pauses }: DispatchParts, { key }: UnopenedRun): Promise<boolean> {
  if (!(await deps.store.runs.isBusy(key))) return true;
  // It is skipped at once, so that it is not caught up after the pause.
  if ((await pauses.reasonOf(key)) !== null) return true;
  const snapshot = await deps.projects.snapshot(key.project);
  const definition = snapshot?.file ? definitionOf(snapshot.file, key) : null;
  // Runs that are skipped or may overlap need not wait for others.
  return definition !== null && overlapOf(definition) !== 'queue';
}

async function open({ deps, fire }: DispatchParts, run: UnopenedRun): Promise<void> {
  const { id, key, cause } = run;
  const event = cause === 'event' ? await dataOf(deps, run) : null;
  await fire({ key, cause, claimed: id, caller: null, event });
}

// The data as stored, even if the trigger has changed: firing refuses triggers that no longer listen for the event.
async function dataOf(deps: EngineDeps, { id, key: { project }, eventId }: UnopenedRun) {
  const { events } = deps.store;
  const raised = await events.raised(eventId);
  if (raised?.kind === 'afterTurn') return curatorData(deps, project, await events.turnsOf(id));
  return { event: 'onArchive' as const, project, data: { chat: raised?.payload ?? null } };
}

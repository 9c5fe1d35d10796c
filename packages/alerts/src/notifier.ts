import { createTimeSlice, failureLevel, type Logger, messageOf } from '@svc/core';
import { type EndedRun, lostServerIn } from '@svc/records';
import { alertTypeOf } from './alert.ts';
import { GIVE_UP_AFTER_MS } from './backoff.ts';
import {
  alertOfLoss,
  alertOfPause,
  alertOfSpent,
  alertsOf,
  type ComposeDeps,
  compose,
  digestDeliveries,
} from './composing.ts';
import { createPoller } from './poller.ts';
import type { AlertStore, Notification, TriggerOf } from './ports.ts';
import type { SinkRules } from './rules.ts';

export interface NotifierDeps extends ComposeDeps {
  readonly logger: Logger;
  readonly store: Pick<
    AlertStore,
    | 'pendingRuns'
    | 'failuresUpTo'
    | 'marks'
    | 'add'
    | 'pendingPause'
    | 'pendingSpentLimits'
    | 'digestAt'
  >;
  /** Called for each run that succeeded recently. */
  readonly onSuccess: () => void;
  /** Called when deliveries were added. */
  readonly onAdded: () => void;
  /** The content of digests: `slot` is the newest instant at which one is due, and `data` composes it. */
  readonly digest: DigestSource;
}

interface DigestSource {
  slot(now: number): number;
  data(from: number, to: number): Promise<object>;
}

/** Turns events into deliveries, durably and exactly once. */
export interface Notifier {
  /** Checks for new events. */
  nudge(): void;
  close(): Promise<void>;
}

const AT_ONCE = 100;
const MOST_COUNTED = 1000;
const MOST_WAITING = 10_000;
const LATELY_MS = 300_000;
const LOOK_AGAIN_MS = 30_000;
// Alerts about all triggers are stored as if they were about a trigger without a name.
const EVERYTHING: TriggerOf = { project: '', source: 'trigger', trigger: '' };

export function createNotifier(
  deps: NotifierDeps,
  sinks: ReadonlyMap<string, SinkRules>,
): Notifier {
  const { clock, logger } = deps;
  const state = { closed: false };
  const write = async (notification: Notification): Promise<void> => {
    const dropped = await deps.store.add(notification, MOST_WAITING);
    if (dropped > 0) logger.warn({ dropped }, 'oldest alerts dropped: too many are waiting');
    if (notification.deliveries.length > 0) deps.onAdded();
  };
  const notifyAll = async (): Promise<number> => {
    await notifyRuns(deps, sinks, write, state);
    await notifyPause(deps, sinks, write);
    await notifySpent(deps, sinks, write);
    await notifyDigest(deps, sinks, write);
    return LOOK_AGAIN_MS;
  };
  const poller = createPoller(clock, notifyAll, (error) => {
    logger[failureLevel(error, 'warn')]({ error: messageOf(error) }, 'cannot read pending alerts');
  });
  return {
    nudge: poller.nudge,
    async close() {
      state.closed = true;
      await poller.close();
    },
  };
}

type Sinks = ReadonlyMap<string, SinkRules>;
type Write = (notification: Notification) => Promise<void>;

async function notifyRuns(
  deps: NotifierDeps,
  sinks: Sinks,
  write: Write,
  state: { readonly closed: boolean },
): Promise<void> {
  const timeSlice = createTimeSlice(deps.clock);
  for (let more = true; more && !state.closed; ) {
    const runs = await deps.store.pendingRuns(AT_ONCE);
    const quiet: string[] = [];
    for (const run of runs) {
      if (state.closed) break;
      if (!(await notifyRun(deps, sinks, write, run))) quiet.push(run.id);
      await timeSlice.yieldToEventLoop();
    }
    if (quiet.length > 0) await write({ runs: quiet, of: null, deliveries: [], marks: [] });
    more = runs.length === AT_ONCE;
  }
}

async function notifyRun(
  deps: NotifierDeps,
  sinks: Sinks,
  write: Write,
  run: EndedRun,
): Promise<boolean> {
  const { clock, store } = deps;
  const type = alertTypeOf(run.outcome);
  if (type === null || run.endedAt < clock.now() - GIVE_UP_AFTER_MS) return false;
  if (type === 'recovered' && run.endedAt >= clock.now() - LATELY_MS) deps.onSuccess();
  const lost = type === 'missed' ? lostServerIn(run.reason) : null;
  if (lost !== null) return notifyLoss(deps, sinks, write, run, lost);
  const failures = type === 'failed' ? await store.failuresUpTo(run, MOST_COUNTED) : 0;
  const alerts = alertsOf(run, type, failures);
  const notification = compose(deps, sinks, run, alerts, await store.marks(run));
  if (notification.deliveries.length === 0) return false;
  await write({ ...notification, runs: [run.id] });
  return true;
}

// A lost server causes one alert, regardless of how many triggers missed slots because of it.
async function notifyLoss(
  deps: NotifierDeps,
  sinks: Sinks,
  write: Write,
  run: EndedRun,
  server: string,
): Promise<boolean> {
  const of: TriggerOf = { ...EVERYTHING, trigger: `server ${server}` };
  const marks = await deps.store.marks(of);
  const known = new Set(marks.map(({ sink }) => sink));
  const others = new Map([...sinks].filter(([sink]) => !known.has(sink)));
  const notification = compose(deps, others, of, [alertOfLoss(run)], []);
  if (notification.deliveries.length === 0) return false;
  await write({ ...notification, runs: [run.id] });
  return true;
}

async function notifyPause(deps: NotifierDeps, sinks: Sinks, write: Write): Promise<void> {
  const pause = await deps.store.pendingPause();
  if (pause === null) return;
  const marks = await deps.store.marks(EVERYTHING);
  const notification = compose(deps, sinks, EVERYTHING, [alertOfPause(pause)], marks);
  await write({ ...notification, pauseAt: pause.at });
}

async function notifySpent(deps: NotifierDeps, sinks: Sinks, write: Write): Promise<void> {
  const oldest = deps.clock.now() - GIVE_UP_AFTER_MS;
  for (const note of await deps.store.pendingSpentLimits()) {
    const alerts = note.at < oldest ? [] : [alertOfSpent(note)];
    const { project, trigger } = note;
    const of = { ...EVERYTHING, project: project ?? '', trigger: trigger ?? '' };
    const notification = compose(deps, sinks, of, alerts, await deps.store.marks(of));
    await write({ ...notification, spent: [note] });
  }
}

async function notifyDigest(deps: NotifierDeps, sinks: Sinks, write: Write): Promise<void> {
  const now = deps.clock.now();
  const coveredTo = await deps.store.digestAt();
  const to = deps.digest.slot(now);
  if (coveredTo === to) return;
  const readers = [...sinks].flatMap(([id, { on }]) => (on.includes('digest') ? id : []));
  // A time in the future was stored before the clock was set back.
  const isDue = coveredTo !== null && coveredTo < to && readers.length > 0;
  const data = isDue ? await deps.digest.data(coveredTo, to) : null;
  const deliveries = data === null ? [] : digestDeliveries(readers, data, now);
  await write({ runs: [], of: null, deliveries, marks: [], digestAt: to });
}

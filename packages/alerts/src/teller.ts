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
import { createLooper } from './looper.ts';
import type { AlertStore, Telling, TriggerOf } from './ports.ts';
import type { SinkRules } from './rules.ts';

export interface TellerDeps extends ComposeDeps {
  readonly logger: Logger;
  readonly store: Pick<
    AlertStore,
    'untold' | 'failuresUpTo' | 'marks' | 'tell' | 'untoldPause' | 'untoldSpent' | 'digestAt'
  >;
  /** Told of each run that succeeded lately. */
  readonly onSuccess: () => void;
  /** Told when deliveries were added. */
  readonly onAdded: () => void;
  /** What digests tell at the newest instant at which one is due; `data` makes it up. */
  readonly digest: DigestSource;
}

interface DigestSource {
  slot(now: number): number;
  data(from: number, to: number): Promise<object>;
}

/** Turns what happened into deliveries, durably and once. */
export interface Teller {
  /** Looks for what has happened. */
  nudge(): void;
  close(): Promise<void>;
}

const AT_ONCE = 100;
const MOST_COUNTED = 1000;
const MOST_WAITING = 10_000;
const LATELY_MS = 300_000;
const LOOK_AGAIN_MS = 30_000;
// What concerns everything is remembered as a trigger without a name.
const EVERYTHING: TriggerOf = { project: '', source: 'trigger', trigger: '' };

export function createTeller(deps: TellerDeps, sinks: ReadonlyMap<string, SinkRules>): Teller {
  const { clock, logger } = deps;
  const state = { closed: false };
  const write = async (telling: Telling): Promise<void> => {
    const dropped = await deps.store.tell(telling, MOST_WAITING);
    if (dropped > 0) logger.warn({ dropped }, 'the oldest alerts were dropped: too many wait');
    if (telling.deliveries.length > 0) deps.onAdded();
  };
  const tellAll = async (): Promise<number> => {
    await tellRuns(deps, sinks, write, state);
    await tellPause(deps, sinks, write);
    await tellSpent(deps, sinks, write);
    await tellDigest(deps, sinks, write);
    return LOOK_AGAIN_MS;
  };
  const looper = createLooper(clock, tellAll, (error) => {
    logger[failureLevel(error, 'warn')](
      { error: messageOf(error) },
      'what has happened cannot be told yet',
    );
  });
  return {
    nudge: looper.nudge,
    async close() {
      state.closed = true;
      await looper.close();
    },
  };
}

type Sinks = ReadonlyMap<string, SinkRules>;
type Write = (telling: Telling) => Promise<void>;

async function tellRuns(
  deps: TellerDeps,
  sinks: Sinks,
  write: Write,
  state: { readonly closed: boolean },
): Promise<void> {
  const timeSlice = createTimeSlice(deps.clock);
  for (let more = true; more && !state.closed; ) {
    const runs = await deps.store.untold(AT_ONCE);
    const quiet: string[] = [];
    for (const run of runs) {
      if (state.closed) break;
      if (!(await tellRun(deps, sinks, write, run))) quiet.push(run.id);
      await timeSlice.yieldToEventLoop();
    }
    if (quiet.length > 0) await write({ runs: quiet, of: null, deliveries: [], marks: [] });
    more = runs.length === AT_ONCE;
  }
}

async function tellRun(
  deps: TellerDeps,
  sinks: Sinks,
  write: Write,
  run: EndedRun,
): Promise<boolean> {
  const { clock, store } = deps;
  const type = alertTypeOf(run.outcome);
  if (type === null || run.endedAt < clock.now() - GIVE_UP_AFTER_MS) return false;
  if (type === 'recovered' && run.endedAt >= clock.now() - LATELY_MS) deps.onSuccess();
  const lost = type === 'missed' ? lostServerIn(run.reason) : null;
  if (lost !== null) return tellLoss(deps, sinks, write, run, lost);
  const failures = type === 'failed' ? await store.failuresUpTo(run, MOST_COUNTED) : 0;
  const alerts = alertsOf(run, type, failures);
  const telling = compose(deps, sinks, run, alerts, await store.marks(run));
  if (telling.deliveries.length === 0) return false;
  await write({ ...telling, runs: [run.id] });
  return true;
}

// However many triggers have missed slots for it, a server is lost once.
async function tellLoss(
  deps: TellerDeps,
  sinks: Sinks,
  write: Write,
  run: EndedRun,
  server: string,
): Promise<boolean> {
  const of: TriggerOf = { ...EVERYTHING, trigger: `server ${server}` };
  const marks = await deps.store.marks(of);
  const known = new Set(marks.map(({ sink }) => sink));
  const others = new Map([...sinks].filter(([sink]) => !known.has(sink)));
  const telling = compose(deps, others, of, [alertOfLoss(run)], []);
  if (telling.deliveries.length === 0) return false;
  await write({ ...telling, runs: [run.id] });
  return true;
}

async function tellPause(deps: TellerDeps, sinks: Sinks, write: Write): Promise<void> {
  const pause = await deps.store.untoldPause();
  if (pause === null) return;
  const marks = await deps.store.marks(EVERYTHING);
  const telling = compose(deps, sinks, EVERYTHING, [alertOfPause(pause)], marks);
  await write({ ...telling, pauseAt: pause.at });
}

async function tellSpent(deps: TellerDeps, sinks: Sinks, write: Write): Promise<void> {
  const oldest = deps.clock.now() - GIVE_UP_AFTER_MS;
  for (const note of await deps.store.untoldSpent()) {
    const alerts = note.at < oldest ? [] : [alertOfSpent(note)];
    const { project, trigger } = note;
    const of = { ...EVERYTHING, project: project ?? '', trigger: trigger ?? '' };
    const telling = compose(deps, sinks, of, alerts, await deps.store.marks(of));
    await write({ ...telling, spent: [note] });
  }
}

async function tellDigest(deps: TellerDeps, sinks: Sinks, write: Write): Promise<void> {
  const now = deps.clock.now();
  const told = await deps.store.digestAt();
  const to = deps.digest.slot(now);
  if (told === to) return;
  const readers = [...sinks].flatMap(([id, { on }]) => (on.includes('digest') ? id : []));
  // One of the future was noted before somebody set the clock back.
  const isDue = told !== null && told < to && readers.length > 0;
  const data = isDue ? await deps.digest.data(told, to) : null;
  const deliveries = data === null ? [] : digestDeliveries(readers, data, now);
  await write({ runs: [], of: null, deliveries, marks: [], digestAt: to });
}

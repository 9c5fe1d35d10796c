import { failureLevel, messageOf } from '@svc/core';
import { nextAttempt } from './backoff.ts';
import { createLooper } from './looper.ts';
import type { AlertStore, Delivery, LastTry, Sink } from './ports.ts';
import { createTester, createTrials, type Tester, type TrialDeps, type Trials } from './trials.ts';

/** What came of the try of one delivery. */
type TryResult = 'delivered' | 'failed' | 'given_up';

export interface LaneDeps extends TrialDeps {
  readonly store: TrialDeps['store'] & Pick<AlertStore, 'due' | 'nextDue' | 'tried'>;
  readonly onTried: (sink: string, result: TryResult) => void;
}

/** The deliveries of one sink, one after the other. */
export interface Lane {
  readonly last: LastTry | null;
  /** Begins to deliver; again: looks at once whether something is due, by how the newest try went, whoever tried. */
  start(): Promise<void>;
  /** Looks whether something is due. */
  nudge(): void;
  test: Tester['test'];
  /** Ends a try that is going on, which counts for nothing. */
  close(): Promise<void>;
}

// A sink that is down is asked for one delivery at a time, however many wait.
const REST_MS = 5000;
const AT_ONCE = 100;

export function createLane(deps: LaneDeps, id: string, sink: Sink): Lane {
  const { clock, logger, store } = deps;
  const stop = new AbortController();
  const trials = createTrials(deps, id, sink, stop.signal);
  const tester = createTester(deps, id, trials, stop.signal);
  let isStarted = false;
  let restsUntil = Number.NEGATIVE_INFINITY;
  const round = async (): Promise<void> => {
    for (let more = true; more; ) {
      const due = await store.due(id, clock.now(), AT_ONCE);
      const came = await deliverAll(deps, id, trials, due, stop.signal);
      if (came === 'failed') restsUntil = clock.mono() + REST_MS;
      // The others that have waited come before what is newer.
      more = came === 'again' || (came === 'sent' && due.length === AT_ONCE);
    }
  };
  const work = async (): Promise<number | null> => {
    if (trials.last?.ok !== false || clock.mono() >= restsUntil) await round();
    const next = await store.nextDue(id);
    return next === null ? null : Math.max(next - clock.now(), restsUntil - clock.mono(), 0);
  };
  const looper = createLooper(clock, work, (error) => {
    logger[failureLevel(error, 'warn')](
      { sink: id, error: messageOf(error) },
      'deliveries of alerts must wait',
    );
  });
  return {
    get last() {
      return trials.last;
    },
    async start() {
      await trials.start();
      isStarted = true;
      looper.nudge();
    },
    nudge: looper.nudge,
    async test() {
      // Somebody else delivers then, and knows how the newest try went.
      if (!isStarted) await trials.start();
      const tried = await tester.test();
      if (isStarted) looper.nudge();
      return tried;
    },
    async close() {
      stop.abort();
      await Promise.all([looper.close(), tester.close()]);
    },
  };
}

type Came = 'sent' | 'again' | 'failed' | 'stopped';

/** One after the other, for as long as all is as it was. */
async function deliverAll(
  deps: LaneDeps,
  sink: string,
  trials: Trials,
  due: readonly Delivery[],
  stop: AbortSignal,
): Promise<Came> {
  for (const delivery of due) {
    const came = await deliver(deps, sink, trials, delivery, stop);
    if (came !== 'sent') return came;
  }
  return 'sent';
}

/** `again`: it was the first one that a sink took which had failed before. */
async function deliver(
  { clock, logger, store, onTried }: LaneDeps,
  sink: string,
  trials: Trials,
  delivery: Delivery,
  stop: AbortSignal,
): Promise<Came> {
  if (stop.aborted) return 'stopped';
  const tried = await trials.send(delivery);
  if (stop.aborted && !tried.ok) return 'stopped';
  const { attempts, addedAt, type } = delivery;
  const nextAt = tried.ok ? null : nextAttempt(addedAt, attempts + 1, clock.now());
  await store.tried(delivery.id, tried, nextAt);
  const works = await trials.note(tried);
  onTried(sink, tried.ok ? 'delivered' : nextAt === null ? 'given_up' : 'failed');
  if (tried.ok) return works ? 'again' : 'sent';
  if (nextAt === null) {
    logger.warn({ sink, type, error: tried.error }, 'an alert was given up after a day');
  }
  return 'failed';
}

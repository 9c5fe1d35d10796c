import { failureLevel, messageOf } from '@svc/core';
import { nextAttempt } from './backoff.ts';
import { createPoller } from './poller.ts';
import type { AlertStore, Delivery, LastTry, Sink } from './ports.ts';
import { createTester, createTrials, type Tester, type TrialDeps, type Trials } from './trials.ts';

/** The result of attempting one delivery. */
type TryResult = 'delivered' | 'failed' | 'given_up';

export interface SinkQueueDeps extends TrialDeps {
  readonly store: TrialDeps['store'] & Pick<AlertStore, 'due' | 'nextDue' | 'tried'>;
  readonly onTried: (sink: string, result: TryResult) => void;
}

/** The deliveries of one sink, sent one at a time. */
export interface SinkQueue {
  readonly last: LastTry | null;
  /**
   * Starts to deliver. Called again, it checks immediately for due deliveries, based on the newest attempt of any
   * process.
   */
  start(): Promise<void>;
  /** Checks for due deliveries. */
  nudge(): void;
  test: Tester['test'];
  /** Aborts the current attempt, which is not counted. */
  close(): Promise<void>;
}

// A failing sink gets one delivery at a time, regardless of how many are waiting.
const REST_MS = 5000;
const AT_ONCE = 100;

export function createSinkQueue(deps: SinkQueueDeps, id: string, sink: Sink): SinkQueue {
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
      // Older deliveries that have waited are sent before newer ones.
      more = came === 'again' || (came === 'sent' && due.length === AT_ONCE);
    }
  };
  const work = async (): Promise<number | null> => {
    if (trials.last?.ok !== false || clock.mono() >= restsUntil) await round();
    const next = await store.nextDue(id);
    return next === null ? null : Math.max(next - clock.now(), restsUntil - clock.mono(), 0);
  };
  const poller = createPoller(clock, work, (error) => {
    logger[failureLevel(error, 'warn')](
      { sink: id, error: messageOf(error) },
      'cannot process alert deliveries',
    );
  });
  return {
    get last() {
      return trials.last;
    },
    async start() {
      await trials.start();
      isStarted = true;
      poller.nudge();
    },
    nudge: poller.nudge,
    async test() {
      // Another process delivers in this case and knows the result of the newest attempt.
      if (!isStarted) await trials.start();
      const tried = await tester.test();
      if (isStarted) poller.nudge();
      return tried;
    },
    async close() {
      stop.abort();
      await Promise.all([poller.close(), tester.close()]);
    },
  };
}

type Came = 'sent' | 'again' | 'failed' | 'stopped';

/** Sends deliveries one at a time while the state of the sink stays the same. */
async function deliverAll(
  deps: SinkQueueDeps,
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

/** Returns `again` for the first success of a sink that was failing. */
async function deliver(
  { clock, logger, store, onTried }: SinkQueueDeps,
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
    logger.warn({ sink, type, error: tried.error }, 'alert abandoned after a day');
  }
  return 'failed';
}

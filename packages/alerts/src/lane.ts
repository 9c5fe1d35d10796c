import { type Clock, type Logger, messageOf } from '@svc/core';
import { nextAttempt } from './backoff.ts';
import { createLooper } from './looper.ts';
import type { AlertStore, Delivery, LastTry, Sink } from './ports.ts';

/** What came of the try of one delivery. */
type TryResult = 'delivered' | 'failed' | 'given_up';

export interface LaneDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<AlertStore, 'due' | 'nextDue' | 'tried' | 'lastTry'>;
  readonly onTried: (sink: string, result: TryResult) => void;
}

/** The deliveries of one sink, one after the other. */
export interface Lane {
  readonly last: LastTry | null;
  start(): Promise<void>;
  /** Looks whether something is due. */
  nudge(): void;
  /** Ends a try that is going on, which counts for nothing. */
  close(): Promise<void>;
}

// A sink that is down is asked for one delivery at a time, however many wait.
const REST_MS = 5000;
const AT_ONCE = 100;

export function createLane(deps: LaneDeps, id: string, sink: Sink): Lane {
  const { clock, logger, store } = deps;
  const stop = new AbortController();
  let last: LastTry | null = null;
  let restsUntil = Number.NEGATIVE_INFINITY;
  const deliver = async (delivery: Delivery): Promise<boolean> => {
    const sent = await sink.send(delivery, stop.signal);
    if (stop.signal.aborted && !sent.ok) return false;
    const at = clock.now();
    const nextAt = sent.ok ? null : nextAttempt(delivery.addedAt, delivery.attempts + 1, at);
    const tried = { at, ok: sent.ok, error: sent.ok ? null : sent.error };
    await store.tried(delivery.id, tried, nextAt);
    tellChange(logger, id, last, tried);
    last = tried;
    deps.onTried(id, sent.ok ? 'delivered' : nextAt === null ? 'given_up' : 'failed');
    return sent.ok;
  };
  const round = async (): Promise<void> => {
    for (let more = true; more; ) {
      const due = await store.due(id, clock.now(), AT_ONCE);
      more = due.length === AT_ONCE;
      for (const delivery of due) {
        if (await deliver(delivery)) continue;
        restsUntil = clock.mono() + REST_MS;
        return;
      }
    }
  };
  const work = async (): Promise<number | null> => {
    if (clock.mono() >= restsUntil) await round();
    const next = await store.nextDue(id);
    return next === null ? null : Math.max(next - clock.now(), restsUntil - clock.mono(), 0);
  };
  const looper = createLooper(clock, work, (error) => {
    logger.warn({ sink: id, error: messageOf(error) }, 'deliveries of alerts must wait');
  });
  return {
    get last() {
      return last;
    },
    async start() {
      last = await store.lastTry(id);
      looper.nudge();
    },
    nudge: looper.nudge,
    async close() {
      stop.abort();
      await looper.close();
    },
  };
}

function tellChange(logger: Logger, sink: string, before: LastTry | null, { ok, error }: LastTry) {
  if (!ok && before?.ok !== false) logger.warn({ sink, error }, 'a sink of alerts is failing');
  if (ok && before?.ok === false) logger.info({ sink }, 'a sink of alerts works again');
}

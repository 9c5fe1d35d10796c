import { type Clock, type Logger, messageOf, newId } from '@svc/core';
import { bodyOf } from './alert.ts';
import { nextAttempt } from './backoff.ts';
import { createLooper } from './looper.ts';
import type { AlertStore, Delivery, LastTry, Sink } from './ports.ts';

/** What came of the try of one delivery. */
type TryResult = 'delivered' | 'failed' | 'given_up';

export interface LaneDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<AlertStore, 'due' | 'nextDue' | 'tried' | 'lastTry' | 'hasten' | 'addTried'>;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  readonly onTried: (sink: string, result: TryResult) => void;
}

/** The deliveries of one sink, one after the other. */
export interface Lane {
  readonly last: LastTry | null;
  start(): Promise<void>;
  /** Looks whether something is due. */
  nudge(): void;
  /** Tries the sink now with something that did not happen; whoever asks meanwhile gets the same answer. */
  test(): Promise<LastTry>;
  /** Ends a try that is going on, which counts for nothing. */
  close(): Promise<void>;
}

// A sink that is down is asked for one delivery at a time, however many wait.
const REST_MS = 5000;
const AT_ONCE = 100;
const TEST = { reason: 'This is a test: nothing has happened.' };

export function createLane(deps: LaneDeps, id: string, sink: Sink): Lane {
  const { clock, logger, store } = deps;
  const stop = new AbortController();
  let last: LastTry | null = null;
  let testing: Promise<LastTry> | null = null;
  let restsUntil = Number.NEGATIVE_INFINITY;
  const attempt = async (delivery: Pick<Delivery, 'id' | 'body'>): Promise<LastTry> => {
    const sent = await sink.send(delivery, stop.signal);
    return { at: clock.now(), ok: sent.ok, error: sent.ok ? null : deps.redact(sent.error) };
  };
  const note = async (tried: LastTry): Promise<void> => {
    const before = last;
    last = tried;
    if (!tried.ok && before?.ok !== false) {
      logger.warn({ sink: id, error: tried.error }, 'a sink of alerts is failing');
    }
    if (!tried.ok || before?.ok !== false) return;
    logger.info({ sink: id }, 'a sink of alerts works again');
    restsUntil = Number.NEGATIVE_INFINITY;
    await store.hasten(id, clock.now());
  };
  const deliver = async (delivery: Delivery): Promise<boolean> => {
    const tried = await attempt(delivery);
    if (stop.signal.aborted && !tried.ok) return false;
    const { attempts, addedAt, type } = delivery;
    const nextAt = tried.ok ? null : nextAttempt(addedAt, attempts + 1, tried.at);
    await store.tried(delivery.id, tried, nextAt);
    await note(tried);
    deps.onTried(id, tried.ok ? 'delivered' : nextAt === null ? 'given_up' : 'failed');
    if (!tried.ok && nextAt === null) {
      logger.warn({ sink: id, type, error: tried.error }, 'an alert was given up after a day');
    }
    return tried.ok;
  };
  const round = async (): Promise<void> => {
    for (let more = true; more; ) {
      const due = await store.due(id, clock.now(), AT_ONCE);
      more = due.length === AT_ONCE;
      for (const delivery of due) {
        if (stop.signal.aborted) return;
        const wasFailing = last?.ok === false;
        if (await deliver(delivery)) {
          // The others that have waited come before what is newer.
          if (wasFailing) return round();
          continue;
        }
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
  const testOnce = async (): Promise<LastTry> => {
    const webhookId = newId();
    const body = bodyOf('test', clock.now(), TEST);
    const tried = await attempt({ id: webhookId, body });
    if (stop.signal.aborted) return tried;
    await store.addTried({ id: webhookId, sink: id, body, ...tried });
    await note(tried);
    looper.nudge();
    return tried;
  };
  return {
    get last() {
      return last;
    },
    async start() {
      last = await store.lastTry(id);
      looper.nudge();
    },
    nudge: looper.nudge,
    test() {
      testing ??= testOnce().finally(() => {
        testing = null;
      });
      return testing;
    },
    async close() {
      stop.abort();
      await Promise.all([looper.close(), testing?.catch(() => {})]);
    },
  };
}

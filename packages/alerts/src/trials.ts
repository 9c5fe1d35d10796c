import { type Clock, type Logger, newId } from '@svc/core';
import { bodyOf } from './alert.ts';
import type { AlertStore, Delivery, LastTry, Sink } from './ports.ts';

export interface TrialDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<AlertStore, 'lastTry' | 'hasten' | 'addTried'>;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
}

/** The attempts of one sink, and the result of the newest one. */
export interface Trials {
  readonly last: LastTry | null;
  /** Loads the newest attempt of an earlier process. */
  start(): Promise<void>;
  /** Makes one attempt without recording it. */
  send(delivery: Pick<Delivery, 'id' | 'body'>): Promise<LastTry>;
  /** Records an attempt. If the sink has recovered, makes waiting deliveries due and returns true. */
  note(tried: LastTry): Promise<boolean>;
}

/** Sends test alerts to a sink. */
export interface Tester {
  /** Concurrent calls share one attempt. */
  test(): Promise<LastTry>;
  /** Waits for the current attempt. */
  close(): Promise<void>;
}

const TEST = { reason: 'This is a test alert. Nothing has happened.' };

export function createTrials(deps: TrialDeps, id: string, sink: Sink, stop: AbortSignal): Trials {
  const { clock, logger, store } = deps;
  let last: LastTry | null = null;
  return {
    get last() {
      return last;
    },
    async start() {
      last = await store.lastTry(id);
    },
    async send(delivery) {
      const sent = await sink.send(delivery, stop);
      return { at: clock.now(), ok: sent.ok, error: sent.ok ? null : deps.redact(sent.error) };
    },
    async note(tried) {
      const wasFailing = last?.ok === false;
      last = tried;
      if (tried.ok === !wasFailing) return false;
      if (!tried.ok) {
        logger.warn({ sink: id, error: tried.error }, 'alert sink failing');
        return false;
      }
      logger.info({ sink: id }, 'alert sink recovered');
      await store.hasten(id, clock.now());
      return true;
    },
  };
}

export function createTester(
  { clock, store }: Pick<TrialDeps, 'clock' | 'store'>,
  sink: string,
  trials: Pick<Trials, 'send' | 'note'>,
  stop: AbortSignal,
): Tester {
  let testing: Promise<LastTry> | null = null;
  const testOnce = async (): Promise<LastTry> => {
    const id = newId();
    const body = bodyOf('test', clock.now(), TEST);
    const tried = await trials.send({ id, body });
    if (stop.aborted) return tried;
    await store.addTried({ id, sink, body, ...tried });
    await trials.note(tried);
    return tried;
  };
  return {
    test() {
      testing ??= testOnce().finally(() => {
        testing = null;
      });
      return testing;
    },
    async close() {
      // The caller of `test` receives the error.
      await testing?.catch(() => {});
    },
  };
}

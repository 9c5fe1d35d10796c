import { type Clock, type Logger, newId } from '@svc/core';
import { bodyOf } from './alert.ts';
import type { AlertStore, Delivery, LastTry, Sink } from './ports.ts';

export interface TrialDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<AlertStore, 'lastTry' | 'hasten' | 'addTried'>;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** The tries of one sink, and how the newest one went. */
export interface Trials {
  readonly last: LastTry | null;
  /** Recalls the newest try of an earlier life. */
  start(): Promise<void>;
  /** Tries once; says nothing of it yet. */
  send(delivery: Pick<Delivery, 'id' | 'body'>): Promise<LastTry>;
  /** Notes a try; what waits is due at once where the sink works again, which it answers. */
  note(tried: LastTry): Promise<boolean>;
}

/** Tries a sink with something that did not happen. */
export interface Tester {
  /** Whoever asks while it is tried gets the same answer. */
  test(): Promise<LastTry>;
  /** Waits for a try that goes on. */
  close(): Promise<void>;
}

const TEST = { reason: 'This is a test: nothing has happened.' };

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
        logger.warn({ sink: id, error: tried.error }, 'a sink of alerts is failing');
        return false;
      }
      logger.info({ sink: id }, 'a sink of alerts works again');
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
      // Whoever has asked for it is told.
      await testing?.catch(() => {});
    },
  };
}

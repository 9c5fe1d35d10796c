import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import type { OpsDeps } from '../deps.ts';

const BEAT_MS = 30_000;
const RETRY_MS = 2000;

/** Writes down when the service is at work, so that it is known afterwards when it was not. */
export interface Heartbeat {
  start(): Promise<void>;
  /** Notes that it has stopped, and goes on trying to until `close` where that fails. Never rejects. */
  stop(): Promise<void>;
  close(): void;
}

export function createHeartbeat({
  store,
  clock,
  logger,
}: Pick<OpsDeps, 'store' | 'clock' | 'logger'>): Heartbeat {
  let timer: TimerHandle | null = null;
  let last = Promise.resolve();
  let retry: TimerHandle | null = null;
  const end = (at: number): Promise<void> => store.spans.end(at);
  // Until it is noted the others leave to this process what it looks after.
  const endLater = (at: number): void => {
    retry = clock.setTimeout(() => {
      end(at).catch(() => {
        if (retry !== null) endLater(at);
      });
    }, RETRY_MS);
  };
  const beat = (): void => {
    timer = clock.setTimeout(() => {
      // The store tells of a fault of the disk itself; the next beat tries again.
      last = store.spans.beat(clock.now()).catch(() => {});
      beat();
    }, BEAT_MS);
  };
  return {
    async start() {
      await store.spans.begin(clock.now());
      beat();
    },
    async stop() {
      if (timer === null) return;
      clock.clearTimeout(timer);
      timer = null;
      await last;
      const stoppedAt = clock.now();
      await end(stoppedAt).catch((error: unknown) => {
        logger[failureLevel(error, 'warn')](
          { error: messageOf(error) },
          'cannot record the stop time',
        );
        endLater(stoppedAt);
      });
    },
    close() {
      if (retry !== null) clock.clearTimeout(retry);
      retry = null;
    },
  };
}

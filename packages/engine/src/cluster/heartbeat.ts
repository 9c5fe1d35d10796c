import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import type { EngineDeps } from '../deps.ts';

const BEAT_MS = 30_000;
const RETRY_MS = 2000;

/** Records when the service is running, so that downtime is known afterwards. */
export interface Heartbeat {
  start(): Promise<void>;
  /** Records the stop, and retries until `close` if that fails. Never rejects. */
  stop(): Promise<void>;
  close(): void;
}

export function createHeartbeat({
  store,
  clock,
  logger,
}: Pick<EngineDeps, 'store' | 'clock' | 'logger'>): Heartbeat {
  let timer: TimerHandle | null = null;
  let last = Promise.resolve();
  let retry: TimerHandle | null = null;
  const end = (at: number): Promise<void> => store.spans.end(at);
  // Until this is recorded, other servers do not take over the projects of this one.
  const endLater = (at: number): void => {
    retry = clock.setTimeout(() => {
      end(at).catch(() => {
        if (retry !== null) endLater(at);
      });
    }, RETRY_MS);
  };
  const beat = (): void => {
    timer = clock.setTimeout(() => {
      // The store reports disk problems itself; the next heartbeat tries again.
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

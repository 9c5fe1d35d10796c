import type { Clock, Logger, TimerHandle } from '@svc/core';

/** What is wrong with a database. */
export interface Fault {
  readonly kind: string;
  /** One sentence that says what to do. */
  readonly sentence: string;
}

/** Whether the database can be written. */
export interface Health {
  /** Why it cannot, in one sentence; null while all is well. */
  readonly fault: string | null;
  /** To be called for every statement that failed for a reason of the disk, or of the server. */
  failed(fault: Fault): void;
  close(): void;
}

const PROBE_MS = 3000;

/**
 * Watches over the database: after a fault `probe` is called every 3 s until it does not fail any more. One that is damaged
 * stays so.
 */
export function createHealth(
  deps: { readonly clock: Clock; readonly logger: Logger },
  probe: () => Promise<void>,
): Health {
  let fault: string | null = null;
  let timer: TimerHandle | null = null;
  let closed = false;
  const later = (): void => {
    if (closed) return;
    timer = deps.clock.setTimeout(() => {
      probe().then(recovered, () => (damaged ? undefined : later()));
    }, PROBE_MS);
  };
  let damaged = false;
  const recovered = (): void => {
    timer = null;
    if (damaged) return;
    fault = null;
    deps.logger.info({}, 'the database can be written again');
  };
  return {
    get fault() {
      return fault;
    },
    failed({ kind, sentence }) {
      if (damaged) return;
      const isNews = fault !== sentence;
      const isWatched = fault !== null;
      fault = sentence;
      damaged = kind === 'damaged';
      if (isNews)
        deps.logger.error({ fault: kind, reason: sentence }, 'the database is not usable');
      if (!isWatched && !damaged) later();
    },
    close() {
      closed = true;
      if (timer !== null) deps.clock.clearTimeout(timer);
    },
  };
}

import type { Clock, Logger, TimerHandle } from '@svc/core';

/** A problem of a database. */
export interface Fault {
  readonly kind: string;
  /** Whether the database server is unreachable or down. Default: false. */
  readonly isAway?: boolean;
  /** What is wrong and how to fix it, in one sentence. */
  readonly sentence: string;
}

/** Whether the database can be written. */
export interface Health {
  /** Why it cannot, in one sentence; null if it can. */
  readonly fault: string | null;
  /** Called for every statement that failed because of the disk or the server. */
  failed(fault: Fault): void;
  /** If there is a problem, checks now whether it is over. */
  look(): void;
  close(): void;
}

const PROBE_MS = 3000;

interface Trouble {
  readonly fault: Fault;
  /** In monotonic time. */
  readonly since: number;
}

/**
 * Monitors a database. After a problem, `probe` is called every 3 s until it succeeds. Damage is permanent. Each
 * problem is logged once, and once when all of them are over.
 */
export function createHealth(
  deps: { readonly clock: Clock; readonly logger: Logger },
  probe: () => Promise<void>,
): Health {
  const { clock, logger } = deps;
  let trouble: Trouble | null = null;
  let timer: TimerHandle | null = null;
  let closed = false;
  let isProbing = false;
  const isDamaged = (): boolean => trouble?.fault.kind === 'damaged';
  const later = (): void => {
    if (closed || isDamaged()) return;
    timer = clock.setTimeout(look, PROBE_MS);
  };
  const look = (): void => {
    if (timer !== null) clock.clearTimeout(timer);
    timer = null;
    if (closed || isProbing || trouble === null || isDamaged()) return;
    isProbing = true;
    void probe()
      .then(recovered, later)
      .finally(() => {
        isProbing = false;
      });
  };
  const recovered = (): void => {
    if (trouble === null || isDamaged()) return;
    const seconds = Math.round(clock.mono() - trouble.since) / 1000;
    trouble = null;
    logger.info({ seconds }, 'database writable again');
  };
  return {
    get fault() {
      return trouble?.fault.sentence ?? null;
    },
    failed(fault) {
      if (isDamaged()) return;
      const before = trouble;
      trouble = { fault, since: before?.since ?? clock.mono() };
      if (before === null || !isSame(before.fault, fault)) {
        const fields = { fault: fault.kind, reason: fault.sentence };
        logger.error(fields, 'database unavailable');
      }
      if (before === null) later();
    },
    look,
    close() {
      closed = true;
      if (timer !== null) clock.clearTimeout(timer);
    },
  };
}

// A server that goes down and comes back causes several errors, which count as one problem.
function isSame(before: Fault, { kind, isAway }: Fault): boolean {
  return before.kind === kind || (before.isAway === true && isAway === true);
}

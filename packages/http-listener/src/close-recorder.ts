import type { Clock, Logger } from '@svc/core';

/**
 * Why a connection was closed without an answer: too many connections, too many from its address, or too many requests on it.
 */
export type CloseReason = 'total' | 'address' | 'requests';

/** Records that a connection was closed. */
export type OnClosed = (reason: CloseReason, address: string | undefined) => void;

const LOG_INTERVAL_MS = 60_000;

const MESSAGES: Readonly<Record<CloseReason, string>> = {
  total: 'rejecting connections, limit reached',
  address: 'rejecting connections, limit per address reached',
  requests: 'connection closed, too many pipelined requests',
};

/** Creates the recorder: it counts every closed connection, and logs at most one line a minute for each reason. */
export function createCloseRecorder(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  count: (reason: CloseReason) => void,
): OnClosed {
  const kinds = new Map<CloseReason, { loggedAt: number; times: number }>();
  return (reason, address) => {
    count(reason);
    const kind = kinds.get(reason) ?? { loggedAt: Number.NEGATIVE_INFINITY, times: 0 };
    kinds.set(reason, kind);
    kind.times += 1;
    if (clock.mono() - kind.loggedAt < LOG_INTERVAL_MS) return;
    logger.warn({ address: address ?? null, times: kind.times }, MESSAGES[reason]);
    kind.loggedAt = clock.mono();
    kind.times = 0;
  };
}

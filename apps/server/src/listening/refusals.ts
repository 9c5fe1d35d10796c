import type { Clock, Logger } from '@svc/core';

/** Why a connection was closed without an answer: too many of them, from one address, or of requests on it. */
export type ClosedFor = 'total' | 'address' | 'requests';

/** Notes that a connection was closed. */
export type NoteClosed = (reason: ClosedFor, address: string | undefined) => void;

const QUIET_MS = 60_000;

const MESSAGES: Readonly<Record<ClosedFor, string>> = {
  total: 'rejecting connections, limit reached',
  address: 'rejecting connections, limit per address reached',
  requests: 'connection closed, too many pipelined requests',
};

/** Makes the note: every one is counted, and one of each kind a minute is a line in the log, with how many there were. */
export function createNoteClosed(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  count: (reason: ClosedFor) => void,
): NoteClosed {
  const kinds = new Map<ClosedFor, { loggedAt: number; times: number }>();
  return (reason, address) => {
    count(reason);
    const kind = kinds.get(reason) ?? { loggedAt: Number.NEGATIVE_INFINITY, times: 0 };
    kinds.set(reason, kind);
    kind.times += 1;
    if (clock.mono() - kind.loggedAt < QUIET_MS) return;
    logger.warn({ address: address ?? null, times: kind.times }, MESSAGES[reason]);
    kind.loggedAt = clock.mono();
    kind.times = 0;
  };
}

import { isLoopbackAddress } from '@svc/core';
import type { HttpLimits } from './http-limits.ts';

/** The limit that rejects a connection: of its address, or of all addresses. */
type ExceededLimit = 'address' | 'total';

/** Counts connections against the limits. */
export interface ConnectionCounter {
  /** Counts a connection; returns the exceeded limit, or null if it is accepted. */
  add(address: string): ExceededLimit | null;
  /** Releases an accepted connection. */
  remove(address: string): void;
  readonly count: number;
}

/** Creates a counter with a total limit, a limit for each address, and a reserve for this machine. */
export function createConnectionCounter(
  limits: Pick<HttpLimits, 'connections' | 'loopbackReserve' | 'connectionsPerAddress'>,
): ConnectionCounter {
  const byAddress = new Map<string, number>();
  let count = 0;
  return {
    add(address) {
      const reserved = isLoopbackAddress(address) ? 0 : limits.loopbackReserve;
      if (count >= limits.connections - reserved) return 'total';
      const own = byAddress.get(address) ?? 0;
      if (own >= limits.connectionsPerAddress) return 'address';
      byAddress.set(address, own + 1);
      count += 1;
      return null;
    },
    remove(address) {
      const left = (byAddress.get(address) ?? 0) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
      count -= 1;
    },
    get count() {
      return count;
    },
  };
}

import { isLoopbackAddress } from '@svc/core';
import type { HttpBounds } from './bounds.ts';

/** The limit that rejects a connection: of its address, or of all addresses. */
type NoPlace = 'address' | 'total';

/** Counts connections against the limits. */
export interface Places {
  /** Counts a connection; returns the exceeded limit, or null if it is accepted. */
  take(address: string): NoPlace | null;
  /** Releases an accepted connection. */
  leave(address: string): void;
  readonly taken: number;
}

/** Creates a counter with a total limit, a limit for each address, and a reserve for this machine. */
export function createPlaces(
  bounds: Pick<HttpBounds, 'connections' | 'loopbackReserve' | 'connectionsPerAddress'>,
): Places {
  const byAddress = new Map<string, number>();
  let taken = 0;
  return {
    take(address) {
      const reserved = isLoopbackAddress(address) ? 0 : bounds.loopbackReserve;
      if (taken >= bounds.connections - reserved) return 'total';
      const own = byAddress.get(address) ?? 0;
      if (own >= bounds.connectionsPerAddress) return 'address';
      byAddress.set(address, own + 1);
      taken += 1;
      return null;
    },
    leave(address) {
      const left = (byAddress.get(address) ?? 0) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
      taken -= 1;
    },
    get taken() {
      return taken;
    },
  };
}

import { isLoopbackAddress } from '@svc/core';
import type { HttpBounds } from './bounds.ts';

/** Why there is no place for a connection. */
type NoPlace = 'address' | 'total';

/** Counts connections against their bounds. */
export interface Places {
  /** Takes a place for a peer; null where it got one. */
  take(address: string): NoPlace | null;
  /** Gives a place back that was taken. */
  leave(address: string): void;
  readonly taken: number;
}

/** Makes the count: so many places in all, so many for one address, and some that only this machine may use. */
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

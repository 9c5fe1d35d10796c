import { isPublicAddress } from './address.ts';

// Azure serves its virtual machines from this address of the public range. It is reachable only from inside.
const PLATFORM_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** Whether an IP address is public and not a service of the cloud platform for this machine. */
export function isPublicDestination(address: string): boolean {
  return isPublicAddress(address) && !PLATFORM_ADDRESSES.has(address);
}

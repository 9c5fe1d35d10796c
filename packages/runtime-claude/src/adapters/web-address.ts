import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '@svc/sandbox';

/** Why a URL must not be fetched; null if its host has only public addresses, or none. */
export async function webAddressProblem(url: string): Promise<string | null> {
  if (!URL.canParse(url)) return null;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.every(({ address }) => isPublicAddress(address))
    ? null
    : `${host} is not a public address.`;
}

import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '@svc/agent-runtime';

/** Why an address of the web must not be fetched; null where it leads to public addresses alone, or nowhere. */
export async function webFault(url: string): Promise<string | null> {
  if (!URL.canParse(url)) return null;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.every(({ address }) => isPublicAddress(address))
    ? null
    : `${host} is not a public address.`;
}

import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Finds all addresses of a normalized host name. Rejects if they cannot be found; `signal` ends the search. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Where to look names up. The defaults are those of the system. */
export interface HostResolverOptions {
  /** Addresses of name servers, with a port or without. Default: those of `/etc/resolv.conf`. */
  readonly servers?: readonly string[];
  /** File with addresses and their names. Default: `/etc/hosts`. */
  readonly hostsFile?: string;
}

// Two requests of 2 s and 4 s are enough to find the other addresses if a name server ignores one kind.
const QUERY = { timeout: 2000, tries: 2 } as const;
const NO_DATA: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Creates a resolver that asks the hosts file and then the name servers of the system.
 *
 * `lookup` of Node would run in the thread pool, at most half of which takes lookups. Two names whose servers do not
 * answer would hold up every lookup of this process, for longer than anything waits for them. These lookups take no
 * thread, and they end with their signal.
 */
export function createHostResolver({
  servers,
  hostsFile = '/etc/hosts',
}: HostResolverOptions = {}): ResolveHost {
  return async (host, signal) => {
    const listed = addressesOf(await readHosts(hostsFile), host);
    if (listed.length > 0) return listed;
    const resolver = new Resolver(QUERY);
    if (servers !== undefined) resolver.setServers(servers);
    const stop = (): void => resolver.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      return await allAddresses(resolver, host);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}

async function allAddresses(resolver: Resolver, host: string): Promise<readonly string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  // A name without addresses of one kind may have addresses of the other kind, which could not be found.
  const worst = errors.find(({ code }) => !NO_DATA.has(code)) ?? errors[0];
  if (worst?.code === 'ENODATA') return [];
  throw worst;
}

async function readHosts(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function addressesOf(hosts: string, host: string): readonly string[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const named = names.some((name) => name.toLowerCase().replace(/\.$/, '') === host);
    return named && isIP(address) !== 0 ? [address] : [];
  });
}

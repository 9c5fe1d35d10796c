import { isLoopbackName } from '@svc/core';
import { ProxyFault, type ProxyOptions } from '../proxy.ts';

/**
 * A `fetch` that goes through a proxy, but for addresses of this machine and hosts that `noProxy` lists. Without a proxy it
 * is the one of Node. It rejects with a `ProxyFault` where the proxy may be the reason.
 */
export function createProxiedFetch(proxy: ProxyOptions | null): typeof fetch {
  if (proxy === null) return fetch;
  let loading: Promise<typeof fetch> | null = null;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (leadsHere(url.hostname)) return fetch(input, init);
    loading ??= fetchThrough(proxy);
    const through = await loading;
    try {
      return await through(url.href, init);
    } catch (error) {
      if (init?.signal?.aborted === true) throw error;
      throw new ProxyFault(error);
    }
  };
}

// A URL has one spelling for each address. What connects to the unspecified address reaches this machine; a dot at the end
// of a name only says that it is complete.
function leadsHere(hostname: string): boolean {
  return UNSPECIFIED.has(hostname) || isLoopbackName(hostname.replace(/\.$/, ''));
}

const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]']);

// Its own fetch too: that of another version of Node takes other dispatchers.
async function fetchThrough({ http, https, noProxy }: ProxyOptions): Promise<typeof fetch> {
  for (const address of [http, https]) {
    const protocol = address === null || !URL.canParse(address) ? null : new URL(address).protocol;
    if (address !== null && !/^https?:$/.test(protocol ?? '')) throw new ProxyFault(null);
  }
  const undici = await import('undici');
  // What is not given here is taken from the environment of this process.
  const dispatcher = new undici.EnvHttpProxyAgent({
    httpProxy: http ?? '',
    httpsProxy: https ?? '',
    noProxy: noProxy ?? '',
  });
  const through = (url: string, init: object | undefined) =>
    undici.fetch(url, { ...init, dispatcher });
  return through as unknown as typeof fetch;
}

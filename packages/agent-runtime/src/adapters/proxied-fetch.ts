import { isLoopbackName } from '@svc/core';
import { ProxyFault, type ProxyOptions } from '../proxy.ts';

/**
 * A `fetch` that uses a proxy, except for addresses of this machine and hosts in `noProxy`. Without a proxy it is that
 * of Node. It rejects with a `ProxyFault` if the proxy may be the cause.
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

// URL parsing normalizes addresses. The unspecified address connects to this machine. A trailing dot only marks a name
// as complete.
function leadsHere(hostname: string): boolean {
  return UNSPECIFIED.has(hostname) || isLoopbackName(hostname.replace(/\.$/, ''));
}

const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]']);

// Uses the fetch of undici too, because Node's own fetch may expect another dispatcher version.
async function fetchThrough({ http, https, noProxy }: ProxyOptions): Promise<typeof fetch> {
  for (const address of [http, https]) {
    const protocol = address === null || !URL.canParse(address) ? null : new URL(address).protocol;
    if (address !== null && !/^https?:$/.test(protocol ?? '')) throw new ProxyFault(null);
  }
  // A bundle exports the members of a CommonJS module only through its default export.
  const { default: undici } = await import('undici');
  // Every option is set, because missing ones are read from the environment of this process.
  const given = { httpProxy: http ?? '', httpsProxy: https ?? '', noProxy: noProxy ?? '' };
  const dispatcher = withoutWarning('UNDICI-EHPA', () => new undici.EnvHttpProxyAgent(given));
  const through = (url: string, init: object | undefined) =>
    undici.fetch(url, { ...init, dispatcher });
  return through as unknown as typeof fetch;
}

// undici warns that its class is experimental, which users can do nothing about.
function withoutWarning<T>(code: string, create: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = (...args: unknown[]): void => {
    const options = args[1] as { readonly code?: unknown } | null | undefined;
    if (options?.code !== code) Reflect.apply(emitWarning, process, args);
  };
  try {
    return create();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Proxies for requests to models, as in the usual environment variables. */
export interface ProxyOptions {
  /** `HTTP_PROXY`: address of the proxy for http addresses, `http://HOST:PORT`; null for none. */
  readonly http: string | null;
  /** `HTTPS_PROXY`: the same for https addresses; null: `http` counts. */
  readonly https: string | null;
  /**
   * `NO_PROXY`: hosts that bypass the proxy, including their subdomains, separated by commas; `*` for all; null for
   * none.
   */
  readonly noProxy: string | null;
}

/** A request through a proxy failed. Without a cause, the address of the proxy is invalid. */
export class ProxyFault extends Error {
  constructor(cause: unknown) {
    super('The request through the proxy failed.', { cause });
  }
}

/** Reads the proxy variables, lower case first; null if none is set. */
export function proxyOf(variable: (name: string) => string | null): ProxyOptions | null {
  const either = (name: string): string | null => variable(name.toLowerCase()) ?? variable(name);
  const [http, https] = [either('HTTP_PROXY'), either('HTTPS_PROXY')];
  return http === null && https === null ? null : { http, https, noProxy: either('NO_PROXY') };
}

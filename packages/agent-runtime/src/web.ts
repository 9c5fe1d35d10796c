import type { Result } from '@svc/core';

/** Why a page was not fetched. `refused`: its address is not allowed. `failed`: an error occurred. */
export interface WebFault {
  readonly kind: 'refused' | 'failed';
  readonly reason: string;
}

/** An answer over HTTP. */
export interface WebPage {
  /** Address after redirects. */
  readonly url: string;
  readonly status: number;
  /** Media type without parameters, in lower case; `''` for none. */
  readonly type: string;
  readonly body: string;
}

/** Fetches web pages. */
export interface Web {
  get(url: string, signal: AbortSignal): Promise<Result<WebPage, WebFault>>;
}

/** Which web addresses may be fetched. */
export interface WebOptions {
  /**
   * Host names or addresses (`intranet.example`, `127.0.0.1`, `[::1]`) that may be fetched even if they are not public.
   * Default none.
   */
  readonly allowHosts?: readonly string[];
}

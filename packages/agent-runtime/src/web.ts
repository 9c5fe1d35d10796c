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

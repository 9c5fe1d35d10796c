import type { ManagementConfig } from './config.ts';
import { metadataUrl } from './metadata.ts';

/** A response that refuses a request, ready to be written. */
export interface Refusal {
  readonly ok: false;
  readonly status: 404 | 403 | 401 | 429;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** The endpoint is disabled. */
export const notFound: Refusal = refusal(404, { error: 'not found' });

/** The request crossed a network unencrypted. */
export const insecure: Refusal = refusal(403, {
  error: 'Use https: a token must not cross a network in plain text.',
  code: 'insecure_transport',
});

/** No valid token; the challenge describes how to authenticate (RFC 6750 section 3, RFC 9728 section 5.1). */
export function unauthorized(config: ManagementConfig, presented: boolean): Refusal {
  const url = metadataUrl(config);
  const parts = ['Bearer realm="svc"'];
  if (presented) {
    parts.push('error="invalid_token"', `error_description="${DESCRIPTION}"`);
  }
  if (url !== null) parts.push(`resource_metadata="${url}"`);
  const body = {
    error: 'Send a token of a configured client: Authorization: Bearer <token>.',
    code: 'auth_required',
  };
  return refusal(401, body, { 'www-authenticate': parts.join(', ') });
}

const DESCRIPTION = 'The token is malformed or not a token of this instance';

/** Too many wrong credentials; `waitMs` is the time until the next try. */
export function throttled(waitMs: number): Refusal {
  const error = { code: -32000, message: 'Too many wrong credentials: try again later.' };
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
  return refusal(429, { jsonrpc: '2.0', error, id: null }, headers);
}

function refusal(
  status: Refusal['status'],
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return {
    ok: false,
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

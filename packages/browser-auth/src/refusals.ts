import type { GateRefusal } from './gate.ts';
import type { AuthMode } from './identity.ts';

/** Why a request is refused, ready to be sent. */
export interface AuthRefusal {
  readonly status: 401 | 403 | 409 | 429 | 503;
  readonly code:
    | GateRefusal['code']
    | 'auth_required'
    | 'not_permitted'
    | 'conflict'
    | 'too_many_requests'
    | 'unavailable';
  /** What is wrong and how to fix it, in one sentence. */
  readonly error: string;
  readonly headers: Readonly<Record<string, string>>;
}

const HOW: Readonly<Record<AuthMode, string>> = {
  unset: 'Connect from the machine that svc runs on.',
  none: 'Try again.',
  token: 'Sign in through the web UI, or send the access token: Authorization: Bearer <token>.',
  'trusted-header':
    'Connect through the proxy that signs users in. Its headers are accepted only from peers in auth.trustedProxies.',
  jwt: 'Sign in at the identity provider, and send its token: Authorization: Bearer <token>.',
};

/** The request identifies no user; the challenge follows RFC 6750, section 3. */
export function signInFirst(mode: AuthMode, presented: boolean): AuthRefusal {
  const challenge = presented ? 'Bearer realm="svc", error="invalid_token"' : 'Bearer realm="svc"';
  const headers = { 'WWW-Authenticate': challenge };
  return { status: 401, code: 'auth_required', error: HOW[mode], headers };
}

export const WRONG_TOKEN: AuthRefusal = {
  status: 401,
  code: 'auth_required',
  error: 'Wrong access token. Use the token that auth.tokenRef refers to.',
  headers: { 'WWW-Authenticate': 'Bearer realm="svc", error="invalid_token"' },
};

export const WITHOUT_ROLE: AuthRefusal = {
  status: 403,
  code: 'not_permitted',
  error:
    'None of your roles grants access to this instance. Ask its administrator to change auth.roles.',
  headers: {},
};

export const NO_SIGN_IN: AuthRefusal = {
  status: 409,
  code: 'conflict',
  error: 'Signing in with a token requires auth.mode: token.',
  headers: {},
};

/** Too many wrong tokens; `waitMs` is the time until the next attempt is accepted. */
export function tooMany(waitMs: number): AuthRefusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return {
    status: 429,
    code: 'too_many_requests',
    error: `Too many wrong tokens from your address. Try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  };
}

export const KEYS_MISSING: AuthRefusal = {
  status: 503,
  code: 'unavailable',
  error: 'The keys of the identity provider are unavailable. Try again in a moment.',
  headers: { 'Retry-After': '5' },
};

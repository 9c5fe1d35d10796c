import type { GateRefusal } from './gate.ts';
import type { AuthMode } from './identity.ts';

/** Why a request is not answered, ready to be told. */
export interface AuthRefusal {
  readonly status: 401 | 403 | 409 | 429 | 503;
  readonly code:
    | GateRefusal['code']
    | 'auth_required'
    | 'not_permitted'
    | 'conflict'
    | 'too_many_requests'
    | 'unavailable';
  /** One sentence that says what to do. */
  readonly error: string;
  readonly headers: Readonly<Record<string, string>>;
}

const HOW: Readonly<Record<AuthMode, string>> = {
  unset: 'Ask from the machine of the service.',
  none: 'Ask again.',
  token: 'Sign in on the page, or send the access token: Authorization: Bearer <token>.',
  'trusted-header':
    'Come by the proxy that signs people in: what it says is believed from the peers in auth.trustedProxies alone.',
  jwt: 'Sign in at the identity provider, and send its token: Authorization: Bearer <token>.',
};

/** Nobody is known by what the request shows; the challenge is that of RFC 6750, section 3. */
export function signInFirst(mode: AuthMode, presented: boolean): AuthRefusal {
  const challenge = presented ? 'Bearer realm="svc", error="invalid_token"' : 'Bearer realm="svc"';
  const headers = { 'WWW-Authenticate': challenge };
  return { status: 401, code: 'auth_required', error: HOW[mode], headers };
}

export const WRONG_TOKEN: AuthRefusal = {
  status: 401,
  code: 'auth_required',
  error: 'This is not the access token of this instance: it is the one that auth.tokenRef names.',
  headers: { 'WWW-Authenticate': 'Bearer realm="svc", error="invalid_token"' },
};

export const WITHOUT_ROLE: AuthRefusal = {
  status: 403,
  code: 'not_permitted',
  error:
    'You are known here, but none of your roles is one of those that may use this instance: ask whoever runs it (auth.roles).',
  headers: {},
};

export const NO_SIGN_IN: AuthRefusal = {
  status: 409,
  code: 'conflict',
  error: 'People do not sign in here with a token: that is what auth.mode token is for.',
  headers: {},
};

/** Too many wrong tokens; `waitMs` is the time until the next try. */
export function tooMany(waitMs: number): AuthRefusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return {
    status: 429,
    code: 'too_many_requests',
    error: `Too many wrong tokens came from your address: try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  };
}

export const KEYS_MISSING: AuthRefusal = {
  status: 503,
  code: 'unavailable',
  error: 'The keys of the identity provider cannot be had: try again in a moment.',
  headers: { 'Retry-After': '5' },
};

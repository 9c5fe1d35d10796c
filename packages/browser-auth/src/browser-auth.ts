import {
  bearerOf,
  type Clock,
  clientAddress,
  createThrottle,
  failure,
  type Result,
  success,
} from '@svc/core';
import { SESSION_COOKIE } from './cookies.ts';
import type { Gate } from './gate.ts';
import { type AuthMode, type Identify, type Identity, NO_CREDENTIAL } from './identity.ts';
import { createJwtIdentify, type JwtOptions } from './jwt.ts';
import { isHttps } from './origins.ts';
import { type Person, type Role, UNNAMED_PERSON } from './person.ts';
import {
  type AuthRefusal,
  KEYS_MISSING,
  NO_SIGN_IN,
  signInFirst,
  tooMany,
  WITHOUT_ROLE,
  WRONG_TOKEN,
} from './refusals.ts';
import type { GateRequest } from './request.ts';
import { createSessions, type SessionStore } from './sessions.ts';
import { createSecretCheck } from './token.ts';
import { createHeaderIdentify, type TrustedHeaderOptions } from './trusted-header.ts';

/** How users are identified. `unset` means `none` for local peers only, which the gate enforces. */
export type AuthOptions =
  | { readonly mode: 'none' | 'unset' }
  | {
      readonly mode: 'token';
      /** The access token, as a bearer or to sign in with. */
      readonly token: string;
    }
  | TrustedHeaderOptions
  | JwtOptions;

/** What a client learns about its session. */
export interface SessionView {
  readonly mode: AuthMode;
  readonly signedIn: boolean;
  /** Name of the user; null if users are not distinguished. */
  readonly user: string | null;
  /** What the user may do; null for nothing. */
  readonly role: Role | null;
}

/** A session that has started or ended, with the matching value of `Set-Cookie`; null if no cookie is involved. */
export interface SessionChange {
  readonly view: SessionView;
  readonly cookie: string | null;
}

/** What sign-in depends on. */
export interface BrowserAuthDeps {
  /** Host, Origin and peer checks, which run before everything else. */
  readonly gate: Gate;
  readonly clock: Pick<Clock, 'now' | 'mono'>;
  readonly sessions: SessionStore;
  /** Called for each invalid credential with a reason that contains no secrets. Default: not called. */
  readonly onRefused?: (request: GateRequest, reason: string) => void;
}

/** Settings of sign-in. */
export interface BrowserAuthOptions {
  readonly auth: AuthOptions;
  /** A bearer secret for programs on this machine, which grants everything in every mode. Default: none. */
  readonly localSecret?: string | null;
  /** Peers whose `X-Forwarded-Proto` is trusted. Default: none. */
  readonly httpsProxies?: { has(address: string | undefined): boolean };
  /** Peers whose forwarded client addresses are trusted. Default: none. */
  readonly clientProxies?: { has(address: string | undefined): boolean } | null;
  /**
   * Name of the session cookie. Browsers share cookies between the ports of a host, so services on the same host
   * need different names. Default: `SESSION_COOKIE`.
   */
  readonly cookieName?: string;
}

/** Decides who may use a service. */
export interface BrowserAuth {
  readonly gate: Gate;
  /** Name of the session cookie. */
  readonly cookieName: string;
  /** The user, if the gate accepts the request and the user is identified; otherwise the refusal. */
  admit(request: GateRequest): Promise<Result<Person, AuthRefusal>>;
  /** Returns whether the user is signed in. Skips the gate. */
  look(request: GateRequest): Promise<Result<SessionView, AuthRefusal>>;
  /** Starts a session if the access token is correct. Skips the gate. */
  signIn(request: GateRequest, token: string): Promise<Result<SessionChange, AuthRefusal>>;
  /** Ends the session of an admitted request. */
  signOut(request: GateRequest): Promise<Result<SessionChange, AuthRefusal>>;
}

/** Wrong tokens that one address may send before further ones are refused without a check. */
const WRONG_TOKENS = { attempts: 10, windowMs: 60_000 };

/**
 * Creates the sign-in for a mode. In mode `token`, a correct bearer token or session is accepted even from an
 * address that has sent many wrong tokens.
 */
export function createBrowserAuth(deps: BrowserAuthDeps, options: BrowserAuthOptions): BrowserAuth {
  const { gate, clock } = deps;
  const { auth, httpsProxies, clientProxies = null, cookieName = SESSION_COOKIE } = options;
  const token = auth.mode === 'token' ? auth.token : null;
  const isToken = createSecretCheck(token);
  const isLocal = createSecretCheck(options.localSecret ?? null);
  const sessions = createSessions(
    { clock, store: deps.sessions },
    { token: token ?? '', cookieName },
  );
  const identify = identifyOf(deps, auth, async (request) => {
    const bearer = bearerOf(request.headers['authorization']);
    if (bearer !== null) return isToken(bearer) ? KNOWN : WRONG;
    return (await sessions.has(request)) ? KNOWN : NO_CREDENTIAL;
  });
  const throttle = token === null ? null : createThrottle(WRONG_TOKENS, clock);

  const wrong = (request: GateRequest, reason: string, refusal: AuthRefusal): AuthRefusal => {
    deps.onRefused?.(request, reason);
    const address = clientAddress(request, clientProxies);
    const wait = throttle?.waitOf(address) ?? 0;
    if (wait > 0) return tooMany(wait);
    throttle?.note(address);
    return refusal;
  };
  const known = async (request: GateRequest): Promise<Result<Known | null, AuthRefusal>> => {
    const bearer = bearerOf(request.headers['authorization']);
    if (bearer !== null && isLocal(bearer)) return success(UNNAMED_PERSON);
    const identity = await identify(request);
    if (identity.kind === 'known') return success(identity);
    if (identity.kind === 'none') return success(null);
    if (identity.kind === 'wrong') {
      return failure(wrong(request, identity.reason, signInFirst(auth.mode, true)));
    }
    deps.onRefused?.(request, identity.reason);
    return failure(KEYS_MISSING);
  };
  const secure = (request: GateRequest): boolean => isHttps(request, httpsProxies);
  return {
    gate,
    cookieName,
    async admit(request) {
      const refusal = gate(request);
      if (refusal !== null) return failure({ ...refusal, headers: {} });
      const who = await known(request);
      if (!who.ok) return who;
      if (who.value === null) return failure(signInFirst(auth.mode, false));
      const { name, role, expiresAt } = who.value;
      if (role === null) return failure(WITHOUT_ROLE);
      return success({ name, role, ...(expiresAt === undefined ? {} : { expiresAt }) });
    },
    async look(request) {
      const who = await known(request);
      if (who.ok) return success(viewOf(auth.mode, who.value));
      return who.error.status === 401 ? success(viewOf(auth.mode, null)) : who;
    },
    async signIn(request, given) {
      if (token === null) return failure(NO_SIGN_IN);
      const wait = throttle?.waitOf(clientAddress(request, clientProxies)) ?? 0;
      if (wait > 0 || !isToken(given.trim())) {
        return failure(wrong(request, 'wrong_token', WRONG_TOKEN));
      }
      const cookie = await sessions.begin(request, secure(request));
      return success({ view: viewOf(auth.mode, UNNAMED_PERSON), cookie });
    },
    async signOut(request) {
      const cookie = token === null ? null : await sessions.end(request, secure(request));
      const who = await known(request);
      return who.ok ? success({ view: viewOf(auth.mode, who.value), cookie }) : who;
    },
  };
}

type Known = Omit<Extract<Identity, { readonly kind: 'known' }>, 'kind'>;

const KNOWN: Identity = { kind: 'known', ...UNNAMED_PERSON };
const WRONG: Identity = { kind: 'wrong', reason: 'wrong_token' };

function identifyOf(deps: BrowserAuthDeps, auth: AuthOptions, byToken: Identify): Identify {
  switch (auth.mode) {
    case 'token':
      return byToken;
    case 'trusted-header':
      return createHeaderIdentify(auth);
    case 'jwt':
      return createJwtIdentify(deps, auth);
    default:
      return async () => KNOWN;
  }
}

function viewOf(mode: AuthMode, known: Known | null): SessionView {
  return {
    mode,
    signedIn: known !== null,
    user: known?.name ?? null,
    role: known?.role ?? null,
  };
}

import { resolve } from 'node:path';
import {
  type AuthOptions,
  type BrowserAuth,
  createBrowserAuth,
  createGate,
  type Gate,
  SESSION_COOKIE,
  type SessionStore,
} from '@svc/browser-auth';
import type { Environment } from '@svc/cli';
import { type Clock, isLoopbackName, type Logger, ownValue } from '@svc/core';
import { DEFAULT_PROXIES, type ManagementConfig, parseAddressSet } from '@svc/mgmt-auth';
import { type AuthSettings, readEnvFile, type Settings } from '@svc/settings';
import { ServerError } from './errors.ts';
import type { Home } from './home.ts';
import type { Management } from './management.ts';

/**
 * Resolves the sign-in configuration. `envFile` takes precedence over the environment.
 *
 * @throws ServerError `auth_unusable` if the access token is not set; SettingsError `env_file_unusable`
 */
export async function readAuth(
  home: Home,
  { auth, envFile }: Pick<Settings, 'auth' | 'envFile'>,
  env: Environment,
): Promise<AuthOptions> {
  switch (auth.mode) {
    case 'token': {
      const file = envFile === null ? {} : await readEnvFile(resolve(home.root, envFile));
      const token = ownValue({ ...env, ...file }, auth.variable)?.trim() ?? '';
      if (token !== '') return { mode: 'token', token };
      const message = `auth.tokenRef names ${auth.variable}, which is not set. Set it to the access token.`;
      throw new ServerError('auth_unusable', message);
    }
    case 'trusted-header':
      return { ...auth, trustedProxies: parseAddressSet(auth.trustedProxies).set };
    default:
      return auth;
  }
}

/** Dependencies of the sign-in. */
export interface SignInParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: Settings;
  readonly auth: AuthOptions;
  readonly sessions: SessionStore;
  /** Id of the home, a UUID. */
  readonly instanceId: string;
  readonly management: Management;
  /** Secret for programs on this machine. */
  readonly secret: string;
  /** Counts rejected credentials. */
  readonly countRefused: (reason: string) => void;
}

/** Creates the sign-in, which follows changes of the management configuration. */
export function createSignIn(parts: SignInParts): BrowserAuth {
  const { clock, logger, settings, auth, sessions, secret } = parts;
  const own = ownProxies(settings.auth);
  const httpsProxies = createLiveProxies(parts.management, own);
  const gate = createLiveGate(parts, httpsProxies);
  return createBrowserAuth(
    {
      gate,
      clock,
      sessions,
      onRefused({ method, remoteAddress }, reason) {
        parts.countRefused(reason);
        const { mode } = auth;
        logger.warn({ mode, reason, method, peer: remoteAddress }, 'sign-in rejected');
      },
    },
    {
      auth,
      localSecret: secret,
      httpsProxies,
      clientProxies: own,
      cookieName: cookieNameOf(parts.instanceId),
    },
  );
}

// Browsers send cookies to all ports of a host, so each instance needs its own cookie name. The last part of an id is random.
function cookieNameOf(instanceId: string): string {
  return `${SESSION_COOKIE}_${instanceId.slice(-12)}`;
}

interface Proxies {
  has(address: string | undefined): boolean;
}

function ownProxies(auth: AuthSettings): Proxies | null {
  const named = 'trustedProxies' in auth ? auth.trustedProxies : [];
  return named.length === 0 ? null : parseAddressSet(named).set;
}

// The trusted proxies of the management endpoint can change while the service runs.
function createLiveProxies({ onConfig }: Management, own: Proxies | null): Proxies {
  const neighbours = parseAddressSet(DEFAULT_PROXIES).set;
  let others: Proxies = neighbours;
  onConfig((config) => {
    others = config?.trustedProxies ?? neighbours;
  });
  return { has: (address) => others.has(address) || own?.has(address) === true };
}

function createLiveGate(
  { settings, auth, management, secret }: SignInParts,
  trustedProxies: Proxies,
): Gate {
  const gateFor = (config: ManagementConfig | null): Gate =>
    createGate({
      mode: auth.mode,
      publicHosts: settings.server.publicHosts,
      publicUrl: config?.publicUrl ?? null,
      trustedProxies,
      localSecret: secret,
    });
  let current = gateFor(management.current);
  management.onConfig((config) => {
    current = gateFor(config);
  });
  return (request) => current(request);
}

const SHORT_TOKEN = 24;

/** Warnings about settings that give access to unexpected clients; empty if there are none. */
export function exposuresOf(settings: Settings, auth: AuthOptions): string[] {
  const { server } = settings;
  const isReached = !isLoopbackName(server.host);
  const found: string[] = [];
  if (isReached && auth.mode === 'none') found.push(OPEN);
  if (isReached && auth.mode === 'unset') found.push(UNSET);
  if (isReached && auth.mode === 'token' && server.tls === null) found.push(PLAIN);
  if (auth.mode === 'token' && auth.token.length < SHORT_TOKEN) found.push(SHORT);
  if (auth.mode === 'trusted-header' && auth.trustedProxies.has(undefined)) found.push(ALL);
  return found;
}

const OPEN = 'auth.mode is none on a network address, anyone who can connect can run agents';
const UNSET = 'auth.mode not set, rejecting requests from other machines; see auth.tokenRef';
const PLAIN = 'access token is sent unencrypted unless a proxy terminates TLS; see server.tls';
const SHORT = `access token has fewer than ${SHORT_TOKEN} characters; use a longer one`;
const ALL = 'auth.trustedProxies is all, any client can claim to be any user';

import { bearerOf, type Clock, isRecord } from '@svc/core';
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, jwtVerify } from 'jose';
import { type Identify, type Identity, NO_CREDENTIAL, wrong } from './identity.ts';
import { type Roles, readName, roleOf } from './person.ts';
import type { GateRequest } from './request.ts';
import { single } from './values.ts';

/** JSON Web Tokens (RFC 7519) of an identity provider. */
export interface JwtOptions {
  readonly mode: 'jwt';
  /** Claim `iss` of its tokens. */
  readonly issuer: string;
  /** Claim `aud`: one of these. */
  readonly audience: string | readonly string[];
  /** Where its public keys are (RFC 7517), https, or http on this machine: at most 1 MiB. Redirects are not followed. */
  readonly jwksUrl: string;
  /** Claim that holds the name of the user. Default: `sub`. */
  readonly userClaim?: string;
  /** Claim that holds the roles of the user: a list, or a text separated by commas or blanks. Default: `roles`. */
  readonly rolesClaim?: string;
  /** Header that holds the token if there is no `Authorization: Bearer`. Default: none. */
  readonly header?: string | null;
  /** Longest wait for the keys in milliseconds. Default: 5000. */
  readonly keysTimeoutMs?: number;
  /** What roles allow. Default: every user with a valid token may do everything. */
  readonly roles?: Roles | null;
}

/** Asymmetric signatures only, so that a party that can verify tokens cannot create them. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** How long to wait after failing to fetch the keys. */
const PAUSE_MS = 5000;
/** Tolerated clock skew in seconds. */
const TOLERANCE = 1;

/** Creates a function that identifies the user from a token with a valid signature, issuer, audience and lifetime. */
export function createJwtIdentify(
  { clock }: { readonly clock: Pick<Clock, 'now' | 'mono'> },
  options: JwtOptions,
): Identify {
  const { userClaim = 'sub', rolesClaim = 'roles', roles = null, keysTimeoutMs = 5000 } = options;
  const keys = createRemoteJWKSet(new URL(options.jwksUrl), {
    timeoutDuration: keysTimeoutMs,
    [customFetch]: createPausingFetch(clock),
  });
  const rules = {
    issuer: options.issuer,
    audience: [options.audience].flat(),
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE,
    requiredClaims: ['exp'],
  };
  return async (request) => {
    const token = tokenOf(request, options.header ?? null);
    if (token === null) return NO_CREDENTIAL;
    try {
      const currentDate = new Date(clock.now());
      const { payload } = await jwtVerify(token, keys, { ...rules, currentDate });
      const name = readName(payload[userClaim]);
      if (name === null) return wrong('name_unusable');
      const role = roleOf(roles, listed(payload[rolesClaim]));
      const expiresAt = ((payload.exp ?? 0) + TOLERANCE) * 1000;
      return { kind: 'known', name, role, expiresAt };
    } catch (error) {
      return refused(error);
    }
  };
}

function tokenOf({ headers }: GateRequest, header: string | null): string | null {
  const bearer = bearerOf(headers['authorization']);
  if (bearer !== null || header === null) return bearer;
  const given = single(headers[header.toLowerCase()]) ?? '';
  return bearerOf(given) ?? (given.trim() || null);
}

function listed(claim: unknown): string[] {
  const entries = typeof claim === 'string' ? claim.split(/[\s,]+/) : claim;
  return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'string') : [];
}

const OF_THE_KEYS: ReadonlySet<string> = new Set([
  errors.JOSEError.code,
  errors.JWKSInvalid.code,
  errors.JWKSTimeout.code,
]);

// Problems with the keys are not the fault of the token. Unknown errors are treated as problems with the keys.
function refused(error: unknown): Identity {
  const code = error instanceof errors.JOSEError ? error.code : 'ERR_JWKS_UNREACHABLE';
  if (error instanceof errors.JOSEError && !OF_THE_KEYS.has(code)) return wrong(code.toLowerCase());
  return { kind: 'unavailable', reason: code.toLowerCase() };
}

/** Maximum size of a key set in bytes. */
const MOST_KEY_BYTES = 1_048_576;

async function readKeys(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > MOST_KEY_BYTES) throw new errors.JWKSInvalid('more than 1 MiB of keys');
    chunks.push(chunk);
  }
  const keys = keySetIn(Buffer.concat(chunks).toString('utf8'));
  if (keys === null) throw new errors.JWKSInvalid('no set of keys');
  return Response.json(keys);
}

function keySetIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    const keys = isRecord(value) ? value['keys'] : null;
    return Array.isArray(keys) && keys.every(isRecord) ? { keys } : null;
  } catch {
    // The only possible error is invalid JSON.
    return null;
  }
}

// Without a pause, every request would fetch the keys again and wait while they are unavailable.
function createPausingFetch({ mono }: Pick<Clock, 'mono'>): FetchImplementation {
  let failed: { readonly at: number; readonly error: unknown } | null = null;
  return async (url, init) => {
    if (failed !== null && mono() - failed.at < PAUSE_MS) throw failed.error;
    try {
      const response = await fetch(url, init);
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new errors.JOSEError(`status ${response.status}`);
      }
      const keys = await readKeys(response);
      failed = null;
      return keys;
    } catch (error) {
      failed = { at: mono(), error };
      throw error;
    }
  };
}

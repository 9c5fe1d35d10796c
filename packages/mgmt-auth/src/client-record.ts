import { type Issue, isRecord, ownValue } from '@svc/core';
import { isNear, type Scope, scopeOf, unknownKeys } from './scope.ts';

/** The configuration of one client. */
export interface ClientRecord {
  /** Errors; a client with errors is skipped. */
  readonly problems: readonly Issue[];
  /** Whether there are keys other than `auth` and `scope`, which are ignored. Their names may be secrets without a colon. */
  readonly hasUnknownKeys: boolean;
  /** Null if it is invalid. */
  readonly scope: Scope | null;
  /** Name of the variable with the token; null if it is missing or invalid. */
  readonly ref: string | null;
  /** Name of the variable with a second token; null without one. */
  readonly previousRef: string | null;
}

const AUTH_KEYS: ReadonlySet<string> = new Set(['type', 'ref', 'previousRef']);
const CLIENT_KEYS: ReadonlySet<string> = new Set(['auth', 'scope']);
const SECRET_KEYS: ReadonlySet<string> = new Set(['token', 'secret']);
const REF = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

/** Parses one entry of `clients`. */
export function parseClientRecord(raw: unknown): ClientRecord {
  const client = isRecord(raw) ? raw : {};
  const given = ownValue(client, 'auth');
  const auth = isRecord(given) ? given : {};
  const scope = scopeOf(ownValue(client, 'scope'));
  return {
    problems: [
      ...inlineProblems(client, ''),
      ...authProblems(auth),
      ...misspelt(client),
      ...(scope.ok ? [] : scope.issues),
    ],
    hasUnknownKeys: Object.keys(client).some(
      (key) => !CLIENT_KEYS.has(key) && !SECRET_KEYS.has(key) && !isMeant(key),
    ),
    scope: scope.ok ? scope.value : null,
    ref: refOf(ownValue(auth, 'ref')),
    previousRef: refOf(ownValue(auth, 'previousRef')),
  };
}

// A misspelt restriction was meant to restrict; without it the client would get the default.
const BOUNDS: ReadonlySet<string> = new Set([
  ...['allow', 'allowed', 'deny', 'denied', 'project', 'projects', 'denyprojects', 'maxspawndepth'],
  ...['permissions', 'rights', 'authentication', 'authorization'],
]);

function isMeant(key: string): boolean {
  const plain = key.toLowerCase().replace(/[^a-z]/g, '');
  return BOUNDS.has(plain) || isNear(plain, 'scope') || isNear(plain, 'auth');
}

function misspelt(client: Readonly<Record<string, unknown>>): Issue[] {
  return Object.keys(client)
    .filter((key) => !CLIENT_KEYS.has(key) && isMeant(key))
    .map((path) => ({
      path,
      message: 'is not known here; a client has auth and scope, and its rights belong under scope',
    }));
}

function inlineProblems(record: Readonly<Record<string, unknown>>, prefix: string): Issue[] {
  const message = 'must not be in the file; name an environment variable with auth.ref: env:NAME';
  return Object.keys(record)
    .filter((key) => SECRET_KEYS.has(key))
    .map((key) => ({ path: prefix + key, message }));
}

function authProblems(auth: Readonly<Record<string, unknown>>): Issue[] {
  const problems = inlineProblems(auth, 'auth.');
  const others = Object.keys(auth).filter((key) => !SECRET_KEYS.has(key));
  problems.push(...unknownKeys('auth', others, AUTH_KEYS));
  const type = ownValue(auth, 'type');
  if (type !== undefined && type !== 'token') {
    problems.push({ path: 'auth.type', message: 'must be token' });
  }
  const message = 'must name an environment variable, as in env:SVC_TOKEN';
  if (refOf(ownValue(auth, 'ref')) === null) problems.push({ path: 'auth.ref', message });
  const previous = ownValue(auth, 'previousRef');
  if (previous !== undefined && refOf(previous) === null) {
    problems.push({ path: 'auth.previousRef', message });
  }
  return problems;
}

function refOf(raw: unknown): string | null {
  return typeof raw === 'string' ? (REF.exec(raw)?.[1] ?? null) : null;
}

import type { Issue } from '@svc/core';
import type { BootLog } from './boot-lines.ts';
import { matches } from './pattern.ts';
import { type Scope, scopeOf } from './scope.ts';
import { digestToken, MIN_TOKEN_LENGTH, type TokenDigest } from './tokens.ts';
import { isRecord, ownValue } from './values.ts';

/** A client that may call the management endpoint. */
export interface ManagementClient {
  /** The name that is logged and noted as the caller. */
  readonly clientId: string;
  readonly scope: Scope;
  /** One token, or two while a token is being replaced. */
  readonly tokens: readonly TokenDigest[];
}

/** Variables of the process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Refs {
  readonly scope: Scope;
  readonly ref: string;
  readonly previousRef: string | null;
}

const CODE_EXECUTION = [
  'create_chat',
  'fork_chat',
  'fork_chat_batch',
  'send_message',
  'set_trigger',
  'run_trigger',
  'create_project',
] as const;

const SKIPPED = 'management client skipped: its configuration is wrong';
const AUTH_KEYS: ReadonlySet<string> = new Set(['type', 'ref', 'previousRef']);
const CLIENT_KEYS: ReadonlySet<string> = new Set(['auth', 'scope']);
const SECRET_KEYS: ReadonlySet<string> = new Set(['token', 'secret']);
const REF = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

/** Reads the clients in order; a client that is wrong, has no usable token, or repeats a token is left out. */
export function parseClients(
  raw: Readonly<Record<string, unknown>>,
  env: Environment,
  instanceId: string | null,
  log: BootLog,
): ManagementClient[] {
  const clients: ManagementClient[] = [];
  const owners = new Map<string, string>();
  for (const [clientId, value] of Object.entries(raw)) {
    const refs = parseRefs(clientId, value, log);
    const tokens = refs === null ? [] : readTokens(clientId, refs, env, instanceId, log);
    if (refs === null || tokens.length === 0) continue;
    const keys = tokens.map(({ digest }) => digest.toString('hex'));
    const owner = keys.map((key) => owners.get(key)).find((name) => name !== undefined);
    if (owner !== undefined) {
      log.error('management client dropped: another client has the same token', {
        clientId,
        sameTokenAs: owner,
      });
      continue;
    }
    for (const key of keys) owners.set(key, clientId);
    clients.push({ clientId, scope: refs.scope, tokens });
    warnOfBinding(clientId, tokens, log);
    warnOfCode(clientId, refs.scope, log);
  }
  return clients;
}

function parseRefs(clientId: string, raw: unknown, log: BootLog): Refs | null {
  const client = isRecord(raw) ? raw : {};
  const auth = ownValue(client, 'auth');
  const login = isRecord(auth) ? auth : {};
  const problems = [...inlineProblems(client, ''), ...authProblems(login)];
  const scope = scopeOf(ownValue(client, 'scope'));
  if (!scope.ok) problems.push(...scope.issues);
  for (const key of Object.keys(client)) {
    if (CLIENT_KEYS.has(key) || SECRET_KEYS.has(key)) continue;
    log.warn('unknown key of a management client is ignored', { clientId, key });
  }
  for (const { path, message } of problems) {
    log.error(SKIPPED, { clientId, key: path, problem: message });
  }
  const ref = refOf(ownValue(login, 'ref'));
  if (problems.length > 0 || ref === null || !scope.ok) return null;
  return { scope: scope.value, ref, previousRef: refOf(ownValue(login, 'previousRef')) };
}

function inlineProblems(record: Readonly<Record<string, unknown>>, prefix: string): Issue[] {
  const message = 'must not be in the file: name an environment variable with auth.ref: env:NAME';
  return Object.keys(record)
    .filter((key) => SECRET_KEYS.has(key))
    .map((key) => ({ path: prefix + key, message }));
}

function authProblems(auth: Readonly<Record<string, unknown>>): Issue[] {
  const problems = inlineProblems(auth, 'auth.');
  for (const key of Object.keys(auth)) {
    if (AUTH_KEYS.has(key) || SECRET_KEYS.has(key)) continue;
    const message = `is not known; known are ${[...AUTH_KEYS].join(', ')}`;
    problems.push({ path: `auth.${key}`, message });
  }
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

function readTokens(
  clientId: string,
  refs: Refs,
  env: Environment,
  instanceId: string | null,
  log: BootLog,
): TokenDigest[] {
  const current = tokenOf(env, refs.ref);
  if (current === null) {
    log.warn('management client dropped: its token is unset, blank or too short', {
      clientId,
      ...variableField(refs.ref),
      minLength: MIN_TOKEN_LENGTH,
    });
    return [];
  }
  const previous = refs.previousRef === null ? null : tokenOf(env, refs.previousRef);
  if (refs.previousRef !== null && previous === null) {
    log.warn('previous token of a management client ignored: it is unset, blank or too short', {
      clientId,
      ...variableField(refs.previousRef),
      minLength: MIN_TOKEN_LENGTH,
    });
  }
  const tokens = previous === null || previous === current ? [current] : [current, previous];
  return tokens.map((token) => digestToken(token, instanceId));
}

function tokenOf(env: Environment, variable: string): string | null {
  const token = ownValue(env, variable)?.trim() ?? '';
  return token.length < MIN_TOKEN_LENGTH ? null : token;
}

// Somebody may have written a token where the name of its variable belongs.
function variableField(variable: string): { variable?: string } {
  return /^tok_/i.test(variable) ? {} : { variable };
}

function warnOfBinding(clientId: string, tokens: readonly TokenDigest[], log: BootLog): void {
  if (tokens.some(({ binding }) => binding === 'elsewhere')) {
    log.warn('token of a management client is bound to another instance and will be refused', {
      clientId,
    });
  }
  if (tokens.some(({ binding }) => binding === 'none')) {
    log.warn('token of a management client is not bound to an instance', { clientId });
  }
}

function warnOfCode(clientId: string, scope: Scope, log: BootLog): void {
  const covers = (patterns: readonly string[], name: string): boolean =>
    patterns.some((pattern) => matches(pattern, name));
  const operations = CODE_EXECUTION.filter(
    (name) => covers(scope.allow, name) && !covers(scope.deny, name),
  );
  if (operations.length === 0) return;
  log.warn('management client may make this instance run code', { clientId, operations });
}

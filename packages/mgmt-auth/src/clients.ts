import { type Issue, ownValue } from '@svc/core';
import type { BootLog } from './boot-lines.ts';
import { type ClientRecord, parseClientRecord } from './client-record.ts';
import type { Policy } from './policy.ts';
import type { Scope } from './scope.ts';
import { digestToken, MIN_TOKEN_LENGTH, type TokenDigest } from './tokens.ts';

/** A client that may call the management endpoint. */
export interface ManagementClient {
  /** The name in logs, and of the caller in records. */
  readonly clientId: string;
  readonly scope: Scope;
  /** One token, or two while a token is being replaced. */
  readonly tokens: readonly TokenDigest[];
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Facts about a token of a client, without the token. */
export interface TokenReport {
  /** Name of its variable; null if that looks like a token itself. */
  readonly variable: string | null;
  /** `ready`: set, and long enough. */
  readonly state: 'ready' | 'unset' | 'blank' | 'short';
  /** The instance that it is bound to; null unless it is ready. */
  readonly binding: TokenDigest['binding'] | null;
}

/** The state of one entry of `clients`, including skipped ones. */
export interface ClientReport {
  readonly clientId: string;
  /** True if its own token grants access once the endpoint is enabled. */
  readonly usable: boolean;
  /** Errors of the configuration; a client with errors is skipped. */
  readonly problems: readonly Issue[];
  /** Null if the configuration has none. */
  readonly token: TokenReport | null;
  /** The second token, while the first is being replaced; null if the configuration has none. */
  readonly previousToken: TokenReport | null;
  /** The earlier client with the same token, for which this one is dropped. */
  readonly sameTokenAs: string | null;
  /** Null if it is invalid. */
  readonly scope: Scope | null;
  /** Operations of the scope that can make the instance run code. */
  readonly runsCode: readonly string[];
}

/** A client, or null if it is skipped, with its report. */
export interface ParsedClient {
  readonly client: ManagementClient | null;
  readonly report: ClientReport;
}

interface ReadToken {
  readonly report: TokenReport;
  readonly digest: TokenDigest | null;
}

/** Shared by the parsing of all clients. */
interface ClientParts {
  readonly env: Environment;
  readonly instanceId: string | null;
  readonly policy: Policy;
  readonly log: BootLog;
}

/** Parses the clients in order. Skips a client that is invalid, has no usable token, or repeats a token. */
export function parseClients(
  raw: Readonly<Record<string, unknown>>,
  { env, instanceId, policy, log }: ClientParts,
): ParsedClient[] {
  const owners = new Map<string, string>();
  return Object.entries(raw).map(([clientId, value]) => {
    const record = parseClientRecord(value);
    const token = readToken(record.ref, env, instanceId);
    const previous = readToken(record.previousRef, env, instanceId);
    const sound = record.problems.length === 0 && token?.digest ? record.scope : null;
    const tokens = sound === null ? [] : distinct([token?.digest, previous?.digest]);
    const sameTokenAs = claim(owners, clientId, tokens);
    const report: ClientReport = {
      clientId,
      usable: sound !== null && sameTokenAs === null && token?.report.binding !== 'elsewhere',
      problems: record.problems,
      token: token?.report ?? null,
      previousToken: previous?.report ?? null,
      sameTokenAs,
      scope: record.scope,
      runsCode: record.scope === null ? [] : policy.codeOperations(record.scope),
    };
    const client =
      sound === null || sameTokenAs !== null ? null : { clientId, scope: sound, tokens };
    logClient(report, record, client, log);
    return { client, report };
  });
}

function readToken(
  variable: string | null,
  env: Environment,
  instanceId: string | null,
): ReadToken | null {
  if (variable === null) return null;
  const value = ownValue(env, variable);
  const token = value?.trim() ?? '';
  const ready = token.length >= MIN_TOKEN_LENGTH;
  const digest = ready ? digestToken(token, instanceId) : null;
  const missing = value === undefined ? 'unset' : token === '' ? 'blank' : 'short';
  return {
    report: {
      variable: looksLikeToken(variable) ? null : variable,
      state: ready ? 'ready' : missing,
      binding: digest?.binding ?? null,
    },
    digest,
  };
}

// A token may have been written in place of the name of its variable. Names of variables are short, or in capitals
// with underscores.
function looksLikeToken(variable: string): boolean {
  if (/^tok_/i.test(variable)) return true;
  const hasLongMix = /(?=[A-Z]*\d)[A-Z\d]{24}/.test(variable);
  return variable.length >= MIN_TOKEN_LENGTH && (/[a-z]/.test(variable) || hasLongMix);
}

function distinct(tokens: readonly (TokenDigest | null | undefined)[]): TokenDigest[] {
  const byText = new Map<string, TokenDigest>();
  for (const token of tokens) if (token) byText.set(token.digest.toString('hex'), token);
  return [...byText.values()];
}

// Records the owner of each token. If a token has an owner already, records none and returns that owner.
function claim(
  owners: Map<string, string>,
  clientId: string,
  tokens: readonly TokenDigest[],
): string | null {
  const keys = tokens.map(({ digest }) => digest.toString('hex'));
  const owner = keys.map((key) => owners.get(key)).find((name) => name !== undefined);
  if (owner !== undefined) return owner;
  for (const key of keys) owners.set(key, clientId);
  return null;
}

function logClient(
  report: ClientReport,
  record: ClientRecord,
  client: ManagementClient | null,
  log: BootLog,
): void {
  const { clientId, problems, token, previousToken, sameTokenAs, runsCode } = report;
  if (record.hasUnknownKeys)
    log.warn('unknown key of a management client is ignored', { clientId });
  for (const { path, message } of problems) {
    const fields = { clientId, key: path, problem: message };
    log.error('management client ignored: its configuration is invalid', fields);
  }
  if (problems.length > 0 || token === null) return;
  if (token.state !== 'ready') {
    const message = 'management client ignored: its token is unset, blank or too short';
    log.warn(message, missingFields(clientId, token));
    return;
  }
  if (previousToken !== null && previousToken.state !== 'ready') {
    const message =
      'previous token of a management client ignored: it is unset, blank or too short';
    log.warn(message, missingFields(clientId, previousToken));
  }
  if (sameTokenAs !== null) {
    const message = 'management client ignored: another client has the same token';
    log.error(message, { clientId, sameTokenAs });
  }
  if (client === null) return;
  warnOfBinding(client, log);
  if (runsCode.length === 0) return;
  log.warn('management client may make this instance run code', { clientId, operations: runsCode });
}

function missingFields(clientId: string, { variable }: TokenReport): Record<string, unknown> {
  return { clientId, ...(variable === null ? {} : { variable }), minLength: MIN_TOKEN_LENGTH };
}

function warnOfBinding({ clientId, tokens }: ManagementClient, log: BootLog): void {
  if (tokens.some(({ binding }) => binding === 'elsewhere')) {
    const message = 'token of a management client is bound to another instance and will be refused';
    log.warn(message, { clientId });
  }
  if (tokens.some(({ binding }) => binding === 'none')) {
    log.warn('token of a management client is not bound to an instance', { clientId });
  }
}

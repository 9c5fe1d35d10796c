import type { Issue } from '@svc/core';
import type { BootLog } from './boot-lines.ts';
import { type ClientRecord, parseClientRecord } from './client-record.ts';
import type { Policy } from './policy.ts';
import type { Scope } from './scope.ts';
import { digestToken, MIN_TOKEN_LENGTH, type TokenDigest } from './tokens.ts';
import { ownValue } from './values.ts';

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

/** What is known of a token that a client names, without the token. */
export interface TokenReport {
  /** Name of its variable; null when that looks like a token itself. */
  readonly variable: string | null;
  /** `ready`: there, and long enough. */
  readonly state: 'ready' | 'unset' | 'blank' | 'short';
  /** Which instance it is bound to; null unless it is ready. */
  readonly binding: TokenDigest['binding'] | null;
}

/** How one entry of `clients` stands, also one that is left out. */
export interface ClientReport {
  readonly clientId: string;
  /** True when its own token lets it in once the endpoint is on. */
  readonly usable: boolean;
  /** What is wrong in the configuration; with any the client is skipped. */
  readonly problems: readonly Issue[];
  /** Null when the configuration names none. */
  readonly token: TokenReport | null;
  /** The second token, for while the first is being replaced; null when the configuration names none. */
  readonly previousToken: TokenReport | null;
  /** The client before this one with the same token; this one is dropped for it. */
  readonly sameTokenAs: string | null;
  /** Null when it is wrong. */
  readonly scope: Scope | null;
  /** Operations of the scope that make the instance run code. */
  readonly runsCode: readonly string[];
}

/** A client, or null when it is left out, with its report. */
export interface ParsedClient {
  readonly client: ManagementClient | null;
  readonly report: ClientReport;
}

interface ReadToken {
  readonly report: TokenReport;
  readonly digest: TokenDigest | null;
}

/** What clients are read with. */
interface ClientParts {
  readonly env: Environment;
  readonly instanceId: string | null;
  readonly policy: Policy;
  readonly log: BootLog;
}

/** Reads the clients in order; a client that is wrong, has no usable token, or repeats a token is left out. */
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

// Somebody may have written a token where the name of its variable belongs. Names of variables are short, or in capitals
// and parted by underscores.
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

// Notes whose the tokens are; with one that has an owner already it notes none and names that owner.
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
  for (const key of record.unknownKeys) {
    log.warn('unknown key of a management client is ignored', { clientId, key });
  }
  for (const { path, message } of problems) {
    const fields = { clientId, key: path, problem: message };
    log.error('management client skipped: its configuration is wrong', fields);
  }
  if (problems.length > 0 || token === null) return;
  if (token.state !== 'ready') {
    const message = 'management client dropped: its token is unset, blank or too short';
    log.warn(message, missingFields(clientId, token));
    return;
  }
  if (previousToken !== null && previousToken.state !== 'ready') {
    const message =
      'previous token of a management client ignored: it is unset, blank or too short';
    log.warn(message, missingFields(clientId, previousToken));
  }
  if (sameTokenAs !== null) {
    const message = 'management client dropped: another client has the same token';
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

import { type FailedAuthLimit, isPlainName, isRecord, ownValue } from '@svc/core';
import { type AddressSet, DEFAULT_PROXIES, parseAddressSet } from './addresses.ts';
import { type BootLine, type BootLog, createBootLog } from './boot-lines.ts';
import {
  type ClientReport,
  type Environment,
  type ManagementClient,
  parseClients,
} from './clients.ts';
import { parseFailedAuthLimit } from './failed-auth-limit.ts';
import { createPolicy, type OperationCatalogue } from './policy.ts';
import { baseOf, parsePublicUrl } from './public-url.ts';

/** An enabled management endpoint. Contains digests of tokens, never tokens. */
export interface ManagementConfig {
  /** The id that tokens of the form `tok_<instanceId>_<secret>` must have; null: not checked. */
  readonly instanceId: string | null;
  /** Public address without a trailing slash. */
  readonly publicUrl: string;
  /** Issuer URLs for the metadata document; empty: no document. */
  readonly authorizationServers: readonly string[];
  /** At least one. */
  readonly clients: readonly ManagementClient[];
  /** Peers whose forwarding headers are trusted. */
  readonly trustedProxies: AddressSet;
  /** True if the file lists the trusted proxies, false for the default. */
  readonly trustedProxiesSet: boolean;
  /** Limit on wrong credentials; null: none. */
  readonly failedAuthLimit: FailedAuthLimit | null;
}

/** A configuration, or null if the endpoint is disabled, with the messages to log at start. */
export interface ParsedManagementConfig {
  readonly config: ManagementConfig | null;
  /** In order; the last one reports whether the endpoint is enabled. */
  readonly lines: readonly BootLine[];
}

/** All facts about a configuration, without tokens. */
export interface ManagementReport extends ParsedManagementConfig {
  /** Null if it is not set or invalid. */
  readonly instanceId: string | null;
  /** Every configured client in order, including skipped ones. */
  readonly clients: readonly ClientReport[];
}

/** The keys of `managementApi`. */
export const MANAGEMENT_KEYS: ReadonlySet<string> = new Set([
  'instanceId',
  'publicUrl',
  'authorizationServers',
  'clients',
  'trustedProxies',
  'failedAuthLimit',
]);
const WRONG = 'managementApi is invalid';

/**
 * Parses the `managementApi` block and reads its tokens from the environment. Never throws: errors are in the
 * messages, and an invalid client does not affect others.
 */
export function parseManagementConfig(
  raw: unknown,
  env: Environment,
  catalogue: OperationCatalogue,
): ParsedManagementConfig {
  const { config, lines } = inspectManagement(raw, env, catalogue);
  return { config, lines };
}

/** Like `parseManagementConfig`, with a report on every client that explains why it is skipped. */
export function inspectManagement(
  raw: unknown,
  env: Environment,
  catalogue: OperationCatalogue,
): ManagementReport {
  const log = createBootLog();
  const block = blockOf(raw, log);
  const instanceId = parseInstanceId(ownValue(block, 'instanceId'));
  const given = clientsOf(ownValue(block, 'clients'), log);
  const policy = createPolicy(catalogue);
  const parsed = parseClients(given, { env, instanceId: instanceId ?? null, policy, log });
  const clients = parsed.flatMap(({ client }) => client ?? []);
  const authorizationServers = parseIssuers(ownValue(block, 'authorizationServers'), log);
  const proxies = parseProxies(ownValue(block, 'trustedProxies'), log);
  const failedAuthLimit = parseLimit(ownValue(block, 'failedAuthLimit'), log);
  const url = parsePublicUrl(ownValue(block, 'publicUrl'));
  if (instanceId === undefined) {
    wrong(log, 'instanceId', 'must be text that is not blank; put quotes around a number');
  }
  if (!url.ok && Object.keys(given).length > 0) wrong(log, 'publicUrl', url.problem);
  const report = {
    instanceId: instanceId ?? null,
    clients: parsed.map((one) => one.report),
    lines: log.lines,
  };
  if (!url.ok || clients.length === 0 || instanceId === undefined) {
    log.info('/mcp disabled (no managementApi.clients configured)', {});
    return { ...report, config: null };
  }
  log.info('/mcp enabled', { clients: clients.map(({ clientId }) => clientId), instanceId });
  const publicUrl = baseOf(url.url);
  return {
    ...report,
    config: { instanceId, publicUrl, authorizationServers, clients, ...proxies, failedAuthLimit },
  };
}

function blockOf(raw: unknown, log: BootLog): Readonly<Record<string, unknown>> {
  if (raw === undefined || raw === null) return {};
  if (!isRecord(raw)) {
    log.error(WRONG, { key: 'managementApi', problem: 'must be an object' });
    return {};
  }
  for (const key of Object.keys(raw)) {
    if (MANAGEMENT_KEYS.has(key)) continue;
    log.warn('unknown key of managementApi is ignored', isPlainName(key) ? { key } : {});
  }
  return raw;
}

// Undefined means an invalid value: ignoring it would accept tokens of other instances.
function parseInstanceId(raw: unknown): string | null | undefined {
  if (raw === undefined || raw === null) return null;
  if (typeof raw === 'string' && raw.trim() !== '') return raw.trim();
  return undefined;
}

function clientsOf(raw: unknown, log: BootLog): Readonly<Record<string, unknown>> {
  if (raw === undefined || raw === null) return {};
  if (isRecord(raw)) return raw;
  wrong(log, 'clients', 'must be an object of clients by their id');
  return {};
}

function parseIssuers(raw: unknown, log: BootLog): readonly string[] {
  return textsOf('authorizationServers', raw ?? [], log).filter((issuer) => {
    const url = parsePublicUrl(issuer);
    if (!url.ok) wrong(log, 'authorizationServers', `an entry is skipped: it ${url.problem}`);
    return url.ok;
  });
}

function parseProxies(
  raw: unknown,
  log: BootLog,
): Pick<ManagementConfig, 'trustedProxies' | 'trustedProxiesSet'> {
  const isSet = raw !== undefined && raw !== null;
  const entries = isSet ? textsOf('trustedProxies', raw, log) : DEFAULT_PROXIES;
  const { set, unknown } = parseAddressSet(entries);
  if (unknown.length > 0) {
    const problem =
      'entries are skipped: each must be an IP address, a CIDR range, loopback, linklocal, uniquelocal, none or all';
    log.error(WRONG, { key: 'managementApi.trustedProxies', problem, entries: unknown });
  }
  return { trustedProxies: set, trustedProxiesSet: isSet };
}

function parseLimit(raw: unknown, log: BootLog): FailedAuthLimit | null {
  if (raw === undefined || raw === null) return null;
  const limit = parseFailedAuthLimit(raw);
  if (limit.ok) return limit.value;
  const problems = limit.issues.map(({ path, message }) => `${path} ${message}`.trim());
  wrong(log, 'failedAuthLimit', `is ignored: ${problems.join('; ')}`);
  return null;
}

function textsOf(key: string, raw: unknown, log: BootLog): readonly string[] {
  if (Array.isArray(raw) && raw.every((entry) => typeof entry === 'string')) return raw;
  wrong(log, key, 'is treated as empty: it must be a list of strings');
  return [];
}

function wrong(log: BootLog, key: string, problem: string): void {
  log.error(WRONG, { key: `managementApi.${key}`, problem });
}

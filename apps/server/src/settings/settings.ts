import { ALERT_TYPES, type AlertType } from '@svc/alerts';
import type { Roles } from '@svc/browser-auth';
import type { KeeperGates } from '@svc/ops';
import { headerValuePattern } from './schema-parts.ts';
import type { SettingValues } from './setting-table.ts';

/** The effective settings, without secrets. */
export type Settings = ReturnType<typeof settingsOf>;
/** The sign-in configuration. */
export type AuthSettings = ReturnType<typeof authOf>;
/** Settings of the runtimes. */
export type RuntimeSettings = ReturnType<typeof runtimeOf>;
/** A command that runs agents. */
export type ExternalSettings = RuntimeSettings['external'][string];
/** Token prices for a runtime that reports no cost. */
export type Prices = NonNullable<ExternalSettings['prices']>;
/** Sinks and heartbeat of alerts. Contains no secrets, except possibly within the addresses. */
export type NotifySettings = ReturnType<typeof notifyOf>;
/** The alert types and the target of a sink. */
export type SinkSettings = NotifySettings['sinks'][string];
/** Trace settings. */
export type TelemetrySettings = ReturnType<typeof telemetryOf>;

/** Where the value of a setting is from. */
export type SettingSource = 'default' | 'file' | 'environment' | 'flag';

type SourceOf = (key: string) => SettingSource | undefined;

/** The settings from valid values. */
export function settingsOf(values: SettingValues, sourceOf: SourceOf) {
  const { server, limits, retention, database, projects, curator, agents, log } = values;
  const { certFile, keyFile } = server.tls;
  const named = (key: string, variable: string): string =>
    sourceOf(key) === 'environment' ? variable : key;
  const keeperGates: KeeperGates = {
    read: values.selfMcpEnabled,
    write: values.selfMcpWriteEnabled,
    projects: values.selfMcpProjectsEnabled,
    hooks: values.hooksMcpEnabled,
  };
  return {
    server: {
      host: server.host,
      port: server.port,
      publicHosts: server.publicHosts,
      drainTimeoutMs: server.drainTimeout,
      /** PEM files, relative to the home folder; null: plain HTTP. */
      tls: certFile === null || keyFile === null ? null : { certFile, keyFile },
    },
    auth: authOf(values.auth),
    keeperGates,
    maxSpawnDepth: values.maxSpawnDepth,
    limits: {
      concurrentTurns: limits.concurrentTurns,
      concurrentTurnsPerProject: limits.concurrentTurnsPerProject,
      minIntervalMs: limits.minInterval,
      turnTimeoutMs: limits.turnTimeout,
      filesPerTurn: limits.filesPerTurn,
      bytesPerTurn: limits.bytesPerTurn,
      firesPerDay: limits.firesPerDay,
      costPerDayUsd: limits.costPerDayUsd,
    },
    retention: { runs: retention.runs, ageMs: retention.age },
    // With the setting that the value is from: the key in the file, or the variable.
    database: { url: database.url, setting: named('database.url', 'SVC_DATABASE_URL') },
    projects: { dir: projects.dir, setting: named('projects.dir', 'SVC_PROJECTS_DIR') },
    curator: { delayMs: curator.delay },
    runtime: runtimeOf(values.runtime),
    notify: notifyOf(values.notify),
    agents: { env: agents.env, user: agents.user === null ? null : String(agents.user) },
    log: { level: log.level, format: log.format },
    telemetry: telemetryOf(values.telemetry, sourceOf),
    managementApi: values.managementApi,
    envFile: values.envFile,
  };
}

/** The variable in `env:NAME`; null without a reference. */
function variableIn(reference: string | null | undefined): string | null {
  return reference?.slice('env:'.length) ?? null;
}

/** Settings of the mode. */
function authOf({ mode, roles, jwt, ...auth }: SettingValues['auth']) {
  const { read, write } = roles;
  const groups: Roles | null =
    read === null && write === null ? null : { read: read ?? [], write: write ?? [] };
  const trustedProxies = auth.trustedProxies ?? [];
  switch (mode) {
    case 'token':
      return { mode, variable: variableIn(auth.tokenRef) ?? '', trustedProxies };
    case 'trusted-header': {
      const { header, rolesHeader } = auth;
      return { mode, header: header ?? '', rolesHeader, roles: groups, trustedProxies };
    }
    case 'jwt':
      return {
        mode,
        issuer: jwt.issuer ?? '',
        audience: [jwt.audience ?? []].flat(),
        jwksUrl: jwt.jwksUrl ?? '',
        userClaim: jwt.userClaim,
        rolesClaim: jwt.rolesClaim,
        header: jwt.header,
        roles: groups,
        trustedProxies,
      };
    default:
      return { mode: mode ?? ('unset' as const) };
  }
}

type RuntimeValues = SettingValues['runtime'];

/** The settings of the runtimes. */
export function runtimeOf({ default: chosen, native, claude, external }: RuntimeValues) {
  const { apiKey, prices, headers, ...rest } = native;
  return {
    default: chosen,
    native: {
      ...rest,
      keyVariable: variableIn(apiKey?.ref),
      prices: pricesOf(prices),
      headers: mapped(headers, (held) =>
        typeof held === 'string' ? { value: held } : { variable: variableIn(held.ref) ?? '' },
      ),
    },
    claude: {
      model: claude.model,
      baseUrl: claude.baseUrl,
      keyVariable: variableIn(claude.apiKey?.ref),
      projectInstructions: claude.projectInstructions,
      prices: pricesOf(claude.prices),
    },
    external: mapped(external, (own) => ({ ...own, prices: pricesOf(own.prices) })),
  };
}

function pricesOf(prices: RuntimeValues['native']['prices']) {
  const { inputPerMillionUsd, outputPerMillionUsd } = prices ?? {};
  return inputPerMillionUsd === undefined || outputPerMillionUsd === undefined
    ? null
    : { inputPerMillionUsd, outputPerMillionUsd };
}

const BY_DEFAULT: readonly AlertType[] = ALERT_TYPES.filter((type) => type !== 'digest');

function notifyOf({ sinks, heartbeat }: SettingValues['notify']) {
  return {
    sinks: mapped(sinks, ({ url = '', secret, command, args, on, threshold, cooldown }) => {
      const rules = { on: [...new Set(on ?? BY_DEFAULT)], threshold, cooldownMs: cooldown };
      const variable = variableIn(secret?.ref) ?? '';
      return command === undefined
        ? { ...rules, kind: 'webhook' as const, url, variable }
        : { ...rules, kind: 'command' as const, command, args };
    }),
    heartbeat: heartbeat === null ? null : { url: heartbeat.url, everyMs: heartbeat.every },
  };
}

/** Whether headers are ignored: they may contain credentials for the collector in the file, so another one does not get them. */
export function areHeadersUnused(sourceOf: SourceOf): boolean {
  const [headers, url] = ['headers', 'url'].map((name) => sourceOf(`telemetry.traces.${name}`));
  return headers === 'file' && url === 'environment';
}

function telemetryOf(
  { traces, serviceName, resource, disabled }: SettingValues['telemetry'],
  sourceOf: SourceOf,
) {
  const headers = areHeadersUnused(sourceOf) ? {} : traces.headers;
  return {
    traces: {
      /** null: tracing is disabled. */
      url: disabled ? null : traces.url,
      /** Names of the environment variables with header values, by header name. */
      headers: mapped(headers, ({ ref }) => variableIn(ref) ?? ''),
      ratio: traces.ratio,
    },
    serviceName,
    resource,
  };
}

function mapped<V, T>(
  map: Readonly<Record<string, V>>,
  change: (value: V) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}

const HEADER_VALUE = new RegExp(headerValuePattern);

/** Whether a value can be sent in a header: printable ASCII, without leading or trailing spaces. */
export function isHeaderValue(value: string): boolean {
  return HEADER_VALUE.test(value);
}

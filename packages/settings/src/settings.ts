import { ALERT_TYPES, type AlertType } from '@svc/alerts';
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

/** The sources of settings, by key. */
export type SourceOf = (key: string) => SettingSource | undefined;

/** The settings from valid values. */
export function settingsOf(values: SettingValues, sourceOf: SourceOf) {
  const { drainTimeout, tls, ...server } = values.server;
  const { minInterval, turnTimeout, ...limits } = values.limits;
  const { certFile, keyFile } = tls;
  const { user, sandbox, ...agents } = values.agents;
  const named = (key: string, variable: string): string =>
    sourceOf(key) === 'environment' ? variable : key;
  const keeperGates = {
    read: values.selfMcpEnabled,
    write: values.selfMcpWriteEnabled,
    projects: values.selfMcpProjectsEnabled,
    hooks: values.hooksMcpEnabled,
  };
  return {
    server: {
      ...server,
      drainTimeoutMs: drainTimeout,
      /** PEM files, relative to the home folder; null: plain HTTP. */
      tls: certFile === null || keyFile === null ? null : { certFile, keyFile },
    },
    auth: authOf(values.auth),
    keeperGates,
    maxSpawnDepth: values.maxSpawnDepth,
    limits: { ...limits, minIntervalMs: minInterval, turnTimeoutMs: turnTimeout },
    retention: { runs: values.retention.runs, ageMs: values.retention.age },
    // With the setting that the value is from: the key in the file, or the variable.
    database: { ...values.database, setting: named('database.url', 'SVC_DATABASE_URL') },
    projects: { ...values.projects, setting: named('projects.dir', 'SVC_PROJECTS_DIR') },
    curator: { delayMs: values.curator.delay },
    runtime: runtimeOf(values.runtime),
    notify: notifyOf(values.notify),
    agents: { ...agents, sandbox: sandboxOf(sandbox), user: user === null ? null : String(user) },
    log: values.log,
    telemetry: telemetryOf(values.telemetry, sourceOf),
    managementApi: values.managementApi,
    envFile: values.envFile,
  };
}

function sandboxOf({ memory, cpuTime, ...sandbox }: SettingValues['agents']['sandbox']) {
  return { ...sandbox, memoryBytes: memory, cpuMs: cpuTime };
}

/** The variable in `env:NAME`; null without a reference. */
function variableIn(reference: string | null | undefined): string | null {
  return reference?.slice('env:'.length) ?? null;
}

/** Settings of the mode. */
function authOf({ mode, roles, jwt, ...auth }: SettingValues['auth']) {
  const { read, write } = roles;
  const groups = read === null && write === null ? null : { read: read ?? [], write: write ?? [] };
  const trustedProxies = auth.trustedProxies ?? [];
  switch (mode) {
    case 'token':
      return { mode, variable: variableIn(auth.tokenRef) ?? '', trustedProxies };
    case 'trusted-header': {
      const { header, rolesHeader } = auth;
      return { mode, header: header ?? '', rolesHeader, roles: groups, trustedProxies };
    }
    case 'jwt': {
      const { issuer, audience, jwksUrl, ...claims } = jwt;
      const issued = { issuer: issuer ?? '', audience: [audience ?? []].flat() };
      const keys = { jwksUrl: jwksUrl ?? '', trustedProxies };
      return { mode, ...issued, ...keys, ...claims, roles: groups };
    }
    default:
      return { mode: mode ?? ('unset' as const) };
  }
}

type RuntimeValues = SettingValues['runtime'];

/** The settings of the runtimes. */
export function runtimeOf({ native, claude, external, ...runtime }: RuntimeValues) {
  const headers = mapped(native.headers, (held) =>
    typeof held === 'string' ? { value: held } : { variable: variableIn(held.ref) ?? '' },
  );
  return {
    ...runtime,
    native: { ...withKey(native), headers },
    claude: withKey(claude),
    external: mapped(external, (own) => ({ ...own, prices: pricesOf(own.prices) })),
  };
}

function withKey<R extends Pick<RuntimeValues['claude'], 'apiKey' | 'prices'>>(runtime: R) {
  const { apiKey, prices, ...rest } = runtime;
  return { ...rest, keyVariable: variableIn(apiKey?.ref), prices: pricesOf(prices) };
}

function pricesOf(prices: RuntimeValues['claude']['prices']) {
  const { inputPerMillionUsd = null, outputPerMillionUsd = null } = prices ?? {};
  return inputPerMillionUsd === null || outputPerMillionUsd === null
    ? null
    : { inputPerMillionUsd, outputPerMillionUsd };
}

const BY_DEFAULT: readonly AlertType[] = ALERT_TYPES.filter((type) => type !== 'digest');

function notifyOf({ sinks, heartbeat }: SettingValues['notify']) {
  return {
    sinks: mapped(sinks, ({ url, secret, command, args, on, threshold, cooldown }) => {
      const rules = { on: [...new Set(on ?? BY_DEFAULT)], threshold, cooldownMs: cooldown };
      const variable = variableIn(secret?.ref) ?? '';
      return command === null
        ? { ...rules, kind: 'webhook' as const, url: url ?? '', variable }
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
  { traces, disabled, ...service }: SettingValues['telemetry'],
  sourceOf: SourceOf,
) {
  /** Names of the environment variables with header values, by header name. */
  const headers = mapped(traces.headers, ({ ref }) => variableIn(ref) ?? '');
  return {
    traces: {
      ...traces,
      /** null: tracing is disabled. */
      url: disabled ? null : traces.url,
      headers: areHeadersUnused(sourceOf) ? {} : headers,
    },
    ...service,
  };
}

type MapOf<T> = Readonly<Record<string, T>>;

function mapped<V, T>(map: MapOf<V>, change: (value: V) => T): MapOf<T> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}

const HEADER_VALUE = new RegExp(headerValuePattern);

/** Whether a value can be sent in a header: printable ASCII, without leading or trailing spaces. */
export function isHeaderValue(value: string): boolean {
  return HEADER_VALUE.test(value);
}

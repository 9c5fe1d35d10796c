import { resolve } from 'node:path';
import { proxyOf } from '@svc/agent-runtime';
import { ownValue } from '@svc/core';
import { readEnvFile, type Settings, secretsOfAddress, type Variables } from '@svc/settings';
import type { Home } from './home.ts';

/** The values of the variables that settings refer to. */
export interface Keys {
  /** The value of a variable; null if it is unset or empty. */
  of(variable: string): string | null;
  /**
   * Values to redact: those of all referenced variables except harmless variables of external runtimes, and the passwords of
   * the database and of proxies.
   */
  readonly secrets: readonly string[];
  /** Names and values of headers for the trace collector from the environment, parsed like the exporter does. */
  readonly collectorHeaders: readonly (readonly [string, string])[];
}

/**
 * Looks up the variables that settings refer to. `envFile` takes precedence over the environment.
 *
 * @throws SettingsError `env_file_unusable`
 */
export async function readKeys(
  home: Home,
  settings: Settings,
  env: Partial<Variables>,
): Promise<Keys> {
  const { envFile } = settings;
  const file = envFile === null ? {} : await readEnvFile(resolve(home.root, envFile));
  const found: Partial<Variables> = { ...env, ...file };
  const of = (variable: string): string | null => {
    const value = ownValue(found, variable)?.trim() ?? '';
    return value === '' ? null : value;
  };
  const pairs = collectorPairsIn(env);
  const secrets = [
    ...[...keyVariables(settings)].flatMap((variable) => of(variable) ?? []),
    ...externalSecrets(settings.runtime.external, of),
    ...databaseSecrets(settings.database, env),
    ...collectorSecrets(pairs),
    ...proxySecrets(of),
  ];
  const collectorHeaders = pairs.filter(([name]) => name !== '');
  return { of, secrets: [...new Set(secrets)], collectorHeaders };
}

// These variables are passed on to an external program, and their names do not show which of them are secrets.
function externalSecrets(
  external: Settings['runtime']['external'],
  of: (variable: string) => string | null,
): string[] {
  return Object.values(external)
    .flatMap(({ env }) => env)
    .filter((variable) => !HARMLESS.test(variable))
    .flatMap((variable) => of(variable) ?? [])
    .filter((value) => value.length >= SHORTEST_KEY);
}

// The database driver uses the password in this variable if the address has none.
function databaseSecrets({ url }: Settings['database'], env: Partial<Variables>): string[] {
  const inPlace = env['PGPASSWORD'] ?? '';
  return url === null ? [] : [...secretsOfAddress(url), ...(inPlace === '' ? [] : [inPlace])];
}

function proxySecrets(of: Keys['of']): string[] {
  const { http = null, https = null } = proxyOf(of) ?? {};
  return [http, https].flatMap((url) =>
    url !== null && URL.canParse(url) ? secretsOfAddress(url) : [],
  );
}

type Pairs = Keys['collectorHeaders'];

// NAME=VALUE pairs separated by commas, percent-encoded; the variable for traces takes precedence. A part without a name is no
// header, but may be the rest of a secret that contains a comma.
function collectorPairsIn(env: Partial<Variables>): Pairs {
  return ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']
    .flatMap((variable) => (env[variable] ?? '').split(','))
    .map((pair) => {
      const end = pair.indexOf('=');
      const name = unescaped(pair.slice(0, Math.max(end, 0)).trim());
      return [name, unescaped(pair.slice(end + 1).trim())];
    });
}

function collectorSecrets(pairs: Pairs): string[] {
  return pairs
    .flatMap(([, value]) => [value, value.replace(/^(Bearer|Basic) +/i, '')])
    .filter((value) => value.length >= SHORTEST_KEY);
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const HARMLESS = /^(HOME|PATH|LANG|LC_\w+|TZ|USER|LOGNAME|SHELL|TERM|TMPDIR|NODE_ENV)$/;
const SHORTEST_KEY = 8;

function keyVariables({ auth, runtime, managementApi, notify, telemetry }: Settings): Set<string> {
  const { native, claude } = runtime;
  const named = [
    native.keyVariable,
    ...Object.values(native.headers).map((held) => ('variable' in held ? held.variable : null)),
    claude.keyVariable,
    auth.mode === 'token' ? auth.variable : null,
    ...Object.values(notify.sinks).map((own) => (own.kind === 'webhook' ? own.variable : null)),
    ...Object.values(telemetry.traces.headers),
    ...referencesIn(managementApi),
  ];
  return new Set(named.filter((variable) => variable !== null));
}

function referencesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap(referencesIn);
  }
  const [, variable] = /^env:([A-Za-z_]\w*)$/.exec(String(value)) ?? [];
  return variable === undefined ? [] : [variable];
}

import { resolve } from 'node:path';
import { proxyOf } from '@svc/agent-runtime';
import { secretsOfAddress } from './database-settings.ts';
import { readEnvFile, type Variables } from './env-file.ts';
import type { Home } from './home.ts';
import type { Settings } from './setting-table.ts';

/** What the variables hold that settings refer to. */
export interface Keys {
  /** The value of a variable; null where it has none. */
  of(variable: string): string | null;
  /** Values of all variables that the settings refer to, but for what variables of external runtimes hold that is no secret; and the passwords of the database and of proxies. */
  readonly secrets: readonly string[];
  /** Names and values of the headers that the environment has sent to a collector of traces, as the exporter reads them. */
  readonly collectorHeaders: readonly (readonly [string, string])[];
}

/**
 * Looks up what settings refer to: in the environment and, stronger, in `envFile`.
 *
 * @throws ServerError `env_file_unusable`
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
    const value = found[variable]?.trim() ?? '';
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

// Its variables are handed on as they are, and no name says which of them is a key.
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

// What speaks to the server takes the password from this variable where the address has none.
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

// NAME=VALUE,NAME=VALUE with % forms; those for traces alone come last, and win. What has no name is no header to the
// exporter, and may be part of a secret with a comma in it all the same.
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

import { resolve } from 'node:path';
import { readEnvFile, type Variables } from './env-file.ts';
import type { Home } from './home.ts';
import type { Settings } from './setting-table.ts';

/** What the variables hold that settings refer to. */
export interface Keys {
  /** The value of a variable; null where it has none. */
  of(variable: string): string | null;
  /** Values of all variables that the settings refer to. */
  readonly secrets: readonly string[];
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
  const secrets = [...variablesOf(settings)].flatMap((variable) => of(variable) ?? []);
  return { of, secrets };
}

function variablesOf({ auth, runtime, managementApi }: Settings): Set<string> {
  const { native, claude, external } = runtime;
  const named = [
    native.keyVariable,
    claude.keyVariable,
    ...Object.values(external).flatMap(({ env }) => env),
    auth.mode === 'token' ? auth.variable : null,
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

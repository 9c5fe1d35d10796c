import { type Checked, type Issue, invalid, success } from '@svc/core';

/** A setting: its sources, valid values and default. */
export interface SettingRow {
  readonly key: string;
  /** Environment variables that set it; the first one that is set applies. */
  readonly env: readonly string[];
  readonly fallback: unknown;
  /** Whether an empty environment variable is an error. Default: it counts as unset. */
  readonly refusesEmpty?: boolean;
  /** Converts the values of environment variables, by variable name. Default: no conversion. */
  readonly convert?: Readonly<Record<string, (text: string) => string>>;
  /** Whether null in the file is a value. Default: it counts as unset. */
  readonly takesNull?: boolean;
  /**
   * Whether its environment variables are standard variables, meant for all programs on the host: an invalid value is then a
   * warning and has no effect.
   */
  readonly isOfHost?: boolean;
  readonly parse: (value: unknown) => Read;
}

/** A parsed value with its unknown keys, which have no effect; or its errors. */
type Read = Checked<unknown> & { readonly unknown?: readonly Issue[] };

/** Parses the value of a setting. */
export type Parse = SettingRow['parse'];

export const row = (
  key: string,
  fallback: unknown,
  parse: Parse,
  ...env: string[]
): SettingRow => ({ key, env, fallback, parse });

export const refuse = (message: string): ReturnType<typeof invalid> =>
  invalid({ path: '', message });

export const text: Parse = (value) =>
  typeof value === 'string' && value.trim() !== ''
    ? success(value.trim())
    : refuse('must be a non-empty string.');

export const names: Parse = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '')
    ? success(value)
    : refuse('must be a list of strings.');

/**
 * Parses `env:NAME`, a reference to the environment variable with a secret.
 *
 * @param what name of the secret in errors
 */
export const referenceTo =
  (what: string): Parse =>
  (value) => {
    const [, variable] = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(String(value)) ?? [];
    return variable === undefined
      ? refuse(
          `must be env:NAME, the environment variable that holds the ${what}: a ${what} must not be in the file.`,
        )
      : success(variable);
  };

/** Parses a whole number from `min` to `max`. */
export const integer =
  (min: number, max: number): Parse =>
  (value) => {
    const number = typeof value === 'string' && /^\d{1,8}$/.test(value) ? Number(value) : value;
    const fits = typeof number === 'number' && Number.isInteger(number);
    return fits && number >= min && number <= max
      ? success(number)
      : refuse(`must be a whole number from ${min} to ${max}.`);
  };

/** Parses true or false. For environment variables also 1 and 0; empty is false. */
export const flag: Parse = (value) => {
  if (value === true || value === 'true' || value === '1') return success(true);
  const no = value === false || value === 'false' || value === '0' || value === '';
  return no ? success(false) : refuse('must be true or false.');
};

import { type Checked, type Issue, invalid, success } from '@svc/core';

/** One setting: where it comes from, what it may be, what it is when nobody says. */
export interface SettingRow {
  readonly key: string;
  /** Environment variables that set it, strongest first. */
  readonly env: readonly string[];
  readonly fallback: unknown;
  /** Whether an empty variable of the environment is a mistake, and not as if there were none. */
  readonly refusesEmpty?: boolean;
  /** Makes of what such a variable says what the setting is to be, by its name. Default: it is taken as it is. */
  readonly spelt?: Readonly<Record<string, (text: string) => string>>;
  /** Whether null in the file is a value, and not as if nothing stood there. */
  readonly takesNull?: boolean;
  /**
   * Whether its variables are meant for all programs of a host: what they say and this one cannot take is a warning then, as if
   * they were not set.
   */
  readonly isOfHost?: boolean;
  readonly parse: (value: unknown) => Read;
}

/** A value that was read, with parts of it that are not known and have no effect; or what is wrong with it. */
type Read = Checked<unknown> & { readonly unknown?: readonly Issue[] };

/** Reads the value of a setting. */
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

/** Reads `env:NAME`, the environment variable that holds a secret; `what` names the secret. */
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

/** Reads a whole number between two limits, both included. */
export const integer =
  (min: number, max: number): Parse =>
  (value) => {
    const number = typeof value === 'string' && /^\d{1,8}$/.test(value) ? Number(value) : value;
    const fits = typeof number === 'number' && Number.isInteger(number);
    return fits && number >= min && number <= max
      ? success(number)
      : refuse(`must be a whole number from ${min} to ${max}.`);
  };

/** Reads a yes or a no. */
export const flag: Parse = (value) => {
  if (value === true || value === 'true' || value === '1') return success(true);
  const no = value === false || value === 'false' || value === '0' || value === '';
  return no ? success(false) : refuse('must be true or false.');
};

import { type Checked, invalid, success } from '@svc/core';

/** One setting: where it comes from, what it may be, what it is when nobody says. */
export interface SettingRow {
  readonly key: string;
  /** Environment variables that set it, strongest first. */
  readonly env: readonly string[];
  readonly fallback: unknown;
  readonly parse: (value: unknown) => Checked<unknown>;
}

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
    : refuse('must be a text that is not empty.');

export const names: Parse = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '')
    ? success(value)
    : refuse('must be a list of texts.');

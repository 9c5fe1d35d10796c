import { shownOrigin } from '@svc/core';
import { shownAddress } from './database-address.ts';
import { formatOf } from './formats.ts';
import type { SourcedValue } from './resolve-settings.ts';
import { SETTING_TABLE, type Setting } from './setting-table.ts';
import type { SettingSource } from './settings.ts';

type Shown = string | number | boolean | null | readonly string[];

/** The effective value of a setting for users, and its source. */
export interface EffectiveSetting {
  readonly value: Shown;
  readonly source: SettingSource;
}

/** Values that are shown in another form than in the file. */
const SHOWN_AS: Readonly<Record<string, (value: unknown) => Shown>> = {
  'auth.mode': (value) => (value ?? 'unset') as Shown,
  // Users sometimes enter the value of a variable instead of its name; a value may be secret.
  'agents.env': (value) =>
    (value as readonly string[]).map((name) =>
      /^(?:[A-Z_][A-Z0-9_]*|[a-z]+_proxy)$/.test(name) ? name : '(hidden)',
    ),
  'database.url': (value) => (value === null ? null : shownAddress(String(value))),
  'telemetry.traces.url': (value) => (value === null ? null : shownOrigin(String(value))),
};

function shownValue({ key, schema }: Setting, value: unknown): Shown {
  const show = SHOWN_AS[key];
  if (show !== undefined) return show(value);
  const format = formatOf(schema);
  return value === null || format?.show === undefined ? (value as Shown) : format.show(value);
}

/** The effective settings for users by key. Settings that may hold a secret are not shown. */
export function effectiveSettings(
  sourced: ReadonlyMap<string, SourcedValue>,
): Readonly<Record<string, EffectiveSetting>> {
  const shown = SETTING_TABLE.filter(({ schema }) => schema['x-shown'] === true);
  const entries = shown.flatMap((setting) => {
    const { key } = setting;
    const found = sourced.get(key);
    if (found === undefined) return [];
    return [[key, { value: shownValue(setting, found.value), source: found.source }] as const];
  });
  return Object.fromEntries(entries);
}

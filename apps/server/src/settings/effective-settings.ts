import type { EffectiveSetting, EffectiveSettings } from '@svc/ops';
import { originOf } from '../alerting.ts';
import type { Management } from '../management.ts';
import { shownAddress } from './database-address.ts';
import { formatOf } from './formats.ts';
import type { SourcedValue } from './resolve-settings.ts';
import { SETTING_TABLE, type Setting } from './setting-table.ts';

type Shown = EffectiveSetting['value'];

/** Values that are shown in another form than in the file. */
const SHOWN_AS: Readonly<Record<string, (value: unknown) => Shown>> = {
  'auth.mode': (value) => (value ?? 'unset') as Shown,
  // Users sometimes enter the value of a variable instead of its name; a value may be secret.
  'agents.env': (value) =>
    (value as readonly string[]).filter((name) => /^[A-Za-z_]\w*$/.test(name)),
  'database.url': (value) => (value === null ? null : shownAddress(String(value))),
  'telemetry.traces.url': (value) => (value === null ? null : originOf(String(value))),
};

function shownValue({ key, schema }: Setting, value: unknown): Shown {
  const show = SHOWN_AS[key];
  if (show !== undefined) return show(value);
  const format = formatOf(schema);
  return value === null || format?.show === undefined ? (value as Shown) : format.show(value);
}

/** Creates a function that returns the effective settings, as resolved at start, and the current management clients. */
export function createEffectiveSettings(
  sourced: ReadonlyMap<string, SourcedValue>,
  management: Pick<Management, 'current'>,
): () => EffectiveSettings {
  // Other settings are not shown: a new setting may hold a secret.
  const shown = SETTING_TABLE.filter(({ schema }) => schema['x-shown'] === true);
  const entries = shown.flatMap((setting) => {
    const { key } = setting;
    const found = sourced.get(key);
    if (found === undefined) return [];
    return [[key, { value: shownValue(setting, found.value), source: found.source }] as const];
  });
  const settings = Object.fromEntries(entries);
  return () => ({
    settings,
    clients: (management.current?.clients ?? []).map(({ clientId, scope }) => ({
      clientId,
      scope,
    })),
  });
}

import type { Issue } from '@svc/core';
import { checkValues, type GivenValue, type ValueIssue } from './check-values.ts';
import { combinationFaults } from './setting-rules.ts';
import { groupValues, readValue, SETTING_TABLE, type Setting, typesOf } from './setting-table.ts';
import { type SettingSource, type Settings, settingsOf } from './settings.ts';
import { isWithin, readSettingsText } from './settings-file.ts';

/** The sources of settings, highest precedence first. */
export interface SettingSources {
  /** Values from command line options, by setting key. */
  readonly flags: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text of `svc.config.yaml`; null if it does not exist. */
  readonly file: string | null;
}

/** A value and its source. */
export interface SourcedValue {
  readonly value: unknown;
  readonly source: SettingSource;
}

/** The resolved settings, or the errors. */
export type ResolvedSettings =
  | {
      readonly ok: true;
      readonly settings: Settings;
      readonly warnings: readonly Issue[];
      /** All settings by key. */
      readonly sourced: ReadonlyMap<string, SourcedValue>;
    }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Resolves all settings. Precedence: flag, environment, file, default. */
export function resolveSettings(sources: SettingSources): ResolvedSettings {
  const text = readSettingsText(sources.file ?? '');
  if (!text.ok) return text;
  const given = givenValues(sources, text.values);
  const { values, issues: found } = checkValues([...given.values()]);
  const { issues, failed, ineffective } = sorted(found, given, text);
  const sourced = sourcedValues(given, values, failed);
  const all = groupValues((key) => sourced.get(key)?.value);
  const sourceOf = (key: string) => sourced.get(key)?.source;
  const together = combinationFaults(all, sourceOf);
  const causes = [...failed, ...text.failed];
  const faults = together.issues.filter(({ path }) => !isConsequence(causes, path));
  issues.unshift(...text.issues);
  issues.push(...faults.map((fault) => withPosition(fault, text)));
  if (issues.length > 0) return { ok: false, issues };
  const idle = together.warnings.map((warning) => withPosition(warning, text));
  const warnings = [...text.warnings, ...ineffective, ...idle];
  return { ok: true, settings: settingsOf(all, sourceOf), warnings, sourced };
}

type File = Extract<ReturnType<typeof readSettingsText>, { ok: true }>;

/** The problems of values with their places: errors of settings, which then have their default, and warnings. */
function sorted(found: readonly ValueIssue[], given: ReadonlyMap<string, Given>, file: File) {
  const issues: Issue[] = [];
  const ineffective: Issue[] = [];
  const failed = new Set<string>();
  for (const { path, message, isUnknown, isHidden } of found) {
    const [key = '', ...below] = path;
    const { setting, source, at } = given.get(key) as Given;
    const whole = [...at, ...below];
    const position = source === 'file' && file.locate(whole);
    const shown = isHidden ? whole.slice(0, -1) : whole;
    const issue = { path: shown.join('.'), message, ...position };
    const isOfHost = source === 'environment' && setting.schema['x-ofHost'] === true;
    if (!isUnknown) failed.add(key);
    if (isUnknown) ineffective.push(issue);
    else if (isOfHost) ineffective.push({ ...issue, message: `has no effect: it ${message}` });
    else issues.push(issue);
  }
  return { issues, ineffective, failed };
}

function sourcedValues(
  given: ReadonlyMap<string, Given>,
  values: Readonly<Record<string, unknown>>,
  failed: ReadonlySet<string>,
): Map<string, SourcedValue> {
  return new Map(
    SETTING_TABLE.map(({ key, schema }) => {
      const own = failed.has(key) ? undefined : given.get(key);
      const value = own?.value === null ? null : values[key];
      return own === undefined || value === undefined
        ? [key, { value: readValue(schema, undefined), source: 'default' }]
        : [key, { value: readValue(schema, value), source: own.source }];
    }),
  );
}

/** Adds the position of a setting that is in the file. */
function withPosition(issue: Issue, { values, locate }: File): Issue {
  const isWritten = [...values.keys()].some((key) => isWithin(issue.path, key));
  return isWritten ? { ...issue, ...locate(issue.path.split('.')) } : issue;
}

// A setting with an error has its default value, so further errors that depend on it may be wrong and are omitted.
function isConsequence(failed: readonly string[], path: string): boolean {
  if (failed.some((key) => isWithin(path, key))) return true;
  const cause = CAUSES[path];
  return cause !== undefined && failed.some((key) => cause.test(key));
}

/** Settings that the validation of other settings depends on. */
const CAUSES: Readonly<Record<string, RegExp>> = {
  'runtime.default': /^runtime\.external$/,
  'limits.costPerDayUsd': /\.prices$/,
};

interface Given extends GivenValue {
  readonly source: SettingSource;
  /** The path of the setting, or the name of the variable. */
  readonly at: readonly string[];
}

function givenValues(
  { flags, env }: SettingSources,
  file: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Given> {
  const given = SETTING_TABLE.flatMap((setting): Given | [] => {
    const { key, path, schema } = setting;
    const flag = flags[key];
    const inFile = file.get(key);
    const isNull = inFile === null && !typesOf(schema).includes('null');
    if (flag !== undefined) return { setting, source: 'flag', value: flag, at: [key] };
    const found = givenByVariable(setting, env);
    if (found !== null) return found;
    if (inFile === undefined || isNull) return [];
    return { setting, source: 'file', value: readText(setting, inFile), at: path };
  });
  return new Map(given.map((one) => [one.setting.key, one]));
}

function givenByVariable(setting: Setting, env: SettingSources['env']): Given | null {
  const { schema } = setting;
  for (const name of setting.env) {
    const text = env[name];
    if (text === undefined || (text === '' && schema['x-refusesEmpty'] !== true)) continue;
    const value = FROM_ENVIRONMENT[name]?.(text) ?? readText(setting, text);
    return { setting, source: 'environment', value, at: [name] };
  }
  return null;
}

// Texts that stand for other values: 1 and 0 for true and false, and NAME=VALUE,NAME=VALUE for attributes.
function readText({ key, schema }: Setting, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (key === 'telemetry.resource') return pairsIn(value);
  return typesOf(schema).includes('boolean') && /^[01]$/.test(value) ? value === '1' : value;
}

/** Variables whose text is not the value of their setting. The OpenTelemetry specification defines their meaning. */
const FROM_ENVIRONMENT: Readonly<Record<string, (text: string) => unknown>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: (text) => `${text.replace(/\/+$/, '')}/v1/traces`,
  OTEL_SDK_DISABLED: (text) => text.trim().toLowerCase() === 'true',
  OTEL_TRACES_EXPORTER: (text) => text.trim().toLowerCase() === 'none',
};

/** The map in `NAME=VALUE,NAME=VALUE`; the text itself if it is invalid. */
function pairsIn(list: string): Record<string, string> | string {
  const pairs = list.split(',').filter((pair) => pair.trim() !== '');
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
        if (name === '') throw new TypeError('expected NAME=VALUE');
        return [name, decodeURIComponent(value.trim())];
      }),
    );
  } catch {
    return list;
  }
}

import type { Issue } from '@svc/core';
import { authFaults, authOf } from './auth-settings.ts';
import { type FileValue, parseConfigFile } from './config-file.ts';
import { costFaults } from './cost-settings.ts';
import { runtimeFaults, runtimeOf } from './runtime-settings.ts';
import type { SettingRow } from './setting-row.ts';
import { SETTING_TABLE, type Settings } from './setting-table.ts';
import { telemetryOf, unusedHeaders } from './telemetry-settings.ts';

/** Values from command line options, by setting key. */
type Flags = Readonly<Record<string, string>>;

/** The sources of settings, highest precedence first. */
export interface SettingSources {
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text of `svc.config.yaml`; null if it does not exist. */
  readonly file: string | null;
}

/** A parsed value and its source. */
export interface SourcedValue {
  readonly value: unknown;
  readonly source: 'default' | 'file' | 'environment' | 'flag';
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
  const file = parseConfigFile(sources.file ?? '');
  if (!file.ok) return file;
  const values = new Map<string, unknown>();
  const sourced = new Map<string, SourcedValue>();
  const issues: Issue[] = [...file.issues];
  const failed: string[] = issues.map(({ path }) => path);
  const ineffective: Issue[] = [];
  for (const row of SETTING_TABLE) {
    const given = givenValue(row, sources, file.values);
    const unset = (): void => {
      values.set(row.key, row.fallback);
      sourced.set(row.key, { value: row.fallback, source: 'default' });
    };
    if (given === null) {
      unset();
      continue;
    }
    const parsed = row.parse(given.value);
    const inFile = (found: readonly Issue[]): Issue[] =>
      found.map((one) => withPositionIn(given, one));
    ineffective.push(...inFile(parsed.unknown ?? []));
    if (parsed.ok) {
      values.set(row.key, parsed.value);
      sourced.set(row.key, { value: parsed.value, source: given.source });
    } else if (row.isOfHost === true && given.source === 'environment') {
      unset();
      const [{ message } = { message: '' }] = parsed.issues;
      ineffective.push({ path: given.at.path, message: `has no effect: it ${message}` });
    } else {
      unset();
      failed.push(row.key);
      issues.push(...inFile(parsed.issues));
    }
  }
  const auth = authFaults(values);
  const runtime = runtimeFaults(values);
  const together = [
    ...incompleteTlsPair(values),
    ...auth.issues,
    ...runtime.issues,
    ...costFaults(values),
  ];
  const faults = together.filter((fault) => !isConsequence(failed, fault));
  issues.push(...faults.map((fault) => withPosition(fault, file)));
  if (issues.length > 0) return { ok: false, issues };
  ineffective.push(...unusedHeaders(sourced));
  const warnings = [
    ...[...file.warnings, ...ineffective],
    ...[...auth.warnings, ...runtime.warnings, ...ineffectiveGates(values)],
  ];
  return { ok: true, settings: settingsOf(values, sourced), warnings, sourced };
}

/** Adds the path of the setting to that of the part, and the position in the file. */
function withPositionIn({ at, within }: Given, issue: Issue): Issue {
  const path = issue.path === '' ? at.path : `${at.path}.${issue.path}`;
  return { ...at, ...within?.(issue.path), ...issue, path };
}

// A setting with an error has its default value, so further errors that depend on it may be wrong and are omitted.
function isConsequence(failed: readonly string[], { path }: Issue): boolean {
  const isOpen = (key: string): boolean => path === key || path.startsWith(`${key}.`);
  if (failed.some(isOpen)) return true;
  const cause = CAUSES[path];
  return cause !== undefined && failed.some((key) => cause.test(key));
}

/** Settings that the validation of other settings depends on. */
const CAUSES: Readonly<Record<string, RegExp>> = {
  'runtime.default': /^runtime\.external$/,
  'limits.costPerDayUsd': /\.prices(\.|$)/,
};

// Each of these gates has an effect only if the gate it needs is open.
const GATE_ORDER: readonly (readonly [key: string, needs: string])[] = [
  ['selfMcpWriteEnabled', 'selfMcpEnabled'],
  ['selfMcpProjectsEnabled', 'selfMcpWriteEnabled'],
  ['hooksMcpEnabled', 'selfMcpWriteEnabled'],
];

function ineffectiveGates(values: ReadonlyMap<string, unknown>): Issue[] {
  return GATE_ORDER.filter(([key, needs]) => values.get(key) === true && !values.get(needs)).map(
    ([key, needs]) => ({ path: key, message: `has no effect without ${needs}.` }),
  );
}

const TLS_FILES = ['server.tls.certFile', 'server.tls.keyFile'] as const;

// With an incomplete pair the server must not fall back to plain HTTP.
function incompleteTlsPair(values: ReadonlyMap<string, unknown>): Issue[] {
  const missing = TLS_FILES.filter((key) => (values.get(key) ?? null) === null);
  const [path] = missing;
  if (path === undefined || missing.length === TLS_FILES.length) return [];
  const given = TLS_FILES.find((key) => key !== path);
  return [{ path, message: `is required because ${given} is set.` }];
}

/** Adds the position in the file, if the setting is in the file. */
function withPosition(issue: Issue, { values }: { values: ReadonlyMap<string, FileValue> }): Issue {
  const found = values.get(issue.path);
  return found === undefined ? issue : { ...issue, line: found.line, column: found.column };
}

interface Given {
  readonly source: SourcedValue['source'];
  readonly value: unknown;
  readonly at: Omit<Issue, 'message'>;
  /** The position of a part of the value, as deep as it exists. */
  readonly within?: FileValue['within'];
}

function givenValue(
  row: SettingRow,
  sources: SettingSources,
  file: ReadonlyMap<string, FileValue>,
): Given | null {
  const flag = sources.flags[row.key];
  if (flag !== undefined) return { value: flag, source: 'flag', at: { path: row.key } };
  for (const name of row.env) {
    const value = sources.env[name];
    if (value !== undefined && (value !== '' || row.refusesEmpty === true))
      return {
        value: row.convert?.[name]?.(value) ?? value,
        source: 'environment',
        at: { path: name },
      };
  }
  const found = file.get(row.key);
  if (found === undefined || (found.value === null && row.takesNull !== true)) return null;
  const { value, within, ...at } = found;
  return { value, within, source: 'file', at: { path: row.key, ...at } };
}

function settingsOf(
  values: ReadonlyMap<string, unknown>,
  sourced: ReadonlyMap<string, SourcedValue>,
): Settings {
  const get = <T>(key: string): T => values.get(key) as T;
  const named = (key: string, variable: string): string =>
    sourced.get(key)?.source === 'environment' ? variable : key;
  return {
    server: {
      host: get('server.host'),
      port: get('server.port'),
      publicHosts: get('server.publicHosts'),
      drainTimeoutMs: get('server.drainTimeout'),
      tls: tlsOf(get('server.tls.certFile'), get('server.tls.keyFile')),
    },
    auth: authOf(values),
    keeperGates: {
      read: get('selfMcpEnabled'),
      write: get('selfMcpWriteEnabled'),
      projects: get('selfMcpProjectsEnabled'),
      hooks: get('hooksMcpEnabled'),
    },
    maxSpawnDepth: get('maxSpawnDepth'),
    limits: {
      concurrentTurns: get('limits.concurrentTurns'),
      concurrentTurnsPerProject: get('limits.concurrentTurnsPerProject'),
      minIntervalMs: get('limits.minInterval'),
      turnTimeoutMs: get('limits.turnTimeout'),
      filesPerTurn: get('limits.filesPerTurn'),
      bytesPerTurn: get('limits.bytesPerTurn'),
      firesPerDay: get('limits.firesPerDay'),
      costPerDayUsd: get('limits.costPerDayUsd'),
    },
    retention: { runs: get('retention.runs'), ageMs: get('retention.age') },
    database: { url: get('database.url'), setting: named('database.url', 'SVC_DATABASE_URL') },
    projects: { dir: get('projects.dir'), setting: named('projects.dir', 'SVC_PROJECTS_DIR') },
    curator: { delayMs: get('curator.delay') },
    runtime: runtimeOf(values),
    notify: get('notify'),
    agents: { env: get('agents.env'), user: get('agents.user') },
    log: { level: get('log.level'), format: get('log.format') },
    telemetry: telemetryOf(values, sourced),
    managementApi: get('managementApi'),
    envFile: get('envFile'),
  };
}

function tlsOf(certFile: string | null, keyFile: string | null): Settings['server']['tls'] {
  return certFile === null || keyFile === null ? null : { certFile, keyFile };
}

import { parseDuration, success } from '@svc/core';
import type { KeeperGates } from '@svc/ops';
import { AUTH_ROWS, type AuthSettings } from './auth-settings.ts';
import { dollars } from './cost-settings.ts';
import { type DatabaseSettings, databaseUrl } from './database-settings.ts';
import { NO_NOTIFICATIONS, type NotifySettings, notify } from './notify-settings.ts';
import { RUNTIME_ROWS, type RuntimeSettings } from './runtime-settings.ts';
import {
  flag,
  integer,
  names,
  type Parse,
  refuse,
  row,
  type SettingRow,
  text,
} from './setting-row.ts';
import { TELEMETRY_ROWS, type TelemetrySettings } from './telemetry-settings.ts';

/** The effective settings. */
export interface Settings {
  readonly server: {
    readonly host: string;
    /** 0: any free port. */
    readonly port: number;
    readonly publicHosts: readonly string[];
    readonly drainTimeoutMs: number;
    /** PEM files, relative to the home folder; null: plain HTTP. */
    readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  };
  readonly auth: AuthSettings;
  /** Which operations agents get as tools. */
  readonly keeperGates: KeeperGates;
  readonly maxSpawnDepth: number;
  readonly limits: {
    readonly concurrentTurns: number;
    readonly concurrentTurnsPerProject: number;
    readonly minIntervalMs: number;
    readonly turnTimeoutMs: number;
    /** Maximum number of files that a turn may write with file tools. */
    readonly filesPerTurn: number;
    readonly bytesPerTurn: number;
    /** Maximum number of fires of all triggers on one day in the time zone of the host; null: no limit. */
    readonly firesPerDay: number | null;
    /** Maximum cost of all turns on one day in the time zone of the host, in US dollars; null: no limit. */
    readonly costPerDayUsd: number | null;
  };
  /** Retention of the runs of each trigger; null: no limit. */
  readonly retention: { readonly runs: number | null; readonly ageMs: number | null };
  readonly database: DatabaseSettings;
  readonly projects: {
    /** Projects folder, relative to the home; null: `projects` in the home. */
    readonly dir: string | null;
    /** The setting that `dir` is from: `projects.dir` or `SVC_PROJECTS_DIR`. */
    readonly setting: string;
  };
  readonly curator: {
    /** How long the curator waits after a turn, so that it covers several turns at once. */
    readonly delayMs: number;
  };
  readonly runtime: RuntimeSettings;
  /** Sinks and heartbeat of alerts. */
  readonly notify: NotifySettings;
  readonly agents: {
    /** Names of environment variables that agents get. */
    readonly env: readonly string[];
    /** Name or number of the user that agents run as; null: the user of the service. */
    readonly user: string | null;
  };
  readonly log: { readonly level: string; readonly format: 'auto' | 'json' | 'pretty' };
  readonly telemetry: TelemetrySettings;
  /** The block in the file as plain data; null if absent. */
  readonly managementApi: unknown;
  /** A file of variables with secrets, relative to the home; null: none. */
  readonly envFile: string | null;
}

function oneWordOf(legal: readonly string[]): string {
  return `${legal.slice(0, -1).join(', ')} or ${legal.at(-1)}`;
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

const bytes: Parse = (value) => {
  const text = ['number', 'string'].includes(typeof value) ? String(value) : '';
  const [, digits = '', unit = ''] = /^(\d{1,15})(?: ?([KMG]iB))?$/.exec(text) ?? [];
  const size = digits === '' ? 0 : Number(digits) * (UNITS[unit] ?? 0);
  return size >= 1 && Number.isSafeInteger(size)
    ? success(size)
    : refuse('must be a size such as 500MiB or 1GiB, or a whole number of bytes from 1.');
};

const duration: Parse = (value) => {
  const parsed = parseDuration(value);
  return parsed.ok ? parsed : refuse('must be a duration such as 30s, 15m or 1h.');
};

const DAY_MS = 86_400_000;

const upToADay: Parse = (value) => {
  const parsed = parseDuration(value);
  return parsed.ok && parsed.value <= DAY_MS
    ? parsed
    : refuse('must be a duration from 1s to 24h, such as 5m.');
};

const user: Parse = (value) => {
  const name = typeof value === 'number' ? String(value) : value;
  return typeof name === 'string' && /^[^\s:/-][^\s:/]*$/.test(name)
    ? success(name)
    : refuse('must be the name or the number of a user of this machine.');
};

const oneOf =
  (...legal: readonly string[]): Parse =>
  (value) =>
    legal.includes(value as string) ? success(value) : refuse(`must be ${oneWordOf(legal)}.`);

const orNone =
  (parse: Parse): Parse =>
  (value) =>
    value === null || value === '' ? success(null) : parse(value);

const age: Parse = (value) => {
  const parsed = parseDuration(value);
  return parsed.ok
    ? parsed
    : refuse('must be a duration such as 90d or 12h, up to 366d, or null for no limit.');
};

const keptRuns: Parse = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
    ? success(value)
    : refuse('must be a whole number of 1 or more, or null for no limit.');

const orNull = (key: string, fallback: unknown, parse: Parse): SettingRow => ({
  ...row(key, fallback, (value) => (value === null ? success(null) : parse(value))),
  takesNull: true,
});

/** All settings of `svc.config.yaml`. */
export const SETTING_TABLE: readonly SettingRow[] = [
  row('server.host', '127.0.0.1', text, 'SVC_HOST', 'HOST'),
  row('server.port', 7420, integer(0, 65_535), 'SVC_PORT', 'PORT'),
  row('server.publicHosts', [], names),
  row('server.drainTimeout', 20_000, duration),
  row('server.tls.certFile', null, text),
  row('server.tls.keyFile', null, text),
  ...AUTH_ROWS,
  row('selfMcpEnabled', false, flag, 'SVC_SELF_MCP'),
  row('selfMcpWriteEnabled', false, flag, 'SVC_SELF_MCP_WRITE'),
  row('selfMcpProjectsEnabled', false, flag, 'SVC_SELF_MCP_PROJECTS'),
  row('hooksMcpEnabled', false, flag, 'SVC_HOOKS_MCP'),
  row('maxSpawnDepth', 1, integer(0, 8), 'SVC_MAX_SPAWN_DEPTH'),
  row('limits.concurrentTurns', 4, integer(1, 1000)),
  row('limits.concurrentTurnsPerProject', 2, integer(1, 1000)),
  row('limits.minInterval', 1000, duration),
  row('limits.turnTimeout', 3_600_000, duration),
  row('limits.filesPerTurn', 10_000, integer(1, 1_000_000)),
  row('limits.bytesPerTurn', 1024 ** 3, bytes),
  row('limits.firesPerDay', null, orNone(integer(1, 1_000_000))),
  row('limits.costPerDayUsd', null, orNone(dollars)),
  row('notify', NO_NOTIFICATIONS, notify),
  // If an empty variable counted as unset, a server would start alone, with its own database.
  { ...row('database.url', null, databaseUrl, 'SVC_DATABASE_URL'), refusesEmpty: true },
  { ...row('projects.dir', null, text, 'SVC_PROJECTS_DIR'), refusesEmpty: true },
  orNull('retention.runs', 1000, keptRuns),
  orNull('retention.age', 90 * DAY_MS, age),
  row('curator.delay', 300_000, upToADay),
  ...RUNTIME_ROWS,
  row('agents.env', [], names),
  row('agents.user', null, user),
  row('log.level', 'info', oneOf('debug', 'info', 'warn', 'error'), 'SVC_LOG_LEVEL'),
  row('log.format', 'auto', oneOf('auto', 'json', 'pretty'), 'SVC_LOG_FORMAT'),
  ...TELEMETRY_ROWS,
  row('managementApi', null, success),
  row('envFile', null, text),
];

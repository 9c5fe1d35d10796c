import { ALERT_TYPES, type AlertType } from '@svc/alerts';
import { parseDuration, success } from '@svc/core';
import { didYouMean } from '@svc/trigger-schema';
import { createSettingReport, type SettingReport as Report } from './setting-report.ts';
import { type Parse, referenceTo } from './setting-row.ts';

/** Sinks and heartbeat of alerts. Contains no secrets, except possibly within the addresses. */
export interface NotifySettings {
  /** Sinks by name. */
  readonly sinks: Readonly<Record<string, SinkSettings>>;
  /** URL that is requested after a successful run, at most once in `everyMs` milliseconds; 0: after every success. */
  readonly heartbeat: { readonly url: string; readonly everyMs: number } | null;
}

/** The alert types and the target of a sink. */
export type SinkSettings = {
  readonly on: readonly AlertType[];
  readonly threshold: number;
  readonly cooldownMs: number;
} & (
  | { readonly kind: 'webhook'; readonly url: string; readonly variable: string }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
);

type ReportAt = (path: string, message: string) => void;
type Fields = Readonly<Record<string, unknown>>;

const NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const RULES = ['on', 'threshold', 'cooldown'];
const WEBHOOK = ['url', 'secret', ...RULES];
const COMMAND = ['command', 'args', ...RULES];
const HEARTBEAT = ['url', 'every'];
const BY_DEFAULT = ALERT_TYPES.filter((type) => type !== 'digest');
const MAX_MS = 30 * 86_400_000;

/** No sinks and no heartbeat. */
export const NO_NOTIFICATIONS: NotifySettings = { sinks: {}, heartbeat: null };

/** Parses the block `notify`. */
export const notify: Parse = (value) => {
  const { issues, unknown, report } = createSettingReport();
  if (value === '') return success(NO_NOTIFICATIONS);
  if (!isMap(value)) {
    report('', 'must be a map with sinks and heartbeat.');
    return { ok: false, issues };
  }
  report.unknown('', value, ['sinks', 'heartbeat']);
  const read = {
    sinks: sinksOf(value['sinks'] ?? {}, report),
    heartbeat: heartbeatOf(value['heartbeat'] ?? null, report),
  };
  return issues.length > 0 ? { ok: false, issues, unknown } : { ...success(read), unknown };
};

function sinksOf(value: unknown, report: Report): NotifySettings['sinks'] {
  if (!isMap(value)) {
    report('sinks', 'must be a map of sinks by name.');
    return {};
  }
  const read = Object.entries(value).map(([name, one]) => [name, sinkOf(name, one, report)]);
  return Object.fromEntries(read);
}

function sinkOf(name: string, value: unknown, report: Report): SinkSettings | null {
  const path = `sinks.${name}`;
  const at: ReportAt = (field, message) => report(`${path}.${field}`, message);
  if (!NAME.test(name)) {
    report(
      path,
      'must have a name of lower-case letters, digits, - and _, starting with a letter, at most 64 characters.',
    );
  }
  if (!isMap(value)) {
    report(path, 'must be a map with url and secret, or with command.');
    return null;
  }
  const isCommand = 'command' in value;
  if (isCommand === 'url' in value) {
    report(path, 'must have either url and secret, or command.');
    return null;
  }
  report.unknown(path, value, isCommand ? COMMAND : WEBHOOK);
  const rules = rulesOf(value, at);
  return isCommand ? { ...rules, ...commandOf(value, at) } : { ...rules, ...webhookOf(value, at) };
}

function webhookOf({ url, secret }: Fields, at: ReportAt) {
  const variable = isMap(secret) ? referenceTo('secret')(secret['ref']) : null;
  const variableIssue = variable?.ok === false ? variable.issues[0]?.message : undefined;
  if (secret === undefined || secret === null) {
    at(
      'secret',
      'is missing. Set it to a reference to the variable that contains it, for example { ref: env:NAME }.',
    );
  } else if (variable === null || Object.keys(secret as Fields).length > 1) {
    at('secret', 'must be { ref: env:NAME }: a secret must not be in the file.');
  } else if (variableIssue !== undefined) at('secret.ref', variableIssue);
  return {
    kind: 'webhook' as const,
    url: address(url, (message) => at('url', message)),
    variable: variable?.ok ? (variable.value as string) : '',
  };
}

function commandOf({ command, args = [] }: Fields, at: ReportAt) {
  if (!isLine(command)) at('command', 'must be the name or path of a program.');
  if (!Array.isArray(args) || !args.every(isText)) at('args', 'must be a list of strings.');
  return { kind: 'command' as const, command: command as string, args: args as string[] };
}

function rulesOf({ on = BY_DEFAULT, threshold = 1, cooldown = '0s' }: Fields, at: ReportAt) {
  const types = Array.isArray(on) ? on : null;
  const unknown = types?.find((type) => !ALERT_TYPES.includes(type as AlertType));
  if (types === null || types.length === 0 || unknown !== undefined) {
    const hint = typeof unknown === 'string' ? didYouMean(unknown, [...ALERT_TYPES]) : '';
    at('on', `must be a list of ${ALERT_TYPES.join(', ')}, at least one of them.${hint}`);
  }
  if (!Number.isInteger(threshold) || Number(threshold) < 1 || Number(threshold) > 1000) {
    at('threshold', 'must be a whole number from 1 to 1000.');
  }
  return {
    on: [...new Set((types ?? []) as AlertType[])],
    threshold: Number(threshold),
    cooldownMs: timeOf(cooldown, (message) => at('cooldown', message)),
  };
}

function heartbeatOf(value: unknown, report: Report): NotifySettings['heartbeat'] {
  if (value === null) return null;
  if (!isMap(value)) {
    report('heartbeat', 'must be a map with url and optionally every.');
    return null;
  }
  report.unknown('heartbeat', value, HEARTBEAT);
  return {
    url: address(value['url'], (message) => report('heartbeat.url', message)),
    everyMs: timeOf(value['every'] ?? '0s', (message) => report('heartbeat.every', message)),
  };
}

// Addresses of this machine and of private networks are allowed, because only the operator can write this file.
function address(value: unknown, report: (message: string) => void): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  const isPlain = url?.username === '' && url.password === '';
  if (isPlain && /^https?:$/.test(url?.protocol ?? '')) return url?.href ?? '';
  report('must be an https or http URL without a user name and password.');
  return '';
}

function timeOf(value: unknown, report: (message: string) => void): number {
  if (value === 0 || value === '0' || value === '0s') return 0;
  const parsed = parseDuration(value);
  if (parsed.ok && parsed.value <= MAX_MS) return parsed.value;
  report('must be a duration such as 30s, 15m or 1h, at most 720h, or 0s.');
  return 0;
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): boolean => typeof value === 'string' && !value.includes('\0');
const isLine = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && !/\p{Cc}/u.test(value);

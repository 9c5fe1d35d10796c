import { type Issue, success } from '@svc/core';
import { headersOf } from './header-settings.ts';
import { type Parse, refuse, row, type SettingRow, text } from './setting-row.ts';

/** Trace settings, without secrets. */
export interface TelemetrySettings {
  readonly traces: {
    /** OTLP/HTTP address of the collector; null: tracing is disabled. */
    readonly url: string | null;
    /** Names of the environment variables with header values, by header name. */
    readonly headers: Readonly<Record<string, string>>;
    /** Share of traces to export, from 0 to 1. */
    readonly ratio: number;
  };
  /** null: `service.name` of `resource`, or `svc`. */
  readonly serviceName: string | null;
  /** Additional resource attributes. */
  readonly resource: Readonly<Record<string, string>>;
}

const address: Parse = (value) => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  const isPlain = url?.username === '' && url.password === '';
  return isPlain && /^https?:$/.test(url?.protocol ?? '')
    ? success(url?.href)
    : refuse(
        'must be the http or https URL of a collector, such as http://127.0.0.1:4318/v1/traces, without a user name and password.',
      );
};

/** The OTLP exporter specification defines this path below the common endpoint. */
function placeOfTraces(base: string): string {
  return `${base.replace(/\/+$/, '')}/v1/traces`;
}

// The file contains only the names of variables, not the values of headers.
const headers: Parse = (value) => {
  const read = headersOf({ plain: false })(value);
  if (!read.ok) return read;
  const all = read.value as Readonly<Record<string, { readonly variable: string }>>;
  return success(
    Object.fromEntries(Object.entries(all).map(([name, { variable }]) => [name, variable])),
  );
};

const ratio: Parse = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1
    ? success(value)
    : refuse('must be a number from 0 to 1, such as 0.1 for a tenth of all traces.');

const WANTED =
  'must be a map of strings, or in OTEL_RESOURCE_ATTRIBUTES NAME=VALUE,NAME=VALUE with commas percent-encoded.';

const resource: Parse = (value) => {
  const given = typeof value === 'string' ? pairsIn(value) : value;
  if (!isMap(given)) return refuse(WANTED);
  const isFine = Object.values(given).every((one) => typeof one === 'string');
  return isFine ? success(given) : refuse(WANTED);
};

function pairsIn(list: string): Record<string, string> | null {
  const pairs = list.split(',').filter((pair) => pair.trim() !== '');
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
        if (name === undefined || value === undefined) throw new TypeError(WANTED);
        return [name, decodeURIComponent(value.trim())];
      }),
    );
  } catch {
    return null;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const disabled: Parse = (value) =>
  /^(true|false)$/.test(String(value))
    ? success(String(value) === 'true')
    : refuse('must be true or false.');

/** The OpenTelemetry specification defines any value except `true` as false. */
const isTrue = (value: string): string => String(value.trim().toLowerCase() === 'true');
const isNone = (value: string): string => String(value.trim().toLowerCase() === 'none');

const ROWS: readonly SettingRow[] = [
  {
    ...row(
      'telemetry.traces.url',
      null,
      address,
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ),
    convert: { OTEL_EXPORTER_OTLP_ENDPOINT: placeOfTraces },
  },
  row('telemetry.traces.headers', {}, headers),
  row('telemetry.traces.ratio', 1, ratio),
  row('telemetry.serviceName', null, text, 'OTEL_SERVICE_NAME'),
  row('telemetry.resource', {}, resource, 'OTEL_RESOURCE_ATTRIBUTES'),
  {
    ...row('telemetry.disabled', false, disabled, 'OTEL_SDK_DISABLED', 'OTEL_TRACES_EXPORTER'),
    convert: { OTEL_SDK_DISABLED: isTrue, OTEL_TRACES_EXPORTER: isNone },
  },
];

// These are the standard OpenTelemetry variables, which may be set for all programs on a host.
export const TELEMETRY_ROWS: readonly SettingRow[] = ROWS.map((one) => ({
  ...one,
  isOfHost: true,
}));

type Sources = ReadonlyMap<string, { readonly source: string }>;

// Headers in the file may contain credentials for the collector in the file, so they are not sent to another one.
function areHeadersUnused(sources: Sources): boolean {
  const sourceOf = (key: string) => sources.get(`telemetry.traces.${key}`)?.source;
  return sourceOf('headers') === 'file' && sourceOf('url') === 'environment';
}

/** Warns that the headers in the file are not used, because the environment names another collector. */
export function unusedHeaders(sources: Sources): Issue[] {
  if (!areHeadersUnused(sources)) return [];
  const message =
    'has no effect while an environment variable sets the collector: it applies to telemetry.traces.url only.';
  return [{ path: 'telemetry.traces.headers', message }];
}

/** The trace settings, from valid values. */
export function telemetryOf(
  values: ReadonlyMap<string, unknown>,
  sources: Sources,
): TelemetrySettings {
  const get = <T>(key: string): T => values.get(`telemetry.${key}`) as T;
  return {
    traces: {
      url: get('disabled') ? null : get('traces.url'),
      headers: areHeadersUnused(sources) ? {} : get('traces.headers'),
      ratio: get('traces.ratio'),
    },
    serviceName: get('serviceName'),
    resource: get('resource'),
  };
}

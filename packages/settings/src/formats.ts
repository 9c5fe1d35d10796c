import { isLoopbackName, MAX_DURATION_MS, parseDuration } from '@svc/core';
import { parseAddressSet } from '@svc/mgmt-auth';
import { parseHostList } from '@svc/sandbox';
import { isPostgresAddress } from './database-address.ts';

const TIMES = [
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const;

function inUnits(units: readonly (readonly [size: number, name: string])[]) {
  return (value: number): string => {
    if (value === 0) return '0s';
    const [size, name] = units.find(([size]) => value % size === 0) ?? [1, ''];
    return `${value / size}${name}`;
  };
}

/** Formats milliseconds as a duration in the file: `90s`, `2h`, `0s`. */
export const durationText: (value: number) => string = inUnits(TIMES);

/** Formats milliseconds as an age in the file, in days if possible: `90d`, `36h`. */
export const ageText: (value: number) => string = inUnits([[86_400_000, 'd'], ...TIMES]);

/** Formats bytes, at least 1, as a size in the file: `2MiB`. */
const bytesText: (value: number) => string = inUnits([
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
]);

interface SettingFormat<T> {
  /** What is valid; `{value}` stands for the invalid value. */
  readonly message: string;
  /** The value of a text in the file; null if it is invalid. */
  read(text: string): T | null;
  /** The value as text in the file. Default: unchanged. */
  show?(value: T): string;
}

const format = <T>(
  message: string,
  read: SettingFormat<T>['read'],
  show?: (value: T) => string,
): SettingFormat<T> => ({ message, read, ...(show && { show }) });

const HOUR_MS = 3_600_000;

/** A duration in milliseconds. */
const span = (message: string, most = MAX_DURATION_MS, show = durationText) =>
  format(
    message,
    (text) => {
      const parsed = parseDuration(text);
      return parsed.ok && parsed.value <= most ? parsed.value : null;
    },
    show,
  );

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

function readSize(text: string): number | null {
  const [, digits = '', unit = ''] = /^(\d{1,15})(?: ?([KMG]iB))?$/.exec(String(text)) ?? [];
  const size = Number(digits) * (UNITS[unit] ?? 0);
  return size >= 1 && Number.isSafeInteger(size) ? size : null;
}

/** A web address without user and password, which would appear in logs. */
function readAddress(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.username === '' && url.password === '';
  return isPlain && /^https?:$/.test(url.protocol) ? url : null;
}

// A query and a fragment would be lost when a path is appended.
function readEndpoint(text: string): string | null {
  const url = readAddress(text);
  return url !== null && url.search + url.hash === '' ? url.href.replace(/\/+$/, '') : null;
}

function readKeySetAddress(text: string): string | null {
  const url = readAddress(text);
  return url?.protocol === 'https:' || isLoopbackName(url?.hostname ?? '')
    ? (url?.href ?? null)
    : null;
}

/** Headers that a request cannot have twice, or that `fetch` refuses to send. */
const CONNECTION_HEADERS = [
  ...['connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['transfer-encoding', 'upgrade'],
];

const freeHeader = (...reserved: readonly string[]): SettingFormat<string> =>
  format('is set by svc. Remove it.', (name) =>
    [...CONNECTION_HEADERS, ...reserved].includes(name.toLowerCase()) ? null : name,
  );

const PAUSE = span(
  'must be a duration such as 30s, 15m or 1h, at most 720h, or 0s.',
  720 * HOUR_MS,
);

/** The formats of settings. They also convert valid values, for example durations to milliseconds. */
export const SETTING_FORMATS = {
  text: format('must be a non-empty string without control characters.', (text) =>
    /\p{Cc}/u.test(text.trim()) ? null : text.trim() || null,
  ),
  line: format('must be one line of text.', (text) =>
    /\p{Cc}/u.test(text) ? null : text.trim() || null,
  ),
  duration: span('must be a duration such as 30s, 15m or 1h.'),
  delay: span('must be a duration from 1s to 24h, such as 5m.', 24 * HOUR_MS),
  age: span(
    'must be a duration such as 90d or 12h, up to 366d, or null for no limit.',
    MAX_DURATION_MS,
    ageText,
  ),
  pause: format(PAUSE.message, (text) => (/^0s?$/.test(String(text)) ? 0 : PAUSE.read(text))),
  size: format(
    'must be a size such as 500MiB or 1GiB, or a whole number of bytes from 1.',
    readSize,
    bytesText,
  ),
  endpoint: format(
    'must be a URL such as http://127.0.0.1:11434/v1, without password and query.',
    readEndpoint,
  ),
  'web-address': format(
    'must be an https or http URL without a user name or password.',
    (text) => readAddress(text)?.href ?? null,
  ),
  'key-set-address': format(
    'must be an https URL, or an http URL on this machine, without a password.',
    readKeySetAddress,
  ),
  'postgres-address': format(
    'must be a PostgreSQL address: postgres://USER:PASSWORD@HOST:5432/NAME. Percent-encode @ / ? # in the password (%40, %2F, %3F, %23).',
    (text) => (isPostgresAddress(text.trim()) ? text.trim() : null),
  ),
  peer: format(
    'must be a list of IP addresses, CIDR ranges, loopback, linklocal, uniquelocal, none or all, not {value}.',
    (text) => (parseAddressSet([text]).unknown.length === 0 ? text : null),
  ),
  host: format(
    'must be a host such as api.github.com, *.example.org:443, 127.0.0.1:5432 or *, not {value}.',
    (text) => (parseHostList([text]).ok ? text : null),
  ),
  'free-header': freeHeader(),
  'free-request-header': freeHeader('accept'),
} as const;

/** The format of a part of the schema; undefined if it has none. */
export function formatOf(part?: { readonly format?: string }): SettingFormat<unknown> | undefined {
  return SETTING_FORMATS[part?.format as keyof typeof SETTING_FORMATS] as
    | SettingFormat<unknown>
    | undefined;
}

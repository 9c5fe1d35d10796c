import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '@svc/core';
import { parsePosixZone, parseTzif, timezoneFault, type ZoneData, zoneLike } from '@svc/recurrence';

/** The default time zone of this process. */
export interface ProcessTimeZone {
  /** The problem with the configured zone, and how to fix it; null if there is none. */
  readonly warning: string | null;
  /** The file that determines the zone; it may not exist. */
  readonly file: string;
  /** Determines the zone again, after the file may have changed. */
  redetect(): void;
}

/** Location of the time zone data of a host. */
export interface ZoneLocations {
  /** Folder of TZif files by zone name. Default: `TZDIR`, otherwise `/usr/share/zoneinfo`. */
  readonly data?: string;
  /** File of the default zone of the host. Default: `/etc/localtime`. */
  readonly local?: string;
}

type KnownLocations = Required<ZoneLocations>;

/** A value for `TZ` (undefined: unset), and the problem with the configured one. */
interface Found {
  readonly tz: string | undefined;
  readonly warning: string | null;
}

/**
 * Ensures that the process has an IANA time zone that `Intl` supports. Where Node would not find one, sets `TZ`: a leading `:`,
 * a path, an unnamed file and a POSIX rule are replaced with the name of a zone with the same offsets, and an empty value with
 * UTC. An unreadable zone is replaced with UTC too, with a warning.
 *
 * @param env must be `process.env`: Node detects assignments to its `TZ`
 */
export function createProcessTimeZone(
  env: Record<string, string | undefined>,
  { data = env['TZDIR'] ?? '/usr/share/zoneinfo', local = '/etc/localtime' }: ZoneLocations = {},
): ProcessTimeZone {
  const locations = { data, local };
  const configured = env['TZ'];
  const set = (tz: string | undefined): void => {
    if (tz === undefined) delete env['TZ'];
    else env['TZ'] = tz;
  };
  const redetect = (): string | null => {
    // Node reads the file again only if the value of `TZ` changes.
    set('UTC');
    set(configured);
    const { tz, warning } = zoneFor(configured, locations);
    if (tz !== configured) set(tz);
    return warning;
  };
  let warning = redetect();
  return {
    get warning() {
      return warning;
    },
    file: fileOf(configured, locations),
    redetect() {
      warning = redetect();
    },
  };
}

function fileOf(configured: string | undefined, { data, local }: KnownLocations): string {
  const text = configured?.replace(/^:/, '') ?? '';
  if (text === '') return local;
  return text.startsWith('/') ? text : join(data, text);
}

function zoneFor(configured: string | undefined, locations: KnownLocations): Found {
  if (configured === undefined) return zoneOfHost(locations);
  const text = configured.replace(/^:/, '');
  if (text === '') return { tz: 'UTC', warning: null };
  const tz = ianaName(text) ?? zoneOfRule(text) ?? zoneOfFile(fileOf(configured, locations));
  if (tz !== null) return { tz, warning: null };
  return fallback(`TZ=${quoted(configured)}`);
}

function zoneOfHost({ local }: KnownLocations): Found {
  if (zoneOfNode() !== null) return { tz: undefined, warning: null };
  const tz = zoneOfFile(local);
  if (tz !== null) return { tz, warning: null };
  return fallback(local);
}

function fallback(what: string): Found {
  const warning = `${what} is not a time zone, so UTC is used. Set TZ to an IANA name such as "Europe/Berlin".`;
  return { tz: 'UTC', warning };
}

/** The zone that Node has detected; null if `Intl` does not support it. */
function zoneOfNode(): string | null {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return ianaName(timeZone);
}

function ianaName(text: string | undefined): string | null {
  const name = text?.replace(/^(posix|right)\//, '');
  if (name === undefined || timezoneFault(name) !== null) return null;
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
}

function zoneOfRule(text: string): string | null {
  return zoneWithOffsets(parsePosixZone(text));
}

const MAX_BYTES = 1024 * 1024;

// The name in the target path is preferred: several zones can have the same offsets.
function zoneOfFile(file: string): string | null {
  try {
    const path = realpathSync(file);
    const name = /\/zoneinfo\/(.+)$/.exec(path)?.[1];
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) return null;
    return ianaName(name) ?? zoneWithOffsets(parseTzif(readFileSync(path)));
  } catch {
    // The file does not exist or is not readable.
    return null;
  }
}

function zoneWithOffsets(data: ZoneData | null): string | null {
  return data === null ? null : zoneLike(data, Date.now());
}

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '@svc/core';
import { parsePosixZone, parseTzif, timezoneFault, type ZoneData, zoneLike } from '@svc/recurrence';

/** The zone of this process, by which everything goes that names no zone. */
export interface OwnZone {
  /** What is wrong with the zone that was asked for, and what to do; null where nothing is. */
  readonly warning: string | null;
  /** The file that says which zone it is, as long as it is there. */
  readonly file: string;
  /** Finds out again which zone it is, where that file may have changed. */
  redetect(): void;
}

/** Where a host keeps its time zones. */
export interface ZonePlaces {
  /** Folder of TZif files by name. Default: `TZDIR`, then `/usr/share/zoneinfo`. */
  readonly data?: string;
  /** The zone of the host. Default: `/etc/localtime`. */
  readonly local?: string;
}

type Places = Required<ZonePlaces>;

/** A value for `TZ`, undefined where none is needed, and what is wrong with the one that was there. */
interface Found {
  readonly tz: string | undefined;
  readonly warning: string | null;
}

/**
 * Sees to it that this process has a zone with an IANA name that `Intl` takes, by setting `TZ` where Node would find none: a
 * leading `:`, a path, a file without a name and a POSIX rule become the name of a zone with the same offsets, an empty value
 * becomes UTC. So does, with a warning, everything that cannot be read.
 *
 * @param env the environment of the process itself: Node notices when its `TZ` is set
 */
export function createOwnZone(
  env: Record<string, string | undefined>,
  { data = env['TZDIR'] ?? '/usr/share/zoneinfo', local = '/etc/localtime' }: ZonePlaces = {},
): OwnZone {
  const places = { data, local };
  const asked = env['TZ'];
  const set = (tz: string | undefined): void => {
    if (tz === undefined) delete env['TZ'];
    else env['TZ'] = tz;
  };
  const redetect = (): string | null => {
    // A file is read again only where `TZ` had another value in between.
    set('UTC');
    set(asked);
    const { tz, warning } = zoneFor(asked, places);
    if (tz !== asked) set(tz);
    return warning;
  };
  let warning = redetect();
  return {
    get warning() {
      return warning;
    },
    file: fileOf(asked, places),
    redetect() {
      warning = redetect();
    },
  };
}

function fileOf(asked: string | undefined, { data, local }: Places): string {
  const text = asked?.replace(/^:/, '') ?? '';
  if (text === '') return local;
  return text.startsWith('/') ? text : join(data, text);
}

function zoneFor(asked: string | undefined, places: Places): Found {
  if (asked === undefined) return zoneOfHost(places);
  const text = asked.replace(/^:/, '');
  if (text === '') return { tz: 'UTC', warning: null };
  const tz = named(text) ?? ofRule(text) ?? ofFile(fileOf(asked, places));
  if (tz !== null) return { tz, warning: null };
  return unaccepted(`TZ=${quoted(asked)}`);
}

function zoneOfHost({ local }: Places): Found {
  if (ofNode() !== null) return { tz: undefined, warning: null };
  const tz = ofFile(local);
  if (tz !== null) return { tz, warning: null };
  return unaccepted(local);
}

function unaccepted(what: string): Found {
  const warning = `${what} is not a time zone, so UTC is used. Set TZ to an IANA name such as "Europe/Berlin".`;
  return { tz: 'UTC', warning };
}

/** The zone that Node has found, by its name; null for one that `Intl` does not take. */
function ofNode(): string | null {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return named(timeZone);
}

function named(text: string | undefined): string | null {
  const name = text?.replace(/^(posix|right)\//, '');
  if (name === undefined || timezoneFault(name) !== null) return null;
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
}

function ofRule(text: string): string | null {
  return like(parsePosixZone(text));
}

const MOST_BYTES = 1024 * 1024;

// By the name of the file it leads to, which says more than its offsets.
function ofFile(file: string): string | null {
  try {
    const path = realpathSync(file);
    const name = /\/zoneinfo\/(.+)$/.exec(path)?.[1];
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MOST_BYTES) return null;
    return named(name) ?? like(parseTzif(readFileSync(path)));
  } catch {
    // There is no such file, or it may not be read.
    return null;
  }
}

function like(data: ZoneData | null): string | null {
  return data === null ? null : zoneLike(data, Date.now());
}

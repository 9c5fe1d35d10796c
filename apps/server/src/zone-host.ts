import { access, lstat, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ZoneHost } from '@svc/ops';

/** Where a host keeps its time zones. */
export interface ZonePlaces {
  /** Folder of TZif files by name. Default: `/usr/share/zoneinfo`. */
  readonly data?: string;
  /** The zone of the host. Default: `/etc/localtime`. */
  readonly local?: string;
}

/**
 * What the host knows of time zones.
 *
 * @param redetect has Node find out its own zone again, as it only does when `TZ` is set
 */
export function createZoneHost(
  env: Readonly<Record<string, string | undefined>>,
  redetect: () => void,
  { data = '/usr/share/zoneinfo', local = '/etc/localtime' }: ZonePlaces = {},
): ZoneHost {
  const folder = env['TZDIR'] ?? data;
  const tz = env['TZ']?.replace(/^:/, '') ?? '';
  const own = tz === '' ? local : join(tz.startsWith('/') ? '/' : folder, tz);
  let seen: string | null = null;
  return {
    async refresh() {
      const now = await signOf(own);
      // Node may have read the file before it was looked at for the first time.
      if (now !== seen) redetect();
      seen = now;
    },
    hasData: () =>
      access(folder).then(
        () => true,
        () => false,
      ),
    data: (zone) => readFile(zone === null ? own : join(folder, zone)).catch(() => null),
  };
}

/** Changes whenever a file, or where a link leads to, does. */
async function signOf(file: string): Promise<string> {
  const parts = await Promise.all([
    readlink(file).catch(() => ''),
    lstat(file).then(
      ({ ino, mtimeMs }) => `${ino} ${mtimeMs}`,
      () => '',
    ),
    stat(file).then(
      ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
      () => '',
    ),
  ]);
  return parts.join('\n');
}

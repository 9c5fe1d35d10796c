import { access, lstat, readFile, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ZoneHost } from '@svc/engine';
import type { ProcessTimeZone } from './process-time-zone.ts';

/** Access to the time zone data of the host. */
export function createZoneHost(
  env: Readonly<Record<string, string | undefined>>,
  own: ProcessTimeZone | null,
): ZoneHost {
  const folder = env['TZDIR'] ?? '/usr/share/zoneinfo';
  const file = own?.file ?? '/etc/localtime';
  let lastFingerprint: string | null = null;
  return {
    warning: () => own?.warning ?? null,
    async refresh() {
      const now = await fingerprintOf(file);
      // Node may have read an older version of the file before the first check.
      if (now !== lastFingerprint) own?.redetect();
      lastFingerprint = now;
    },
    hasData: () =>
      access(folder).then(
        () => true,
        () => false,
      ),
    data: (zone) => dataIn(zone === null ? file : join(folder, zone)),
  };
}

const MAX_BYTES = 1024 * 1024;

async function dataIn(file: string): Promise<Uint8Array | null> {
  try {
    const stats = await stat(file);
    return stats.isFile() && stats.size <= MAX_BYTES ? await readFile(file) : null;
  } catch {
    return null;
  }
}

/** A fingerprint that changes with the file, the link and the target of the link. */
async function fingerprintOf(file: string): Promise<string> {
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

import { stat } from 'node:fs/promises';
import { type Settings, shownAddress } from '@svc/settings';
import { examineDatabase, examineServer } from '@svc/store';
import type { Home } from '../home.ts';
import { readInstanceFile } from '../instance-file.ts';
import { readLastUse } from '../last-use.ts';
import { whyShared } from '../shared-home.ts';
import { findUnmigratedData } from '../unmigrated-data.ts';

/** Location, retention and condition of the database for people. `ok` is false if svc cannot use it. */
export async function databaseLines(
  home: Home,
  settings: Settings,
): Promise<{ readonly lines: readonly string[]; readonly ok: boolean }> {
  const isRunning = (await readInstanceFile(home.instanceFile)) !== null;
  const found = await findings(home, settings, isRunning);
  return {
    lines: [
      await databaseLine(home, settings, isRunning),
      ...found.map(({ text }) => `  next       ${text}`),
    ],
    ok: found.every(({ isMild }) => isMild),
  };
}

interface Finding {
  readonly text: string;
  /** Whether svc can use the database despite this problem. */
  readonly isMild: boolean;
}

// A running server locks its database, and reports problems itself.
async function findings(home: Home, settings: Settings, isRunning: boolean): Promise<Finding[]> {
  if (isRunning) return [];
  const { url, setting } = settings.database;
  const shared = await whyShared(home, settings);
  if (shared !== null) return [{ text: shared, isMild: false }];
  const damage =
    url === null ? await examineDatabase(home.database) : await examineServer(url, setting);
  if (damage !== null) return [{ text: damage, isMild: false }];
  const unmigrated = await findUnmigratedData(home, settings);
  return unmigrated === null ? [] : [{ text: unmigrated.reason, isMild: !unmigrated.isRefused }];
}

async function placeOf(
  home: Home,
  { url }: Settings['database'],
  isRunning: boolean,
): Promise<string> {
  if (url !== null) return `on a server (${shownAddress(url)})`;
  const use = await readLastUse(home);
  if (use !== null) {
    const which = `on a server${use.database === undefined ? '' : ` (${use.database})`}`;
    return isRunning ? which : `none configured; previously ${which}`;
  }
  const size = await stat(home.database).then(
    (stats) => `${(stats.size / 1e6).toFixed(1)} MB`,
    ({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' ? 'not created yet' : `cannot be read (${code})`,
  );
  return `${size} (${home.database})`;
}

async function databaseLine(
  home: Home,
  { database, retention }: Settings,
  isRunning: boolean,
): Promise<string> {
  const { runs, ageMs } = retention;
  const kept = [
    ...(runs === null ? [] : [`the newest ${runs} runs of each trigger`]),
    ...(ageMs === null ? [] : [`for at most ${Number((ageMs / 86_400_000).toFixed(2))} days`]),
  ];
  return `database: ${await placeOf(home, database, isRunning)}; retention: ${kept.length === 0 ? 'all runs' : kept.join(', ')}`;
}

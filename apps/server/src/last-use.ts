import { readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isId, isRecord } from '@svc/core';

interface HomeData {
  readonly data: string;
}

/** File that records the database server last used with a home. */
export function nodeFileIn({ data }: HomeData): string {
  return join(data, 'node.json');
}

/** What a home was last used with. */
interface HomeUse {
  /** Address of the database, without its password. */
  readonly database: string;
  /** Projects folder. */
  readonly projects: string;
}

/**
 * Records the id of this process in a shared database, and which database. Returns the id of the previous process of
 * the home; null if there was none, it is unknown, or the home is a copy of another one whose process may be live.
 */
export async function recordUse(
  { data }: HomeData,
  id: string,
  use: HomeUse,
): Promise<string | null> {
  const file = nodeFileIn({ data });
  const { dev, ino } = await stat(data, { bigint: true });
  const place = { host: hostname(), folder: data, inode: `${dev}:${ino}` };
  const before = await readRecord(file);
  await writeFile(file, `${JSON.stringify({ ...place, id, ...use })}\n`, { mode: 0o600 });
  if (before === null || typeof before['id'] !== 'string' || !isId(before['id'])) return null;
  const isSame = Object.entries(place).every(([name, value]) => before[name] === value);
  return isSame ? before['id'] : null;
}

/** The database server last used with a home; null if there was none. */
export async function readLastUse(home: HomeData): Promise<Partial<HomeUse> | null> {
  const record = await readRecord(nodeFileIn(home));
  if (record === null) return null;
  const { database, projects } = record;
  return {
    ...(typeof database === 'string' && { database }),
    ...(typeof projects === 'string' && { projects }),
  };
}

async function readRecord(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const record: unknown = JSON.parse(text);
    return isRecord(record) ? record : {};
  } catch {
    // An incomplete record counts too.
    return {};
  }
}

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
interface NodeUse {
  /** Address of the database, without its password. */
  readonly database: string;
  /** Projects folder. */
  readonly projects: string;
}

/**
 * Records the id of this process in a shared database, and which database. Returns the id of the previous process of
 * the home; null if there was none, it is unknown, or the home is a copy of another one whose process may be live.
 */
export async function noteNode(
  { data }: HomeData,
  id: string,
  use: NodeUse,
): Promise<string | null> {
  const file = nodeFileIn({ data });
  const { dev, ino } = await stat(data, { bigint: true });
  const place = { host: hostname(), folder: data, inode: `${dev}:${ino}` };
  const before = await readNote(file);
  await writeFile(file, `${JSON.stringify({ ...place, id, ...use })}\n`, { mode: 0o600 });
  if (before === null || typeof before['id'] !== 'string' || !isId(before['id'])) return null;
  const isSame = Object.entries(place).every(([name, value]) => before[name] === value);
  return isSame ? before['id'] : null;
}

/** The database server last used with a home; null if there was none. */
export async function lastUse(home: HomeData): Promise<Partial<NodeUse> | null> {
  const note = await readNote(nodeFileIn(home));
  if (note === null) return null;
  const { database, projects } = note;
  return {
    ...(typeof database === 'string' && { database }),
    ...(typeof projects === 'string' && { projects }),
  };
}

async function readNote(file: string): Promise<Readonly<Record<string, unknown>> | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const note: unknown = JSON.parse(text);
    return isRecord(note) ? note : {};
  } catch {
    // An incomplete record counts too.
    return {};
  }
}

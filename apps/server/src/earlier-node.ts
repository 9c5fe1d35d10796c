import { readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isId, isRecord } from '@svc/core';

interface HomeData {
  readonly data: string;
}

/** Where the note lies of the database on a server that a home was last used with. */
export function nodeFileIn({ data }: HomeData): string {
  return join(data, 'node.json');
}

/** What a home was last used with. */
interface NodeUse {
  /** Address of the database, without its password. */
  readonly database: string;
  /** Folder of the projects. */
  readonly projects: string;
}

/**
 * Notes under which id this process uses a database that it shares, and which one. Returns the id of the life of the home
 * before; null where there was none, nobody knows it, or the home is a copy of another one, whose process may live.
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

/** What is known of the database on a server that a home was last used with; null where it never was. */
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
    // Half of a note is one all the same.
    return {};
  }
}

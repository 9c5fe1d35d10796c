import { readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isId, isRecord } from '@svc/core';
import type { Home } from './home.ts';

/**
 * Notes under which id this process uses a database that it shares. Returns the id of the life of the home before; null
 * where there was none, nobody knows it, or the home is a copy of another one, whose process may live.
 */
export async function noteNode({ data }: Pick<Home, 'data'>, id: string): Promise<string | null> {
  const file = join(data, 'node.json');
  const { dev, ino } = await stat(data, { bigint: true });
  const place = { host: hostname(), folder: data, inode: `${dev}:${ino}` };
  const before = await readFile(file, 'utf8').then(parsed, () => null);
  await writeFile(file, `${JSON.stringify({ ...place, id })}\n`, { mode: 0o600 });
  if (!isRecord(before) || typeof before['id'] !== 'string' || !isId(before['id'])) return null;
  const isSame = Object.entries(place).every(([name, value]) => before[name] === value);
  return isSame ? before['id'] : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

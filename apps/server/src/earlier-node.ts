import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '@svc/core';
import type { Home } from './home.ts';

/**
 * Notes under which id this process uses a database that it shares. Returns the id of the life of the home before; null
 * where there was none, or nobody knows it.
 */
export async function noteNode({ data }: Pick<Home, 'data'>, id: string): Promise<string | null> {
  const file = join(data, 'node');
  const before = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
  await writeFile(file, `${id}\n`, { mode: 0o600 });
  return isId(before) ? before : null;
}

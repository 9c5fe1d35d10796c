import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Where a path leads below a folder, as segments with links resolved as far as there is something; null where it leads
 * outside, or cannot be followed.
 */
export async function placeInFolder(
  folder: string,
  path: string,
): Promise<readonly string[] | null> {
  try {
    const root = await realpath(folder);
    const place = relative(root, await realPlace(resolve(root, path)));
    const segments = place === '' ? [] : place.split(sep);
    return segments[0] === '..' ? null : segments;
  } catch {
    // A link that leads nowhere or in a circle, or a folder that is closed to us.
    return null;
  }
}

async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as { code?: unknown }).code !== 'ENOENT' || parent === path) throw error;
    return join(await realPlace(parent), basename(path));
  }
}

import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Resolves a path below a folder, following the links of its existing part, and returns its segments. Returns null if the
 * path leads outside or cannot be resolved.
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
    // A dangling or circular link, or a folder that svc may not enter.
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

import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Home } from '../home.ts';
import type { Content } from './archive.ts';
import { isPlaced } from './manifest.ts';

/** What the files of a home come to while they are packed. */
export interface Packed {
  projects: number;
  /** Names of environment variables that the files refer to. */
  readonly variables: Set<string>;
  /** Links, and names that cannot be restored. */
  readonly passedOver: string[];
}

export const nothingPacked = (): Packed => ({ projects: 0, variables: new Set(), passedOver: [] });

/**
 * The files of a home that a backup has, beside the database: the configuration, and of each project its `project.yaml`,
 * `.svc/` and the last good version. No link is followed below the folder of a project.
 */
export async function* filesOf(home: Home, packed: Packed): AsyncGenerator<Content> {
  // Its owner says where it is, also by a link.
  const config = await realpath(home.config).catch(() => home.config);
  yield* one(config, 'svc.config.yaml', packed);
  for (const slug of await namesIn(home.projects)) {
    const folder = join(home.projects, slug);
    if (!(await isFile(join(folder, 'project.yaml')))) continue;
    if (!isPlaced(`projects/${slug}/project.yaml`)) continue;
    packed.projects += 1;
    yield* one(join(folder, 'project.yaml'), `projects/${slug}/project.yaml`, packed);
    yield* below(join(folder, '.svc'), `projects/${slug}/.svc`, packed);
    yield* one(join(home.data, 'last-good', `${slug}.yaml`), `data/last-good/${slug}.yaml`, packed);
  }
}

async function* below(folder: string, path: string, packed: Packed): AsyncGenerator<Content> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const from = join(folder, entry.name);
    const to = `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* below(from, to, packed);
    else if (entry.isFile() && isPlaced(to)) yield* one(from, to, packed);
    else packed.passedOver.push(from);
  }
}

const REFERENCE = /\benv:([A-Za-z_][A-Za-z0-9_]*)/g;

// As a whole: files of this kind are small, and are replaced while they are read. What went meanwhile was not to be kept.
async function* one(file: string, path: string, packed: Packed): AsyncGenerator<Content> {
  const bytes = await readWhole(file);
  if (bytes === 'no_file') packed.passedOver.push(file);
  if (bytes === 'no_file' || bytes === null) return;
  if (path.endsWith('.yaml')) {
    for (const [, name] of bytes.toString('utf8').matchAll(REFERENCE))
      packed.variables.add(name ?? '');
  }
  yield { path, bytes: bytes.length, chunks: () => Readable.from([bytes]) };
}

async function readWhole(file: string): Promise<Buffer | 'no_file' | null> {
  try {
    const handle = await open(
      file,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      return (await handle.stat()).isFile() ? await handle.readFile() : 'no_file';
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === 'ELOOP') return 'no_file';
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

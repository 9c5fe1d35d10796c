import { open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin, type Mount } from '../mounts.ts';

/** Folders with programs of the system. All of them are readable in every sandbox. */
export const SYSTEM_FOLDERS: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/gnu/store',
];

/** Absolute folders of a `PATH`, without duplicates. */
export function pathFolders(path: string): readonly string[] {
  return [
    ...new Set(
      path
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => resolve(folder)),
    ),
  ];
}

/** Mounts that make the folders of a `PATH` readable. Programs there find their libraries and packages. */
export async function pathMounts(path: string): Promise<readonly Mount[]> {
  const found = await Promise.all(
    pathFolders(path).map(async (folder) => {
      const real = await realpath(folder).catch(() => null);
      if (real === null || !(await isFolder(real)) || isSystem(real)) return [];
      return [readOnly(real, folder), ...(await librariesBeside(real))];
    }),
  );
  return found.flat();
}

/** Mounts that make the installation of a program readable: its links, its package, and its interpreter. */
export async function programMounts(program: string): Promise<readonly Mount[]> {
  const mounts: Mount[] = [];
  const seen = new Set<string>();
  for (let next: string | null = program; next !== null && !seen.has(next); ) {
    seen.add(next);
    const real: string | null = await realpath(next).catch(() => null);
    if (real === null) break;
    if (!isSystem(next)) mounts.push(readOnly(await realpath(dirname(next)), dirname(next)));
    mounts.push(...(await installationOf(real)));
    next = await linkOrInterpreter(next);
  }
  return mounts.filter(({ at }) => !isSystem(at));
}

// A package of npm lies in a tree of packages that it may load; an environment of Python in a folder with a marker.
async function installationOf(real: string): Promise<readonly Mount[]> {
  if (isSystem(real)) return [];
  const at = real.split('/').indexOf('node_modules');
  if (at >= 0)
    return [
      readOnly(
        real
          .split('/')
          .slice(0, at + 1)
          .join('/'),
      ),
    ];
  const folder = dirname(real);
  const parent = dirname(folder);
  const marked = await Promise.all(
    ['pyvenv.cfg', 'package.json'].map((name) => stat(join(parent, name)).catch(() => null)),
  );
  if (marked.some((mark) => mark !== null)) return [readOnly(parent)];
  return [readOnly(folder), ...(await librariesBeside(folder))];
}

// Python, Java, npm and others lie in `bin`, and what they load in folders beside it.
const LIBRARIES = ['lib', 'lib64', 'libexec', 'conf'];
// Programs in `shims` start the selected version of pyenv, rbenv, asdf and others, which has its own folder beside it.
const VERSIONS = ['versions', 'installs'];

async function librariesBeside(folder: string): Promise<readonly Mount[]> {
  const parent = dirname(folder);
  const existing = async (names: readonly string[]): Promise<readonly string[]> => {
    const paths = names.map((name) => join(parent, name));
    const found = await Promise.all(paths.map(isFolder));
    return paths.filter((_path, at) => found[at]);
  };
  if (basename(folder) === 'bin') return (await existing(LIBRARIES)).map((path) => readOnly(path));
  const isManager = basename(folder) === 'shims' && (await existing(VERSIONS)).length > 0;
  return isManager ? [readOnly(parent)] : [];
}

async function linkOrInterpreter(program: string): Promise<string | null> {
  const target = await readlink(program).catch(() => null);
  if (target !== null) return resolve(dirname(program), target);
  const file = await open(program).catch(() => null);
  if (file === null) return null;
  try {
    // Linux reads this much of the first line, see execve(2).
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    const [, interpreter = null] =
      /^#![ \t]*(\/[^\s\0]+)/.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
    return interpreter;
  } finally {
    await file.close();
  }
}

function readOnly(from: string, at: string = from): Mount {
  return { kind: 'read-only', at, from };
}

function isSystem(path: string): boolean {
  return SYSTEM_FOLDERS.some((folder) => isWithin(path, folder));
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';

/** How names are tied to an opened folder: through its descriptor (Linux), or by path with checks after the fact. */
export type Descriptors = 'proc' | 'paths';

/** A folder that is held open, so that nobody can exchange it for a link behind our back. */
export interface Directory {
  /** Path with which a system call reaches the entry `name` of exactly this folder; `name` is one segment. */
  at(name: string): string;
  /** Segments below the root at which this folder is now; null when it is not (or not provably) inside. */
  place(): Promise<readonly string[] | null>;
  /** Opens a folder in it; throws like `open` where it is a link or none. */
  child(name: string): Promise<Directory>;
  /** Whether an opened file is what this folder has under that name, and inside the root. */
  owns(file: FileHandle, name: string): Promise<boolean>;
  /** Path with which its own entries are listed. */
  readonly listing: string;
  close(): Promise<void>;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens the root folder `realPath` (no links in it). */
export async function openRoot(realPath: string, wanted?: Descriptors): Promise<Directory> {
  const handle = await open(realPath, FOLDER);
  const descriptors = wanted ?? ((await hasProc(handle)) ? 'proc' : 'paths');
  return descriptors === 'proc' ? byDescriptor(handle, handle) : byPath(handle, realPath, []);
}

async function hasProc(handle: FileHandle): Promise<boolean> {
  return readlink(`/proc/self/fd/${handle.fd}`).then(
    () => true,
    () => false,
  );
}

function byDescriptor(handle: FileHandle, root: FileHandle): Directory {
  const self = `/proc/self/fd/${handle.fd}`;
  return {
    listing: `${self}/.`,
    at: (name) => `${self}/${name}`,
    place: () => placeBelow(handle, root),
    child: async (name) => byDescriptor(await open(`${self}/${name}`, FOLDER), root),
    owns: async (file) => (await placeBelow(file, root)) !== null,
    close: () => handle.close(),
  };
}

// What the kernel itself says of where two descriptors are.
async function placeBelow(handle: FileHandle, root: FileHandle): Promise<string[] | null> {
  const [path, top] = await Promise.all([
    readlink(`/proc/self/fd/${handle.fd}`),
    readlink(`/proc/self/fd/${root.fd}`),
  ]);
  if (path === top) return [];
  return path.startsWith(`${top}/`) ? path.slice(top.length + 1).split('/') : null;
}

const LOOKS = 8;

interface Link {
  readonly handle: FileHandle;
  readonly path: string;
}

function byPath(handle: FileHandle, path: string, above: readonly Link[]): Directory {
  const chain = [...above, { handle, path }];
  const top = chain[0]?.path ?? path;
  const unmoved = async (): Promise<boolean> => {
    for (const link of chain) {
      if (!(await isStill(link.handle, link.path))) return false;
    }
    return true;
  };
  return {
    listing: path,
    at: (name) => `${path}/${name}`,
    async place() {
      if (!(await unmoved())) return null;
      return path === top ? [] : path.slice(top.length + 1).split('/');
    },
    async child(name) {
      const below = await open(`${path}/${name}`, FOLDER);
      const child = byPath(below, `${path}/${name}`, chain);
      if ((await child.place()) !== null) return child;
      await below.close();
      throw Object.assign(new Error('The folder was exchanged.'), { code: 'ELOOP' });
    },
    async owns(file, name) {
      // An exchange can only be noticed here, and only if it does not fit between all the looks.
      for (let look = 0; look < LOOKS; look += 1) {
        if (!(await unmoved()) || !(await isStill(file, `${path}/${name}`))) return false;
      }
      return unmoved();
    },
    close: () => handle.close(),
  };
}

async function isStill(handle: FileHandle, path: string): Promise<boolean> {
  const [held, found] = await Promise.all([
    handle.stat(),
    lstat(path).catch((): Stats | null => null),
  ]);
  return found !== null && held.dev === found.dev && held.ino === found.ino;
}

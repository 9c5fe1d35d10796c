import { constants } from 'node:fs';
import { access, type FileHandle, open, readlink } from 'node:fs/promises';

/** A folder that is held open, so that nobody can exchange it for a link behind our back. */
export interface Directory {
  /** Path with which a system call reaches the entry `name` of exactly this folder; `name` is one segment. */
  at(name: string): string;
  /** Segments below the root at which this folder is now; null when it is not inside. */
  place(): Promise<readonly string[] | null>;
  /** Opens a folder in it; throws like `open` where it is a link or none. */
  child(name: string): Promise<Directory>;
  /** Whether an opened file is inside the root. */
  owns(file: FileHandle): Promise<boolean>;
  /** Path with which its own entries are listed. */
  readonly listing: string;
  close(): Promise<void>;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Whether the system has what folders are held by: Linux's `/proc`, through which the entries of an open folder are
 * reached. By paths alone an exchange could only be noticed, and not each time.
 */
export async function hasProc(): Promise<boolean> {
  return access('/proc/self/fd').then(
    () => true,
    () => false,
  );
}

/** Opens the root folder `realPath` (no links in it). Needs `/proc`. */
export async function openRoot(realPath: string): Promise<Directory> {
  const handle = await open(realPath, FOLDER);
  return byDescriptor(handle, handle);
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

import { closeSync, constants, existsSync, open, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';

/** An open folder. Access through the descriptor is safe when another process replaces the folder with a link. */
export interface Directory {
  /** Path of the entry `name` (one segment) of exactly this folder, for system calls. */
  at(name: string): string;
  /** Current path segments relative to the root; null if the folder is not inside. */
  place(): readonly string[] | null;
  /** Opens a subfolder. Throws like `open` if it is a link or not a folder. */
  child(name: string): Promise<Directory>;
  /** Whether an opened file is inside the root. */
  owns(file: { readonly fd: number }): boolean;
  /** Path for listing its entries. */
  readonly listing: string;
  /** Current absolute path, without links. */
  path(): string;
  close(): void;
}

const ROOT = constants.O_RDONLY | constants.O_DIRECTORY;
const FOLDER = ROOT | constants.O_NOFOLLOW;

const opened = promisify(open);

/**
 * Whether `/proc` is available, which gives access to the entries of an open folder. With paths alone, replaced folders
 * could not be detected reliably.
 */
export async function hasProc(): Promise<boolean> {
  return existsSync('/proc/self/fd');
}

/** Opens the root folder, following links. Needs `/proc`. */
export async function openRoot(path: string): Promise<Directory> {
  const root = createHold(await opened(path, ROOT));
  return byDescriptor(root, root);
}

/** A descriptor that is closed once. */
interface Hold {
  /** -1 once it is closed. */
  readonly fd: number;
  close(): void;
}

// Closing a folder synchronously is fine, because it does not wait for a disk.
function createHold(fd: number): Hold {
  let left = fd;
  return {
    get fd() {
      return left;
    },
    close() {
      if (left === -1) return;
      left = -1;
      closeSync(fd);
    },
  };
}

function byDescriptor(hold: Hold, root: Hold): Directory {
  // The descriptor is -1 after closing, because its number may already belong to another folder.
  const at = (name: string): string => `/proc/self/fd/${hold.fd}/${name}`;
  return {
    get listing() {
      return at('.');
    },
    at,
    path: () => placeOf(hold),
    place: () => placeBelow(hold, root),
    child: async (name) => byDescriptor(createHold(await opened(at(name), FOLDER)), root),
    owns: (file) => placeBelow(file, root) !== null,
    close: () => hold.close(),
  };
}

// Both paths come from the kernel without disk access, and synchronously, so that nothing changes between the two calls
// of this process.
function placeBelow(file: Pick<Hold, 'fd'>, root: Hold): string[] | null {
  const path = placeOf(file);
  const top = placeOf(root);
  if (path === top) return [];
  return path.startsWith(`${top}/`) ? path.slice(top.length + 1).split('/') : null;
}

function placeOf({ fd }: Pick<Hold, 'fd'>): string {
  return readlinkSync(`/proc/self/fd/${fd}`);
}

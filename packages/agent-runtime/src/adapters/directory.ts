import { closeSync, constants, existsSync, open, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';

/** A folder that is held open, so that nobody can exchange it for a link behind our back. */
export interface Directory {
  /** Path with which a system call reaches the entry `name` of exactly this folder; `name` is one segment. */
  at(name: string): string;
  /** Segments below the root at which this folder is now; null when it is not inside. */
  place(): readonly string[] | null;
  /** Opens a folder in it; throws like `open` where it is a link or none. */
  child(name: string): Promise<Directory>;
  /** Whether an opened file is inside the root. */
  owns(file: { readonly fd: number }): boolean;
  /** Path with which its own entries are listed. */
  readonly listing: string;
  /** Absolute path at which it is now, without links. */
  path(): string;
  close(): void;
}

const ROOT = constants.O_RDONLY | constants.O_DIRECTORY;
const FOLDER = ROOT | constants.O_NOFOLLOW;

const opened = promisify(open);

/**
 * Whether the system has what folders are held by: Linux's `/proc`, through which the entries of an open folder are
 * reached. By paths alone an exchange could only be noticed, and not each time.
 */
export async function hasProc(): Promise<boolean> {
  return existsSync('/proc/self/fd');
}

/** Opens the root folder at a path, through links where it leads through some. Needs `/proc`. */
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

// To close a folder that was only read makes nothing wait for a disk.
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
  // Of one that is closed nothing is reached: its number may be that of another folder by now.
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

// What the kernel itself says of where two descriptors are: it knows that without looking at a disk, and nothing can come
// between the two answers here.
function placeBelow(file: Pick<Hold, 'fd'>, root: Hold): string[] | null {
  const path = placeOf(file);
  const top = placeOf(root);
  if (path === top) return [];
  return path.startsWith(`${top}/`) ? path.slice(top.length + 1).split('/') : null;
}

function placeOf({ fd }: Pick<Hold, 'fd'>): string {
  return readlinkSync(`/proc/self/fd/${fd}`);
}

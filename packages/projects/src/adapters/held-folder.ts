import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that is held open, so that nobody can exchange it for a link behind our back. */
export interface HeldFolder {
  /**
   * The path by which its entries are reached: through `/proc` exactly those of this folder; where there is none the path
   * that it was opened with.
   */
  readonly path: string;
  /** Its real path when it was opened. */
  readonly place: string;
  /** Opens a folder in it; throws like `open`, with `ENOTDIR` or `ELOOP` for a link. */
  child(name: string): Promise<HeldFolder>;
  /** Makes a folder in it, durably and with the owner that this one has, unless there is something of that name. */
  makeChild(name: string): Promise<void>;
  close(): Promise<void>;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens a folder that is no link; throws like `open`. */
export async function holdFolder(path: string): Promise<HeldFolder> {
  const handle = await open(path, FOLDER);
  try {
    return await heldBy(handle, path);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function heldBy(handle: FileHandle, opened: string): Promise<HeldFolder> {
  const self = `/proc/self/fd/${handle.fd}`;
  const told = await readlink(self).catch(() => null);
  const path = told === null ? opened : self;
  return {
    path,
    place: told ?? (await realpath(opened)),
    child: (name) => holdFolder(join(path, name)),
    async makeChild(name) {
      const isMade = await mkdir(join(path, name)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') return false;
          throw error;
        },
      );
      if (!isMade) return;
      await shareOwner(handle, join(path, name));
      await handle.sync();
    },
    close: () => handle.close(),
  };
}

async function shareOwner(from: FileHandle, made: string): Promise<void> {
  const { uid, gid } = await from.stat();
  const handle = await open(made, FOLDER);
  try {
    // Only root may give a folder away; for others it stays theirs.
    await handle.chown(uid, gid).catch(() => {});
  } finally {
    await handle.close();
  }
}

import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** An open folder, which cannot be replaced by a link between two operations. */
export interface OpenFolder {
  /**
   * The path for operations on its entries: below `/proc`, which always refers to this folder, or without `/proc`
   * the path with which it was opened.
   */
  readonly path: string;
  /** Its real path when it was opened. */
  readonly place: string;
  /** Opens a folder in it. Throws like `open`, with `ENOTDIR` or `ELOOP` for a link. */
  child(name: string): Promise<OpenFolder>;
  /** Creates a folder in it, durably and with the same owner, unless the name exists. */
  makeChild(name: string): Promise<void>;
  close(): Promise<void>;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens a folder that is not a link. Throws like `open`. */
export async function openFolder(path: string): Promise<OpenFolder> {
  const handle = await open(path, FOLDER);
  try {
    return await folderOf(handle, path);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function folderOf(handle: FileHandle, opened: string): Promise<OpenFolder> {
  const self = `/proc/self/fd/${handle.fd}`;
  const target = await readlink(self).catch(() => null);
  const path = target === null ? opened : self;
  return {
    path,
    place: target ?? (await realpath(opened)),
    child: (name) => openFolder(join(path, name)),
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
    // Only root may change the owner; for other users the folder keeps theirs.
    await handle.chown(uid, gid).catch(() => {});
  } finally {
    await handle.close();
  }
}

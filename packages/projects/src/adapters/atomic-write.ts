import { constants, lstatSync, renameSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { diskFaultOf, failure, type Result, success } from '@svc/core';

/** New content that is staged next to its file. */
export interface StagedFile {
  /**
   * Renames it over the file, atomically and durably. Returns false if `isUnchanged` returns false: the check and
   * the rename run synchronously, so that other programs can hardly write in between.
   */
  commit(isUnchanged: () => boolean): Promise<boolean>;
  discard(): Promise<void>;
}

/** A file and its new content. */
export interface NewContent {
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * Replaces the content of a file atomically and durably. Returns false if `isUnchanged`, checked last, returns
 * false. If the file cannot be written, the error is a sentence and the file is unchanged.
 */
export async function replaceFile(
  content: NewContent,
  isUnchanged: () => boolean,
): Promise<Result<boolean, string>> {
  try {
    const staged = await stageFile(content.file, content.text, content.mode);
    const done = await staged.commit(isUnchanged);
    if (!done) await staged.discard();
    return success(done);
  } catch (error) {
    return failure(diskFaultOf(error)?.sentence ?? 'Check permissions and free space.');
  }
}

/** Name of the file in which new content is staged. */
export function stagedName(file: string): string {
  return `.${basename(file)}.svc-new`;
}

/**
 * Writes new content next to a file, synced to disk and with the owner of the file or of `ownerOf`, another path.
 * The caller holds the lock of the file, so one name is enough: a crash leaves at most one such file, which the
 * next write replaces.
 */
export async function stageFile(
  file: string,
  text: string,
  mode: number,
  ownerOf: string = file,
): Promise<StagedFile> {
  const staged = join(dirname(file), stagedName(file));
  await rm(staged, { force: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const discard = (): Promise<void> => rm(staged, { force: true });
  const handle = await open(staged, flags, mode);
  try {
    await keepOwner(handle, ownerOf);
    await handle.chmod(mode);
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await discard();
    throw error;
  } finally {
    await handle.close();
  }
  return {
    async commit(isUnchanged) {
      if (!isUnchanged()) return false;
      try {
        renameSync(staged, file);
      } catch (error) {
        await discard();
        throw error;
      }
      await syncFolder(dirname(file));
      return true;
    },
    discard,
  };
}

async function keepOwner(handle: FileHandle, file: string): Promise<void> {
  const before = lstatSync(file, { throwIfNoEntry: false });
  const now = await handle.stat();
  if (before === undefined || (before.uid === now.uid && before.gid === now.gid)) return;
  // Only root may change the owner; any user may set one of its own groups.
  await handle
    .chown(before.uid, before.gid)
    .catch(() => handle.chown(now.uid, before.gid))
    .catch(() => {});
}

/** Syncs a folder, so that renames in it are durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

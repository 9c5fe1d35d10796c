import { constants, lstatSync, renameSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { diskFaultOf, failure, type Result, success } from '@svc/core';

/** A new content that lies ready beside its file. */
export interface StagedFile {
  /**
   * Puts it in the place of the file, atomically and durably; false when `isUnchanged` says no. The question and the
   * answer to it are one step of this process, so that hardly any time is left for others to come in between.
   */
  commit(isUnchanged: () => boolean): Promise<boolean>;
  discard(): Promise<void>;
}

/** A file and what is to stand in it. */
export interface NewContent {
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * Puts a new content in the place of a file, atomically and durably; false when `isUnchanged` says no, asked at the last
 * moment. A file that cannot be written is an error in a sentence, and stays as it was.
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

/** The name under which the new content of a file lies beside it. */
export function stagedName(file: string): string {
  return `.${basename(file)}.svc-new`;
}

/**
 * Writes a new content beside a file, durable on the disk and with the owner that the file has, or `ownerOf`, another path.
 * The caller holds the lock of the file, so one name is enough and a crash leaves at most one such file, which the next
 * write replaces.
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
  // Only root may give a file away; a group of one's own can be kept by anybody.
  await handle
    .chown(before.uid, before.gid)
    .catch(() => handle.chown(now.uid, before.gid))
    .catch(() => {});
}

/** Makes what was renamed in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

import { constants, renameSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A new content that lies ready beside its file. */
export interface StagedFile {
  /**
   * Puts it in the place of the file, atomically and durably; false when `isUnchanged` says no. The question and the
   * answer to it are one step of this process, so that hardly any time is left for others to come in between.
   */
  commit(isUnchanged: () => boolean): Promise<boolean>;
  discard(): Promise<void>;
}

/**
 * Writes a new content beside a file, durable on the disk. The caller holds the lock of the file, so one name is
 * enough and a crash leaves at most one such file, which the next write replaces.
 */
export async function stageFile(file: string, text: string, mode: number): Promise<StagedFile> {
  const staged = join(dirname(file), `.${basename(file)}.svc-new`);
  await rm(staged, { force: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const handle = await open(staged, flags, mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return {
    async commit(isUnchanged) {
      if (!isUnchanged()) return false;
      renameSync(staged, file);
      await syncFolder(dirname(file));
      return true;
    },
    discard: () => rm(staged, { force: true }),
  };
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

import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { diskFaultOf, failure, type Result, sentenceOf, sentencesOf, success } from '@svc/core';
import { type StagedFile, stageFile } from './adapters/atomic-write.ts';
import { type OpenFolder, openFolder } from './adapters/open-folder.ts';
import { type FileBytes, holdsExactly, readInside } from './adapters/safe-read.ts';
import { type CuratedFile, MAX_CURATED_BYTES, MAX_SHOWN_BYTES, OWN_FOLDER } from './paths.ts';

/** A new text for a file. */
export interface CuratedEdit {
  readonly file: CuratedFile;
  /** At most 128 KiB. */
  readonly text: string;
  /** `sha256` of the file to replace; null if the file must not exist. */
  readonly ifHash: string | null;
}

/** A changed file; `before` is null for a new one. */
export interface CuratedChange {
  readonly file: CuratedFile;
  readonly before: string | null;
  readonly after: string;
}

/** The hash of a curated file, as hexadecimal digits. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Writes curated files of a project folder, a real path. The caller holds its lock as long as `isHeld` returns
 * true.
 */
export async function writeCurated(
  folder: string,
  edits: readonly CuratedEdit[],
  isHeld: () => boolean,
): Promise<Result<readonly CuratedChange[], string>> {
  if (edits.length === 0) return success([]);
  for (const { file, text } of edits) {
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_CURATED_BYTES) {
      return refused(file, `would be ${bytes} bytes; the limit is ${MAX_CURATED_BYTES}.`);
    }
  }
  try {
    const own = await openOwnFolder(folder);
    if (!own.ok) return own;
    try {
      return await writeInto(own.value, edits, isHeld);
    } finally {
      await own.value.close();
    }
  } catch (error) {
    const why = diskFaultOf(error)?.sentence ?? 'Check permissions and free space.';
    return failure(`The files in ${OWN_FOLDER} cannot be written. ${why}`);
  }
}

async function openOwnFolder(folder: string): Promise<Result<OpenFolder, string>> {
  const top = await openFolder(folder);
  try {
    await top.makeChild(OWN_FOLDER);
    const own = await top.child(OWN_FOLDER).catch(notAFolder);
    if (own?.place === join(folder, OWN_FOLDER)) return success(own);
    await own?.close();
    return failure(`${OWN_FOLDER} must be a folder, not a link. Replace it with a folder.`);
  } finally {
    await top.close();
  }
}

function notAFolder(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOTDIR' || error.code === 'ELOOP') return null;
  throw error;
}

interface PlannedEdit {
  readonly file: CuratedFile;
  readonly path: string;
  readonly before: FileBytes | null;
  readonly text: string;
}

async function writeInto(
  own: OpenFolder,
  edits: readonly CuratedEdit[],
  isHeld: () => boolean,
): Promise<Result<readonly CuratedChange[], string>> {
  const planned: PlannedEdit[] = [];
  for (const edit of edits) {
    const plan = await planOf(own, edit);
    if (!plan.ok) return plan;
    planned.push(plan.value);
  }
  const changing = planned.filter(({ before, text }) => !before?.bytes.equals(Buffer.from(text)));
  const written = await replaceAll(own, changing, isHeld);
  if (!written.ok) return written;
  return success(
    changing.map(({ file, before, text }) => ({
      file,
      before: before === null ? null : before.bytes.toString(),
      after: text,
    })),
  );
}

async function planOf(
  own: OpenFolder,
  { file, text, ifHash }: CuratedEdit,
): Promise<Result<PlannedEdit, string>> {
  const path = join(own.path, file);
  const read = await readInside({ file: path, within: own.place, maxBytes: MAX_SHOWN_BYTES });
  if (read?.ok === false) return failure(sentencesOf(read.issues, named(file)));
  const before = read?.value ?? null;
  if (before !== null && (before.mode & 0o222) === 0) return refused(file, 'is read-only.');
  const now = before === null ? null : hashOf(before.bytes);
  if (now !== ifHash) return refused(file, meanwhile(ifHash, now));
  return success({ file, path, before, text });
}

function meanwhile(then: string | null, now: string | null): string {
  const did = now === null ? 'removed' : then === null ? 'made' : 'changed';
  return `was ${did} by another program meanwhile and is left unchanged.`;
}

// All texts are staged before the first is renamed, and the renames run synchronously.
async function replaceAll(
  own: OpenFolder,
  changing: readonly PlannedEdit[],
  isHeld: () => boolean,
): Promise<Result<null, string>> {
  const staged: StagedFile[] = [];
  try {
    for (const { path, before, text } of changing) {
      const owner = before === null ? `${own.path}/.` : path;
      staged.push(await stageFile(path, text, before?.mode ?? 0o644, owner));
    }
    const late = changing.find((plan) => !isAsPlanned(plan));
    if (late !== undefined)
      return refused(late.file, 'was changed by another program meanwhile and is left unchanged.');
    if (!isHeld()) return failure('The lock of the project was lost. Try again.');
    await Promise.all(staged.map((one) => one.commit(() => true)));
    return success(null);
  } finally {
    await Promise.all(staged.map((one) => one.discard()));
  }
}

function isAsPlanned({ path, before }: PlannedEdit): boolean {
  if (before !== null) return holdsExactly(path, before.bytes);
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

function named(file: CuratedFile): string {
  return `${OWN_FOLDER}/${file}`;
}

function refused(file: CuratedFile, message: string): Result<never, string> {
  return failure(sentenceOf({ path: '', message }, named(file)));
}

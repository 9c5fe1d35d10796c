import { constants, lstatSync, type Stats } from 'node:fs';
import { type FileHandle, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Clock, newId } from '@svc/core';
import { ProjectsError } from '../errors.ts';
import { isStale, type LockMark, type ProcessIdentity, parseMark } from './lock-mark.ts';

/** A lock that was taken. */
export interface HeldLock {
  /** Whether this process still holds it; false after another process has taken it over. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/** The holder of a lock, according to its mark. */
export interface LockHolder {
  readonly pid: number | null;
}

/** Result of one attempt: the lock, its holder, or `again` if the file changed meanwhile. */
export type Attempt = HeldLock | { readonly busy: LockMark | null } | 'again';

/** Shared by both methods of taking a lock. */
export interface LockParts {
  readonly clock: Clock;
  readonly me: ProcessIdentity;
  /** Ids of the marks that this process holds. */
  readonly held: Set<string>;
}

/** Prevents opening links and waiting for pipes in place of a lock. */
export const CAREFULLY: number = constants.O_NOFOLLOW | constants.O_NONBLOCK;

const LONGEST_MARK = 4096;
const BEAT_MS = 5000;

/** Creates a mark of this process, and its text. */
export function newMark(parts: LockParts, kernel: boolean): { id: string; text: string } {
  const id = newId();
  return { id, text: `${JSON.stringify({ ...parts.me, id, kernel })}\n` };
}

/** Reads the mark in an open lock file. */
export async function readMark(handle: FileHandle): Promise<LockMark | null> {
  const buffer = Buffer.alloc(LONGEST_MARK);
  const { bytesRead } = await handle.read(buffer, 0, LONGEST_MARK, 0);
  return parseMark(buffer.toString('utf8', 0, bytesRead));
}

/** Whether the mark of a lock file belongs to a dead process. */
export function isLeft(
  { clock, me, held }: LockParts,
  mark: LockMark | null,
  stats: Stats,
  hasKernelLock: boolean,
): boolean {
  return isStale(mark, { me, held, ageMs: clock.now() - stats.mtimeMs, hasKernelLock });
}

/** Whether a file is still at its path. */
export function isAt(file: string, { dev, ino }: Stats): boolean {
  const now = lstatSync(file, { throwIfNoEntry: false });
  return now?.dev === dev && now.ino === ino;
}

/** Removes a file, if it exists. */
export async function remove(file: string): Promise<void> {
  await unlink(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Calls `touch` every few seconds until it is stopped, so that other machines see that the holder is alive. */
export function keepFresh(clock: Clock, touch: (at: Date) => Promise<void>): () => void {
  const next = () =>
    clock.setTimeout(() => {
      // A mark that is not renewed becomes stale, and `isHeld` returns false.
      touch(new Date(clock.now())).catch(() => {});
      timer = next();
    }, BEAT_MS);
  let timer = next();
  return () => clock.clearTimeout(timer);
}

/** Returns the error for something that is in the place of a lock and is not a lock. */
export function notALock(file: string): ProjectsError {
  const message = `${basename(file)} is not a lock file. Remove it.`;
  return new ProjectsError('unavailable', message, { facts: { file } });
}

/** Whether opening failed because the path is not a file. */
export function isNoFile(error: unknown): boolean {
  return ['EISDIR', 'ELOOP', 'EMLINK', 'ENXIO'].includes(
    String((error as NodeJS.ErrnoException).code),
  );
}

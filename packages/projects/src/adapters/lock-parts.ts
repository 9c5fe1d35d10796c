import { constants, lstatSync, type Stats } from 'node:fs';
import { type FileHandle, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Clock, newId } from '@svc/core';
import { ProjectsError } from '../errors.ts';
import { isStale, type LockMark, type ProcessIdentity, parseMark } from './lock-mark.ts';

/** A lock that was taken. */
export interface HeldLock {
  /** Whether it is still ours: false once another process has declared us dead. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/** Who holds a lock, as far as it says. */
export interface LockHolder {
  readonly pid: number | null;
}

/** What comes of trying once: the lock, whoever has it, or that all may be different by now. */
export type Attempt = HeldLock | { readonly busy: LockMark | null } | 'again';

/** What both ways of taking a lock work with. */
export interface LockParts {
  readonly clock: Clock;
  readonly me: ProcessIdentity;
  /** Ids of the marks that this process holds. */
  readonly held: Set<string>;
}

/** Keeps links and pipes in the place of a lock from being followed or waited for. */
export const CAREFULLY: number = constants.O_NOFOLLOW | constants.O_NONBLOCK;

const LONGEST_MARK = 4096;
const BEAT_MS = 5000;

/** A mark of this process, and its text. */
export function newMark(parts: LockParts, kernel: boolean): { id: string; text: string } {
  const id = newId();
  return { id, text: `${JSON.stringify({ ...parts.me, id, kernel })}\n` };
}

/** What stands in an open lock file. */
export async function readMark(handle: FileHandle): Promise<LockMark | null> {
  const buffer = Buffer.alloc(LONGEST_MARK);
  const { bytesRead } = await handle.read(buffer, 0, LONGEST_MARK, 0);
  return parseMark(buffer.toString('utf8', 0, bytesRead));
}

/** Whether the mark of a lock file is a dead one's. */
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

/** Removes a file; one that is gone already is fine. */
export async function remove(file: string): Promise<void> {
  await unlink(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Calls `touch` every few seconds until it is stopped, so that other machines see a living holder. */
export function keepFresh(clock: Clock, touch: (at: Date) => Promise<void>): () => void {
  const next = () =>
    clock.setTimeout(() => {
      // A mark that is not renewed grows stale, and `isHeld` tells.
      touch(new Date(clock.now())).catch(() => {});
      timer = next();
    }, BEAT_MS);
  let timer = next();
  return () => clock.clearTimeout(timer);
}

/** The error of something that stands in the place of a lock and is none. */
export function notALock(file: string): ProjectsError {
  const message = `Something that is no lock stands in the place of ${basename(file)}: remove it.`;
  return new ProjectsError('unavailable', message, { facts: { file } });
}

/** Whether opening failed because something else than a file is there. */
export function isNoFile(error: unknown): boolean {
  return ['EISDIR', 'ELOOP', 'EMLINK', 'ENXIO'].includes(
    String((error as NodeJS.ErrnoException).code),
  );
}

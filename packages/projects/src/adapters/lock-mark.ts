import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRecord } from '@svc/core';

/** A process, distinguished from earlier and later processes with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Boot id of the machine; null without `/proc`. */
  readonly boot: string | null;
  /** Start of the process in clock ticks since boot; null without `/proc`. */
  readonly started: number | null;
}

/** Content of a lock file: its holder. */
export interface LockMark extends ProcessIdentity {
  readonly id: string;
  /** Whether the holder has the kernel's lock too. */
  readonly kernel: boolean;
}

/** Returns the identity of this process. */
export function ownIdentity(): ProcessIdentity {
  const { pid } = process;
  return { pid, host: hostname(), boot: bootId(), started: statOf(pid)?.started ?? null };
}

/** Parses a mark; null if the text is not one. */
export function parseMark(text: string): LockMark | null {
  try {
    const mark: unknown = JSON.parse(text);
    if (!isRecord(mark)) return null;
    const { pid, host, id } = mark;
    const whole = Number.isInteger(pid) && typeof host === 'string' && typeof id === 'string';
    return whole ? (mark as unknown as LockMark) : null;
  } catch {
    return null;
  }
}

/** Facts about a lock that its mark does not contain. */
export interface MarkView {
  readonly me: ProcessIdentity;
  /** Ids of the marks that this process holds. */
  readonly held: ReadonlySet<string>;
  /** Time since the mark was written or renewed, in milliseconds. */
  readonly ageMs: number;
  /** Whether this process has the kernel's lock of the file, so that no other process does. */
  readonly hasKernelLock: boolean;
}

// Holders renew their mark every few seconds. A mark that was not renewed for this long belongs to a dead process.
const SILENT_MS = 30_000;
// The mark of a new file may still be being written.
const UNMARKED_MS = 2000;

/** Whether the holder of a mark is gone. */
export function isStale(mark: LockMark | null, view: MarkView): boolean {
  const { me, held, ageMs, hasKernelLock } = view;
  if (mark === null) return ageMs > UNMARKED_MS;
  const sameBoot = mark.boot === me.boot;
  const sameHost = mark.host === me.host && sameBoot;
  if (hasKernelLock && mark.kernel && (sameHost || (sameBoot && me.boot !== null))) return true;
  if (!sameHost) return ageMs > SILENT_MS;
  return mark.pid === me.pid ? !held.has(mark.id) : !isAlive(mark);
}

function isAlive({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = statOf(pid);
  if (now === null) return true;
  return now.state !== 'Z' && (started === null || now.started <= started);
}

function bootId(): string | null {
  return readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

// Fields 3 and 22 of proc_pid_stat(5), counted from the end of the process name, which may contain any character.
function statOf(pid: number): { state: string; started: number } | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: Number(fields[19]) };
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

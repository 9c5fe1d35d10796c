import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRecord } from '@svc/core';

/** A process, told apart from every other one that ever had its id. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Id of the machine's boot; null where there is no `/proc`. */
  readonly boot: string | null;
  /** When the process was started, in clock ticks since boot; null where there is no `/proc`. */
  readonly started: number | null;
}

/** What a lock file says about who holds the lock. */
export interface LockMark extends ProcessIdentity {
  readonly id: string;
  /** Whether the holder has the kernel's lock too. */
  readonly kernel: boolean;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  const { pid } = process;
  return { pid, host: hostname(), boot: bootId(), started: statOf(pid)?.started ?? null };
}

/** Reads a mark; null for a text that is none. */
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

/** What is known beside the mark itself. */
export interface MarkView {
  readonly me: ProcessIdentity;
  /** Ids of the marks that this process holds. */
  readonly held: ReadonlySet<string>;
  /** How long ago the mark was written or renewed, in milliseconds. */
  readonly ageMs: number;
  /** Whether the kernel's lock of the file is ours, so that nobody else has it. */
  readonly hasKernelLock: boolean;
}

// A holder renews its mark every few seconds; of one that says nothing for so long nobody lives any more.
const SILENT_MS = 30_000;
// A file without a mark may be one whose mark is being written.
const UNMARKED_MS = 2000;

/** Whether nobody holds the lock that a mark stands for. */
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

// Fields 3 and 22 of proc_pid_stat(5), counted from the end of the name, which may hold anything.
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

import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import type { Clock } from '@svc/core';

/** A snapshot of one process. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Start time in clock ticks since boot. With the pid it identifies a process uniquely. */
  readonly start: string;
  /** Its `SVC_TURN_ID`; null if it has none or its environment is unreadable. */
  readonly turnId: string | null;
  /** Its limit of file locks, as digits; null for none. See `turnMark`. */
  readonly mark: string | null;
}

const VARIABLE = 'SVC_TURN_ID=';
// Reading one process takes about 20 microseconds. The scan yields to the event loop between batches.
const AT_ONCE = 32;
// A working machine never uses a larger share of all process ids.
const IDS_IN_USE = 1 / 8;
// The id after a wraparound.
const FIRST_ID = 300;
const buffer = Buffer.alloc(32 * 1024);

/** Whether this machine lists its processes under /proc, as Linux does. */
export function hasProcessTable(): boolean {
  return statusOf(process.pid) !== null;
}

/**
 * All processes but zombies (proc(5)).
 *
 * @param counts Selects process ids. Default: all.
 */
export async function readProcessTable(
  clock: Clock,
  counts: (pid: number) => boolean = () => true,
): Promise<readonly ProcessEntry[]> {
  const entries: ProcessEntry[] = [];
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && counts(pid));
  // Youngest first, because they are the most likely to exit soon.
  pids.sort((a, b) => b - a);
  for (const [i, pid] of pids.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await clock.yield();
    const status = statusOf(pid);
    if (status !== null) entries.push({ ...status, turnId: turnIdOf(`${pid}`), mark: markOf(pid) });
  }
  return entries;
}

/** Number of processes and threads started since boot on the whole machine; null if unknown. */
export function readForks(): number | null {
  const [, forks] = /^processes (\d+)$/m.exec(readOrNull('/proc/stat') ?? '') ?? [];
  return forks === undefined ? null : Number(forks);
}

/**
 * A test for ids of processes that may have started after `pid`, including itself; null if unknown. The kernel assigns
 * ids in order, wraps around, and skips those in use.
 *
 * @param since The value of `readForks` before `pid` was started.
 */
export function youngerThan(pid: number, since: number): ((other: number) => boolean) | null {
  const forks = readForks();
  const ids = Number(readOrNull('/proc/sys/kernel/pid_max') ?? 0);
  // A counter that did not change is not supported.
  if (forks === null || forks <= since || pid >= ids) return null;
  const given = forks - since + ids * IDS_IN_USE + FIRST_ID;
  if (given >= ids) return null;
  return (other) => (other - pid + ids) % ids <= given;
}

/** Whether it is still the same process and not a zombie. */
export function isAlive(entry: ProcessEntry): boolean {
  return statusOf(entry.pid)?.start === entry.start;
}

function statusOf(pid: number): Omit<ProcessEntry, 'turnId' | 'mark'> | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The second field, the name in parentheses, can contain blanks and parentheses.
  const [state, parent, group, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || 'ZXx'.includes(state)) return null;
  return { pid, parent: Number(parent), group: Number(group), start: rest[16] ?? '' };
}

/** The `SVC_TURN_ID` of a process; null if it has none or its environment is unreadable. */
export function turnIdOf(pid: string): string | null {
  const text = readOrNull(`/proc/${pid}/environ`);
  const variable = text?.split('\0').find((entry) => entry.startsWith(VARIABLE));
  return variable?.slice(VARIABLE.length) ?? null;
}

function markOf(pid: number): string | null {
  const [, mark] = /^Max file locks +(\d+) /m.exec(readOrNull(`/proc/${pid}/limits`) ?? '') ?? [];
  return mark ?? null;
}

// A process may exit at any moment, and those of other users may be unreadable. This takes half the time of
// `readFileSync`, which first requests a size that these files do not have.
function readOrNull(path: string): string | null {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const length = readSync(file, buffer);
    return length < buffer.length
      ? buffer.toString('latin1', 0, length)
      : readFileSync(path, 'latin1');
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import type { Clock } from '@svc/core';

/** One process at the moment it was looked at. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Start time in clock ticks since boot: with the pid it names a process for good. */
  readonly start: string;
  /** Its `SVC_TURN_ID`; null where it has none or does not show it. */
  readonly turnId: string | null;
  /** Its limit of file locks, as digits; null where it has none. See `turnMark`. */
  readonly mark: string | null;
}

const VARIABLE = 'SVC_TURN_ID=';
// Looking at one process costs about 20 microseconds; the loop is given back in between.
const AT_ONCE = 32;
// More of all process ids are not in use on any machine that works.
const IDS_IN_USE = 1 / 8;
// Where they go on after the highest.
const FIRST_ID = 300;
const buffer = Buffer.alloc(32 * 1024);

/** Whether this machine shows its processes under /proc, as Linux does. */
export function hasProcessTable(): boolean {
  return statusOf(process.pid) !== null;
}

/**
 * All processes but zombies (proc(5)).
 *
 * @param counts Which process ids are looked at. Default: all.
 */
export async function readProcessTable(
  clock: Clock,
  counts: (pid: number) => boolean = () => true,
): Promise<readonly ProcessEntry[]> {
  const entries: ProcessEntry[] = [];
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && counts(pid));
  // The youngest first: they are the ones that may be gone in a moment.
  pids.sort((a, b) => b - a);
  for (const [i, pid] of pids.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await clock.yield();
    const status = statusOf(pid);
    if (status !== null) entries.push({ ...status, turnId: turnIdOf(`${pid}`), mark: markOf(pid) });
  }
  return entries;
}

/** How many processes and threads were started since boot, on the whole machine; null where that is not told. */
export function readForks(): number | null {
  const [, forks] = /^processes (\d+)$/m.exec(readOrNull('/proc/stat') ?? '') ?? [];
  return forks === undefined ? null : Number(forks);
}

/**
 * Which process ids may be of processes that were started after `pid`, itself included; null where that cannot be told. Ids
 * are given in order and then from the beginning again, and those that are in use are passed over.
 *
 * @param since What `readForks` told before `pid` was started.
 */
export function youngerThan(pid: number, since: number): ((other: number) => boolean) | null {
  const forks = readForks();
  const ids = Number(readOrNull('/proc/sys/kernel/pid_max') ?? 0);
  // A count that stands still counts nothing.
  if (forks === null || forks <= since || pid >= ids) return null;
  const given = forks - since + ids * IDS_IN_USE + FIRST_ID;
  if (given >= ids) return null;
  return (other) => (other - pid + ids) % ids <= given;
}

/** Whether the process is still the one that was looked at, and no zombie. */
export function isAlive(entry: ProcessEntry): boolean {
  return statusOf(entry.pid)?.start === entry.start;
}

function statusOf(pid: number): Omit<ProcessEntry, 'turnId' | 'mark'> | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The second field, the name in brackets, may itself hold blanks and brackets.
  const [state, parent, group, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || 'ZXx'.includes(state)) return null;
  return { pid, parent: Number(parent), group: Number(group), start: rest[16] ?? '' };
}

/** The `SVC_TURN_ID` of a process; null where it has none or does not show it. */
export function turnIdOf(pid: string): string | null {
  const text = readOrNull(`/proc/${pid}/environ`);
  const variable = text?.split('\0').find((entry) => entry.startsWith(VARIABLE));
  return variable?.slice(VARIABLE.length) ?? null;
}

function markOf(pid: number): string | null {
  const [, mark] = /^Max file locks +(\d+) /m.exec(readOrNull(`/proc/${pid}/limits`) ?? '') ?? [];
  return mark ?? null;
}

// A process may end at any moment, and those of other users are closed to us. Half of the time of `readFileSync`, which
// asks for a size that these files do not have.
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

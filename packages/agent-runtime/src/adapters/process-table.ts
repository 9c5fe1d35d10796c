import { readdirSync, readFileSync } from 'node:fs';
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
}

const VARIABLE = 'SVC_TURN_ID=';
// Looking at one process costs about 20 microseconds; the loop is given back in between.
const AT_ONCE = 32;

/** Whether this machine shows its processes under /proc, as Linux does. */
export function hasProcessTable(): boolean {
  return statusOf(process.pid) !== null;
}

/** All processes but zombies (proc(5)). */
export async function readProcessTable(clock: Clock): Promise<readonly ProcessEntry[]> {
  const entries: ProcessEntry[] = [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  // The youngest first: they are the ones that may be gone in a moment.
  pids.sort((a, b) => Number(b) - Number(a));
  for (const [i, pid] of pids.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await clock.yield();
    const status = statusOf(Number(pid));
    if (status !== null) entries.push({ ...status, turnId: turnIdOf(pid) });
  }
  return entries;
}

/** Whether the process is still the one that was looked at, and no zombie. */
export function isAlive(entry: ProcessEntry): boolean {
  return statusOf(entry.pid)?.start === entry.start;
}

function statusOf(pid: number): Omit<ProcessEntry, 'turnId'> | null {
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

// A process may end at any moment, and those of other users are closed to us.
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

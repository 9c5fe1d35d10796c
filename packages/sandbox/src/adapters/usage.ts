import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { statFields } from './stat-fields.ts';

/** What the processes of a sandbox use together. */
export interface Usage {
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly processes: number;
  /** CPU time of all processes so far, also of those that have exited, in milliseconds. */
  readonly cpuMs: number;
}

/** Sums up the processes of a sandbox. */
export interface UsageReader {
  read(): Promise<Usage>;
}

// `/proc/<pid>/stat` counts in units of USER_HZ, which is 100 on every Linux.
const MS_PER_TICK = 10;
const KIB = 1024;

/** Reads the processes of a sandbox from the `/proc` that its first process sees. */
export function createUsageReader(pid: number): UsageReader {
  const proc = `/proc/${pid}/root/proc`;
  // Commands that were started from outside: nothing in the sandbox counts their time after they have exited.
  const commands = new Map<string, number>();
  return {
    async read() {
      const names = await readdir(proc).catch(() => []);
      const pids = names.filter((name) => /^\d+$/.test(name));
      const found = await Promise.all(pids.map((name) => usageOf(join(proc, name))));
      let [memoryBytes, processes, ticks] = [0, 0, 0];
      for (const one of found) {
        if (one === null) continue;
        memoryBytes += one.memoryBytes;
        processes += one.threads;
        if (one.isCommand) commands.set(one.key, one.ticks);
        else ticks += one.ticks;
      }
      for (const one of commands.values()) ticks += one;
      return { memoryBytes, processes, cpuMs: ticks * MS_PER_TICK };
    },
  };
}

interface ProcessUsage {
  readonly memoryBytes: number;
  readonly threads: number;
  /** CPU time of the process and of the children that it waited for. */
  readonly ticks: number;
  /** Identifies the process: its number and start. */
  readonly key: string;
  readonly isCommand: boolean;
}

async function usageOf(folder: string): Promise<ProcessUsage | null> {
  try {
    const [status, stat] = await Promise.all([
      readFile(join(folder, 'status'), 'utf8'),
      readFile(join(folder, 'stat'), 'latin1'),
    ]);
    const field = (name: string): number =>
      Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    const fields = statFields(stat);
    const at = (number: number): number => Number(fields[number - 3] ?? 0);
    return {
      // Pages of files are shared and can be dropped.
      memoryBytes: (field('RssAnon') + field('RssShmem') + field('VmSwap')) * KIB,
      threads: field('Threads'),
      ticks: at(14) + at(15) + at(16) + at(17),
      key: `${folder} ${at(22)}`,
      // Its parent is in another process namespace.
      isCommand: at(4) === 0 && !folder.endsWith('/1'),
    };
  } catch {
    // The process has exited.
    return null;
  }
}

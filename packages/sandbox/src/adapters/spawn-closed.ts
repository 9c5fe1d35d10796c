import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

// open(2), as in /proc/<pid>/fdinfo.
const CLOSED_ON_EXEC = 0o2000000;

/** Options of `spawnClosed`. The default working directory is `/`. */
export interface ClosedSpawnOptions extends SpawnOptions {
  readonly stdio: Exclude<StdioOptions, string>;
}

/**
 * Starts a process in its own process group that gets no descriptors but those in `stdio`. Node closes only those that
 * it opened itself: others that this process inherited lead nowhere in the new process.
 */
export function spawnClosed(
  command: readonly string[],
  { stdio, ...options }: ClosedSpawnOptions,
): ChildProcess {
  const [program = '', ...args] = command;
  const inherited = inheritedDescriptors().filter((fd) => fd >= stdio.length);
  const common = { cwd: '/', ...options, detached: true };
  if (inherited.length === 0) return spawn(program, args, { ...common, stdio });
  const nothing = openSync('/dev/null', 'r');
  try {
    const all = [...stdio];
    for (const fd of inherited) {
      while (all.length < fd) all.push('ignore');
      all.push(nothing);
    }
    return spawn(program, args, { ...common, stdio: all });
  } finally {
    closeSync(nothing);
  }
}

function inheritedDescriptors(): readonly number[] {
  const found: number[] = [];
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd > 2 && !isClosedOnExec(fd)) found.push(fd);
  }
  return found.sort((one, other) => one - other);
}

function isClosedOnExec(fd: number): boolean {
  try {
    const facts = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
    const [, flags = '0'] = /^flags:\s*(\d+)$/m.exec(facts) ?? [];
    return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) !== 0;
  } catch {
    // It was closed meanwhile.
    return true;
  }
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { statFields } from './stat-fields.ts';

const WITHIN_MS = 2000;
const PAUSE_MS = 1;
// A parent in vfork(2) waits for its child, which is stopped, and cannot be stopped itself.
const VFORK_AFTER_MS = 50;
const STOPPED = ['T', 't', 'Z', 'X'];

interface Task {
  readonly process: string;
  readonly parent: string;
  readonly state: string;
}

/**
 * Waits until the parents of commands, which are outside of their sandbox, have started their process inside, or have
 * exited.
 *
 * @throws Error if one does not within 2 s
 */
export function untilEntered(parents: readonly number[]): Promise<void> {
  return until('commands of the sandbox did not start in time', async () => {
    if (parents.length === 0) return true;
    const tasks = await tasksIn('/proc', false);
    const entered = await Promise.all(
      parents.map(async (parent) => {
        const own = tasks.find((task) => task.process === String(parent));
        if (own === undefined || own.state === 'Z') return true;
        const children = tasks.filter((task) => task.parent === String(parent));
        const inside = await Promise.all(children.map((task) => isInside(task.process)));
        return inside.includes(true);
      }),
    );
    return !entered.includes(false);
  });
}

// A process has a number in its own namespace and in each one above.
async function isInside(pid: string): Promise<boolean> {
  const [its, ours] = await Promise.all([pid, 'self'].map(numbersOf));
  return (its ?? 0) > (ours ?? 0);
}

async function numbersOf(pid: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^NSpid:\s*(.+)$/m.exec(status)?.[1]?.split(/\s+/).length ?? 0;
}

/**
 * Waits until all processes of a sandbox have stopped after SIGSTOP. Until then, a system call that has begun, such as
 * open(2), may still take effect.
 *
 * @param pid its first process, which is not stopped
 * @throws Error if one does not stop within 2 s
 */
export function untilStopped(pid: number): Promise<void> {
  return until('processes of the sandbox could not be stopped', async (waited) => {
    const all = await tasksIn(`/proc/${pid}/root/proc`, true);
    const tasks = all.filter(({ process }) => process !== '1');
    return tasks.every(
      (task) =>
        STOPPED.includes(task.state) || (waited > VFORK_AFTER_MS && waitsForChild(task, tasks)),
    );
  });
}

async function until(fault: string, holds: (waitedMs: number) => Promise<boolean>): Promise<void> {
  const from = performance.now();
  for (;;) {
    const waited = performance.now() - from;
    if (await holds(waited)) return;
    if (waited > WITHIN_MS) throw new Error(fault);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function waitsForChild({ process, state }: Task, tasks: readonly Task[]): boolean {
  return state === 'D' && tasks.some((task) => task.parent === process && task.state === 'T');
}

async function tasksIn(proc: string, withThreads: boolean): Promise<readonly Task[]> {
  const names = await readdir(proc).catch(() => []);
  const processes = names.filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    processes.map(async (process) => {
      const folder = join(proc, process);
      if (!withThreads) return [await taskOf(process, folder)];
      const threads = await readdir(join(folder, 'task')).catch(() => []);
      return Promise.all(threads.map((thread) => taskOf(process, join(folder, 'task', thread))));
    }),
  );
  return all.flat().filter((task) => task !== null);
}

// An empty file is that of a process or thread that has just exited.
async function taskOf(process: string, folder: string): Promise<Task | null> {
  const text = await readFile(join(folder, 'stat'), 'latin1').catch(() => '');
  const [state = '', parent = ''] = statFields(text);
  return text === '' ? null : { process, parent, state };
}

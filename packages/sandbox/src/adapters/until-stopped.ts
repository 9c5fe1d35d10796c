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
 * Waits until all processes of a sandbox have stopped after SIGSTOP. Until then, a system call that has begun, such as
 * open(2), may still take effect.
 *
 * @param pid its first process, which is not stopped
 * @throws Error if one does not stop within 2 s
 */
export async function untilStopped(pid: number): Promise<void> {
  const from = performance.now();
  for (;;) {
    const tasks = await tasksIn(`/proc/${pid}/root/proc`);
    const waited = performance.now() - from;
    const running = tasks.filter(
      (task) =>
        !STOPPED.includes(task.state) && !(waited > VFORK_AFTER_MS && waitsForChild(task, tasks)),
    );
    if (running.length === 0) return;
    if (waited > WITHIN_MS) throw new Error('processes of the sandbox could not be stopped');
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function waitsForChild({ process, state }: Task, tasks: readonly Task[]): boolean {
  return state === 'D' && tasks.some((task) => task.parent === process && task.state === 'T');
}

async function tasksIn(proc: string): Promise<readonly Task[]> {
  const names = await readdir(proc).catch(() => []);
  const processes = names.filter((name) => /^\d+$/.test(name) && name !== '1');
  const all = await Promise.all(
    processes.map(async (process) => {
      const threads = await readdir(join(proc, process, 'task')).catch(() => []);
      return Promise.all(threads.map((thread) => taskOf(proc, process, thread)));
    }),
  );
  return all.flat().filter((task) => task !== null);
}

async function taskOf(proc: string, process: string, thread: string): Promise<Task | null> {
  const text = await readFile(join(proc, process, 'task', thread, 'stat'), 'latin1').catch(
    () => '',
  );
  const [state = '', parent = ''] = statFields(text);
  // An empty file is that of a thread that has just exited.
  return text === '' ? null : { process, parent, state };
}

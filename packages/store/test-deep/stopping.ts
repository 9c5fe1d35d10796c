import { readdirSync, readFileSync } from 'node:fs';
import { withClient } from './several.ts';

function parentOf(pid: number): number {
  try {
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(parent);
  } catch {
    // It has ended in the meantime.
    return 0;
  }
}

/** The processes of a server. */
async function processesOf(url: string): Promise<readonly number[]> {
  let parent = 0;
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    parent = parentOf(rows[0]?.pid ?? 0);
  });
  if (parent === 0) throw new Error('no server');
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [parent, ...all.map(Number).filter((pid) => parentOf(pid) === parent)];
}

function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended in the meantime.
    }
  }
}

/** A server that can be made to hang. */
export interface Hanging {
  /** It says nothing any more, although it is there. */
  stop(): Promise<void>;
  goOn(): void;
}

/** Makes a server hang where a test says, and go on in the end. */
export async function withHanging<T>(
  url: string,
  test: (hanging: Hanging) => Promise<T>,
): Promise<T> {
  let stopped: readonly number[] = [];
  const goOn = (): void => {
    signal(stopped, 'SIGCONT');
    stopped = [];
  };
  try {
    return await test({
      async stop() {
        stopped = await processesOf(url);
        signal(stopped, 'SIGSTOP');
      },
      goOn,
    });
  } finally {
    goOn();
  }
}

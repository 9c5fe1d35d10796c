import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, jest } from '@jest/globals';
import { withHome } from '../test/harness.ts';

jest.setTimeout(60_000);

/** How often the threads of a process have gone to sleep so far. */
function sleepsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }, 0);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

// proves: scale.idle
it('an idle service sleeps: it wakes a few times a second', () =>
  withHome(async (home) => {
    home.write('projects/demo/project.yaml', 'name: Demo\n');
    const server = await home.serve();
    await pause(10_000);
    const pid = server.process.pid ?? 0;
    const before = sleepsOf(pid);
    await pause(5000);
    expect(sleepsOf(pid) - before).toBeLessThan(300);
    expect(await server.stop()).toBe(0);
  }));

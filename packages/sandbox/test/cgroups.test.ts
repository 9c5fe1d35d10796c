import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openControlGroups } from '../src/adapters/cgroups.ts';
import { limitFault } from '../src/limits.ts';

// A temporary folder stands for the file system of the kernel, which would remove moved processes from the old group.
let base: string;
let own: string;
const limits = { memoryBytes: 2 ** 20, processes: 20, cpuMs: 5000 };

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'svc-cgroups-'));
  own = join(base, 'cgroup/system.slice/svc.service');
  await mkdir(own, { recursive: true });
  await mkdir(join(base, 'proc/self'), { recursive: true });
  await writeFile(join(base, 'proc/self/cgroup'), '0::/system.slice/svc.service\n');
  await writeFile(join(own, 'cgroup.type'), 'domain\n');
  await writeFile(join(own, 'cgroup.controllers'), 'cpu memory pids\n');
  await writeFile(join(own, 'cgroup.procs'), '');
});
afterEach(() => rm(base, { recursive: true, force: true }));

const open = (isDelegated = true) =>
  openControlGroups(
    { root: join(base, 'cgroup'), proc: join(base, 'proc') },
    async () => isDelegated,
  );
const created = async () => {
  const group = await (await open())?.create(limits);
  const name = (await readdir(own)).find((one) => one.startsWith('sandbox-')) ?? '';
  if (group === undefined) throw new Error('no control groups');
  return { group, folder: join(own, name) };
};
const process = async (pid: number, parent: number): Promise<void> => {
  await mkdir(join(base, `proc/${pid}`));
  await writeFile(join(base, `proc/${pid}/stat`), `${pid} (a) b) S ${parent} 1 1`);
};

describe('the control group of the service', () => {
  it('passes the controllers on once its processes are in a group below it', async () => {
    expect(await open()).not.toBeNull();
    expect(await readFile(join(own, 'cgroup.subtree_control'), 'utf8')).toBe('+memory +pids');
    expect(existsSync(join(own, 'svc'))).toBe(true);
  });

  it.each([
    ['it is not delegated', async () => {}, false],
    ['memory is not limited', () => writeFile(join(own, 'cgroup.controllers'), 'cpu pids'), true],
    ['it is the root', () => rm(join(own, 'cgroup.type')), true],
    [
      'it has a process of another program',
      async () => {
        await process(4242, 1);
        await writeFile(join(own, 'cgroup.procs'), '4242\n');
      },
      true,
    ],
    [
      'the hierarchy is of version 1',
      () => writeFile(join(base, 'proc/self/cgroup'), '4:memory:/a\n'),
      true,
    ],
  ])('is left as it is if %s', async (_name, change, isDelegated) => {
    await change();
    expect(await open(isDelegated)).toBeNull();
    expect(existsSync(join(own, 'svc'))).toBe(false);
    expect(existsSync(join(own, 'cgroup.subtree_control'))).toBe(false);
  });
});

describe('the control group of a sandbox', () => {
  it('has the limits, and a command that enters it', async () => {
    const { group, folder } = await created();
    const text = (file: string) => readFile(join(folder, file), 'utf8');
    expect(await text('memory.max')).toBe('1048576');
    expect(await text('memory.swap.max')).toBe('0');
    expect(await text('memory.oom.group')).toBe('1');
    // What holds the sandbox is in the group, too.
    expect(await text('pids.max')).toBe('84');
    expect(group.join.at(-1)).toBe(join(folder, 'cgroup.procs'));
  });

  it.each([
    ['memory.events', 'low 0\noom 1\noom_kill 3\n', /used 1 MiB of memory; the limit is 1 MiB/],
    ['pids.events', 'max 2\n', /had 21 processes and threads; the limit is 20/],
    ['cpu.stat', 'usage_usec 6000000\nuser_usec 1\n', /used 6 s of CPU time; the limit is 5 s/],
  ])('reports from %s that a limit was reached', async (file, text, reason) => {
    const { group, folder } = await created();
    expect(limitFault(group.usage(), limits)).toBeNull();
    await writeFile(join(folder, file), text);
    expect(limitFault(group.usage(), limits)).toMatch(reason);
  });

  it('is gone when it was removed, also twice', async () => {
    const { group, folder } = await created();
    for (const name of await readdir(folder)) await rm(join(folder, name));
    // The kernel removes the files of a group together with it; here cgroup.kill is left.
    expect(await group.remove()).toBe(false);
    await rm(folder, { recursive: true });
    expect(await group.remove()).toBe(true);
  });
});

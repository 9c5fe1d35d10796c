import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createProcessReaper, markingScript } from '@svc/agent-runtime';
import { newId, silentLogger } from '@svc/core';
import { createMemoryLogger } from '@svc/core/testing';
import { bash, clock, inFolder, isRunning, play, reaper, until } from './support.ts';

// Real processes, with a grace period that passes five times as fast.
const fastClock = {
  ...clock,
  mono: () => clock.mono() * 5,
  setTimeout: (callback: () => void, ms: number) => clock.setTimeout(callback, ms / 5),
};
const quick = createProcessReaper({ clock: fastClock, logger: silentLogger });

const PATH = '/usr/bin:/bin';

function start(command: string, env: Record<string, string>, detached = true): ChildProcess {
  return spawn('/bin/bash', ['-c', command], {
    env: { PATH, ...env },
    detached,
    stdio: 'ignore',
  });
}

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}

function groupSize(leader: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[3]) === leader;
    } catch {
      // It has ended since it was listed.
      return false;
    }
  }).length;
}

describe('the process reaper', () => {
  it('ends only the processes of the given turns', async () => {
    const [a, b] = [newId(), newId()];
    const children = [
      start('exec sleep 41', { SVC_TURN_ID: a }),
      start('exec sleep 41', { SVC_TURN_ID: a, OTHER: 'x' }, false),
      start('exec sleep 41', { SVC_TURN_ID: b }),
      start('exec sleep 41', { SVC_TURN_ID: `${a}0` }),
      start('exec sleep 41', { NOT_SVC_TURN_ID: a }),
      start('exec sleep 41', { OTHER: `SVC_TURN_ID=${a}` }),
      start('exec sleep 41', {}),
    ];
    const running = () => children.map(({ pid }) => isRunning(pid ?? 0));
    await until(async () => {
      const names = await Promise.all(
        children.map(({ pid }) => readFile(`/proc/${pid}/comm`, 'utf8')),
      );
      return names.every((name) => name === 'sleep\n');
    });
    expect(await reaper.endTurns([a])).toEqual({ ended: 2 });
    expect(running()).toEqual([false, false, true, true, true, true, true]);
    expect(await reaper.endTurns([b, newId()])).toEqual({ ended: 1 });
    expect(running()).toEqual([false, false, false, true, true, true, true]);
    for (const child of children) child.kill('SIGKILL');
  });

  it('ends a process that repeatedly forks and exits', () =>
    inFolder(async (folder) => {
      const turnId = newId();
      const hops = join(folder, 'hops');
      const script = join(folder, 'hop');
      writeFileSync(script, `echo >> ${hops}\n/bin/bash "$0" &\n`);
      const leader = start(`exec /bin/bash ${script}`, { SVC_TURN_ID: turnId }).pid ?? 0;
      const size = () => statSync(hops, { throwIfNoEntry: false })?.size ?? 0;
      try {
        await until(() => size() > 20);
        await reaper.endTurns([turnId], { groups: [leader] });
        let [before, same] = [-1, 0];
        await until(() => {
          same = size() === before ? same + 1 : 0;
          before = size();
          return same > 20;
        });
        expect(same).toBeGreaterThan(20);
      } finally {
        try {
          process.kill(-leader, 'SIGKILL');
        } catch {
          // It has ended, as it should.
        }
      }
    }));

  it('ends daemons and descendants that removed the variable', async () => {
    await inFolder(async (folder) => {
      const turnId = newId();
      start(
        `setsid bash -c 'env -i setsid /bin/sleep 42 & echo $! > ${folder}/deep; wait' & echo $! > ${folder}/daemon`,
        { SVC_TURN_ID: turnId },
      );
      const pid = async (name: string) =>
        Number(await readFile(join(folder, name), 'utf8').catch(() => ''));
      await until(async () => (await pid('deep')) > 0 && (await pid('daemon')) > 0);
      await until(async () => isRunning(await pid('deep')));
      await reaper.endTurns([turnId]);
      expect(isRunning(await pid('deep'))).toBe(false);
      expect(isRunning(await pid('daemon'))).toBe(false);
    });
  });

  // The remaining process has lost the variable, the session and the parent, and so every link to the turn.
  const SHEDDING = `env -i /usr/bin/setsid /bin/sh -c '/bin/sleep 46 & echo $! > left'`;
  const leftIn = async (folder: string): Promise<number> => {
    const pid = async () => Number(await readFile(join(folder, 'left'), 'utf8').catch(() => ''));
    await until(async () => (await pid()) > 0);
    return pid();
  };

  // proves: runtimes.marked
  it('ends descendants of a marked process without variable, session and parent', () =>
    inFolder(async (folder) => {
      const turnId = newId();
      const command = `${markingScript(turnId)} cd ${folder}; ${SHEDDING}`;
      await once(start(command, { SVC_TURN_ID: turnId }), 'exit');
      const pid = await leftIn(folder);
      expect(await reaper.endTurns([newId()])).toEqual({ ended: 0 });
      expect(isRunning(pid)).toBe(true);
      // The shell that has started it may not have ended yet.
      expect((await reaper.endTurns([turnId])).ended).toBeGreaterThanOrEqual(1);
      expect(isRunning(pid)).toBe(false);
    }));

  // proves: runtimes.marked
  it('knows the commands of a turn by their mark', () =>
    inFolder(async (folder) => {
      const { end } = await play(folder, bash(SHEDDING));
      expect(end.outcome).toBe('succeeded');
      expect(isRunning(await leftIn(folder))).toBe(false);
    }));

  it('finds remaining processes among those younger than the first process of a turn', async () => {
    const since = reaper.forks();
    const [turnId, other] = [newId(), newId()];
    const first = start('exec sleep 47', { SVC_TURN_ID: turnId });
    const later = [turnId, other].map((id) => start('exec sleep 47', { SVC_TURN_ID: id }));
    const all = [first, ...later];
    const running = () => all.map(({ pid }) => isRunning(pid ?? 0));
    await until(() => all.every(({ pid }) => nameOf(pid ?? 0) === 'sleep'));
    first.kill('SIGKILL');
    await once(first, 'exit');
    const also = { groups: [first.pid ?? 0], since };
    expect(await reaper.endTurns([turnId], also)).toEqual({ ended: 1 });
    expect(running()).toEqual([false, false, true]);
    expect(await reaper.endTurns([turnId], also)).toEqual({ ended: 0 });
    // If the fork count cannot limit the search, all processes are searched.
    const last = { groups: [Number.MAX_SAFE_INTEGER], since };
    expect(await reaper.endTurns([other], last)).toEqual({ ended: 1 });
  });

  it('continues a stopped process so that it handles SIGTERM', async () => {
    const turnId = newId();
    const stopped = start('kill -STOP $$; sleep 43', { SVC_TURN_ID: turnId });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const from = clock.mono();
    await reaper.endTurns([turnId]);
    expect(isRunning(stopped.pid ?? 0)).toBe(false);
    expect(clock.mono() - from).toBeLessThan(20_000);
  });

  it('kills a process that ignores SIGTERM', async () => {
    const turnId = newId();
    const deaf = start('trap "" TERM; while true; do sleep 0.1; done', { SVC_TURN_ID: turnId });
    await new Promise((resolve) => setTimeout(resolve, 150));
    const { ended } = await quick.endTurns([turnId]);
    expect(ended).toBeGreaterThanOrEqual(1);
    expect(isRunning(deaf.pid ?? 0)).toBe(false);
  });

  it('does nothing for no turns and for turns without processes', async () => {
    expect(await reaper.endTurns([])).toEqual({ ended: 0 });
    expect(await reaper.endTurns([newId()])).toEqual({ ended: 0 });
  });

  it('does not end its own process, even if it has the variable', async () => {
    const turnId = newId();
    const script = `
      import { createProcessReaper } from '@svc/agent-runtime';
      import { createSystemClock, silentLogger } from '@svc/core';
      const reaper = createProcessReaper({ clock: createSystemClock(), logger: silentLogger });
      const { ended } = await reaper.endTurns(['${turnId}']);
      process.stdout.write('still here, ended ' + ended);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: new URL('..', import.meta.url).pathname,
      env: { PATH, SVC_TURN_ID: turnId },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(output).toBe('still here, ended 0');
  });

  it('ends a group by its leader', async () => {
    const child = start('sleep 44 & sleep 44', {});
    await until(() => groupSize(child.pid ?? 0) >= 2);
    const { ended } = await reaper.endGroup(child.pid ?? 0);
    expect(ended).toBeGreaterThanOrEqual(2);
    expect(isRunning(child.pid ?? 0)).toBe(false);
  });

  it('ends only the given groups if processes cannot be listed, and warns once', async () => {
    const logger = createMemoryLogger();
    const blind = createProcessReaper({ clock: fastClock, logger }, { table: 'none' });
    const turnId = newId();
    const grouped = start('trap "" TERM; while true; do sleep 0.1; done', { SVC_TURN_ID: turnId });
    const other = start('exec sleep 45', { SVC_TURN_ID: turnId });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await blind.endTurns([turnId])).toEqual({ ended: 0 });
    expect(await blind.endTurns([turnId], { groups: [grouped.pid ?? 0] })).toEqual({ ended: 1 });
    await until(() => !isRunning(grouped.pid ?? 0));
    expect(isRunning(other.pid ?? 0)).toBe(true);
    other.kill('SIGKILL');
    expect(logger.lines).toEqual([
      {
        level: 'warn',
        message: 'cannot list processes, ending process groups only',
        fields: {},
      },
    ]);
  });
});

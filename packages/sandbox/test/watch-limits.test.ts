import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import { removeGroup, watchLimits } from '../src/adapters/watch-limits.ts';

const limits = { memoryBytes: 2 ** 20, processes: 20, cpuMs: null };
const NOTHING = { memoryBytes: 0, processes: 0, cpuMs: 0 };

function watched(usage: () => typeof NOTHING) {
  const clock = createFakeClock();
  const killed: number[] = [];
  const group = { join: [], usage, remove: async () => true };
  const spaces = { pid: 1, kill: () => void killed.push(1) };
  return {
    clock,
    killed,
    watch: watchLimits({ clock, logger: silentLogger }, limits, spaces, group),
  };
}

describe('a watch over limits that the kernel enforces', () => {
  it('kills the sandbox at the next check after a limit was reached', async () => {
    let usage = NOTHING;
    const { clock, killed, watch } = watched(() => usage);
    await clock.advance(1000);
    expect(killed).toEqual([]);
    usage = { ...NOTHING, processes: 21 };
    await clock.advance(200);
    expect(await watch.fault).toMatch(/^The turn had 21 processes/);
    expect(killed).toEqual([1]);
    await clock.advance(1000);
    expect(killed).toEqual([1]);
  });

  it('knows the reason as soon as a process was killed', () => {
    const { watch } = watched(() => ({ ...NOTHING, memoryBytes: 2 ** 20 + 1 }));
    expect(watch.checkKernel()).toMatch(/the limit is 1 MiB/);
  });
});

describe('the control group of a sandbox that has ended', () => {
  it('is removed once its last process has exited', async () => {
    const clock = createFakeClock();
    const answers = [false, false, true];
    let calls = 0;
    const remove = async () => answers[calls++] ?? true;
    removeGroup({ clock, logger: silentLogger }, { remove });
    await clock.advance(1000);
    expect(calls).toBe(3);
  });
});

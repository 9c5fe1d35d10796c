import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import { openState } from '../src/adapters/state.ts';

describe('what the runtime keeps, where several machines share a volume', () => {
  // proves: nodes.sessions
  it('has sessions and their costs on the volume, and what was found out of the machine beside it', async () => {
    const [machine, other, volume] = ['a', 'b', 'v'].map((name) =>
      mkdtempSync(join(tmpdir(), `svc-state-${name}-`)),
    ) as [string, string, string];
    const sessions = join(volume, '.runtimes', 'claude');
    const [one, two] = [openState(machine, null, sessions), openState(other, null, sessions)];
    const id = newId();
    const config = await one.config();
    mkdirSync(join(config, 'projects', 'demo'), { recursive: true });
    writeFileSync(join(config, 'projects', 'demo', `${id}.jsonl`), '{}\n');
    await one.keepCost(id, 0.25);
    await one.fences.set('key', { passed: true });
    expect(await two.config()).toBe(config);
    expect([await two.hasSession(id), await two.costOf(id)]).toEqual([true, 0.25]);
    expect([await one.fences.get('key'), await two.fences.get('key')]).toEqual([
      { passed: true },
      null,
    ]);
    expect(existsSync(join(machine, 'config'))).toBe(false);
    for (const folder of [machine, other, volume]) rmSync(folder, { recursive: true });
  });
});

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import { openState } from '../src/adapters/runtime-state.ts';

describe('the state of servers that share a volume', () => {
  // proves: nodes.sessions
  it('shares sessions and their costs, but not the self-test result', async () => {
    const [local, other, volume] = ['a', 'b', 'v'].map((name) =>
      mkdtempSync(join(tmpdir(), `svc-state-${name}-`)),
    ) as [string, string, string];
    const sessions = join(volume, '.runtimes', 'claude');
    const [first, second] = [openState(local, null, sessions), openState(other, null, sessions)];
    const id = newId();
    const config = await first.config();
    mkdirSync(join(config, 'projects', 'demo'), { recursive: true });
    writeFileSync(join(config, 'projects', 'demo', `${id}.jsonl`), '{}\n');
    await first.saveCost(id, 0.25);
    await first.selfTests.set('key', { passed: true });
    expect(await second.config()).toBe(config);
    expect([await second.hasSession(id), await second.costOf(id)]).toEqual([true, 0.25]);
    expect([await first.selfTests.get('key'), await second.selfTests.get('key')]).toEqual([
      { passed: true },
      null,
    ]);
    expect(existsSync(join(local, 'config'))).toBe(false);
    for (const folder of [local, other, volume]) rmSync(folder, { recursive: true });
  });
});

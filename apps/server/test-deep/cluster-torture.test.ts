import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';

jest.setTimeout(300_000);

const TORTURE = new URL('../torture/cluster.mjs', import.meta.url).pathname;

async function torture(...args: readonly string[]): Promise<{ code: number; out: string }> {
  const child = spawn(process.execPath, [TORTURE, ...args]);
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk));
  const [code] = await once(child, 'close');
  return { code, out };
}

describe('three servers with one database, under load', () => {
  // proves: nodes.torture
  it('lose, duplicate and misreport nothing, whatever happens to them and the database', async () => {
    const troubles = 'kill,stop,cut,crash,roll';
    const { code, out } = await torture('--troubles', troubles, '--seed', '5');
    expect(out).toContain(', 0 findings');
    expect(code).toBe(0);
  });
});
